import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assemblePage,
  createScreenshots,
  extractCode,
  type PageInspection,
  type Screenshots,
} from '../../src/preview/index.ts'
import { writeFindings } from '../../src/scoring/judging/page-findings.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

/**
 * Pairs of pages of which a person is sure which one works. What a judge is told must differ in that direction. One width
 * and no more than one or two controls each, for their time.
 */

let screenshots: Screenshots
beforeAll(() => {
  screenshots = createScreenshots({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => screenshots?.close())

async function inspect(body: string, widths = [1000]): Promise<PageInspection> {
  const html = `<!doctype html><html lang="en"><head><title>Page</title></head><body><main><h1>Page</h1>${body}</main></body></html>`
  return screenshots.take(await assemblePage(extractCode(`\`\`\`html\n${html}\n\`\`\``)), { widths })
}

const effects = ({ interactions }: PageInspection): string[] =>
  interactions.map(({ action, target, hadEffect }) => `${action} ${target} ${hadEffect ? 'works' : 'is dead'}`)

const game = (code: string): string =>
  `<canvas id="c" width="400" height="300"></canvas><script>const pen = document.getElementById('c').getContext('2d'); let x = 100
  const draw = () => { pen.fillStyle = 'navy'; pen.fillRect(0, 0, 400, 300); pen.fillStyle = 'gold'; pen.fillRect(x, 200, 60, 20) }
  draw(); ${code}</script>`

const keyboard = (code: string): string =>
  `<button id="k" style="width:80px;height:200px">C4</button><script>${code}</script>`

const stopwatch = (code: string): string =>
  `<p id="time">00:00.00</p><button id="start">Start</button><script>let from; const show = () => { const t = Date.now() - from; time.textContent = (t / 1000).toFixed(2).padStart(5, '0') }; ${code}</script>`

const board = (code: string): string =>
  `<div style="display:flex"><section class="list"><h2>To do</h2><div class="cards" style="min-height:100px;width:200px"><p id="card" draggable="true">Write tests</p></div></section>
  <section class="list"><h2>Done</h2><div class="cards" style="min-height:100px;width:200px"></div></section></div><script>${code}</script>`

const todo = (code: string): string =>
  `<input id="text" aria-label="New task"><ul id="list"></ul><script>text.addEventListener('keydown', (event) => { if (event.key === 'Enter') { ${code} } })</script>`

const tiles = (code: string): string =>
  `<div id="board" style="display:grid;grid-template-columns:60px 60px">${'<div class="tile" style="height:60px;background:#ddd;cursor:pointer"></div>'.repeat(4)}</div><script>for (const tile of document.querySelectorAll('.tile')) ${code}</script>`

const pairs: [what: string, works: string, broken: string, works: string[], broken: string[]][] = [
  [
    'a game on a canvas that follows the arrow keys',
    game("addEventListener('keydown', (e) => { if (e.key === 'ArrowRight') x += 20; draw() })"),
    game("addEventListener('keydown', (e) => { if (e.key === 'ArrowRight') e.preventDefault() })"),
    ['key ArrowRight works'],
    ['key ArrowRight is dead'],
  ],
  [
    'a key of a synthesizer that sounds',
    keyboard(
      'k.onclick = () => { const a = new AudioContext(); const o = a.createOscillator(); o.connect(a.destination); o.start(); o.stop(a.currentTime + .1) }',
    ),
    keyboard('k.onclick = (event) => event.preventDefault()'),
    ['click C4 works'],
    ['click C4 is dead'],
  ],
  [
    'a stopwatch that runs',
    stopwatch('start.onclick = () => { from = Date.now(); setInterval(show, 50) }'),
    stopwatch('start.onclick = () => { from = Date.now() }'),
    ['click Start works'],
    ['click Start is dead'],
  ],
  [
    'a board on which cards are dragged',
    board(
      "card.ondragstart = (e) => e.dataTransfer.setData('text', 'card'); for (const l of document.querySelectorAll('.cards')) { l.ondragover = (e) => e.preventDefault(); l.ondrop = (e) => { e.preventDefault(); l.append(document.getElementById(e.dataTransfer.getData('text'))) } }",
    ),
    board("card.ondragstart = (e) => e.dataTransfer.setData('text', 'card')"),
    ['drag Write tests works'],
    ['drag Write tests is dead'],
  ],
  [
    'a list that takes what is typed',
    todo("list.append(Object.assign(document.createElement('li'), { textContent: text.value })); text.value = ''"),
    todo('event.preventDefault(); throw new Error("list is not defined")'),
    ['type New task works'],
    ['type New task works'],
  ],
  [
    'a board of tiles that are no buttons',
    tiles("tile.addEventListener('click', () => { tile.textContent = 'X' })"),
    tiles("tile.addEventListener('click', () => { tile.dataset.mark = 'X' })"),
    ['click div works', 'click div works'],
    ['click div is dead', 'click div is dead'],
  ],
  [
    'a button whose effect takes a while',
    '<button onclick="setTimeout(() => out.textContent = \'Saved\', 350)">Save</button><p id="out"></p>',
    '<button onclick="setTimeout(() => out.dataset.saved = 1, 350)">Save</button><p id="out"></p>',
    ['click Save works'],
    ['click Save is dead'],
  ],
  [
    'a canvas that is drawn on',
    game(
      "const c = pen.canvas; let on; c.onmousedown = () => { on = true }; onmouseup = () => { on = false }; c.onmousemove = (e) => { if (on) { pen.fillStyle = 'red'; pen.fillRect(e.offsetX, e.offsetY, 6, 6) } }",
    ),
    game(
      "const c = pen.canvas; let on; c.onmousedown = () => { on = true }; onmouseup = () => { on = false }; c.onmousemove = (e) => { if (on) { pen.fillStyle = 'red' } }",
    ),
    ['drag c works'],
    ['drag c is dead'],
  ],
]

describe('of two pages, one of which works, the judge is told which:', () => {
  it.each(pairs)('%s', async (_what, works, broken, seen, unseen) => {
    const [good, bad] = [await inspect(works), await inspect(broken)]
    expect(effects(good)).toEqual(expect.arrayContaining(seen))
    expect(effects(bad)).toEqual(expect.arrayContaining(unseen))
    expect(writeFindings(good)).not.toBe(writeFindings(bad))
    expect(good.errors).toEqual([])
  })

  it('one that moves, and one that stands still', async () => {
    const ball = (code: string) => game(`const step = () => { ${code}; draw(); requestAnimationFrame(step) }; step()`)
    const [moving, still] = [await inspect(ball('x = (x + 3) % 340')), await inspect(ball('x = 100'))]
    expect(moving.screenshots.map(({ moment }) => moment)).toContain('moving')
    expect(writeFindings(moving)).toMatch(/of the screen moves/)
    expect(still.screenshots.map(({ moment }) => moment)).not.toContain('moving')
  })

  it('one that fits a phone, and one that scrolls sideways', async () => {
    const table = (style: string) =>
      `<div style="${style}"><div style="width: 900px; height: 50px; background: teal"></div></div>`
    const [fits, overflows] = [await inspect(table('overflow: auto'), [375]), await inspect(table(''), [375])]
    expect(writeFindings(fits)).toContain('scrolls sideways at no width')
    expect(overflows.sideways).toEqual([{ width: 375, by: 533, element: '<div>' }])
  })
})

describe('what the driver does is no fault of the page', () => {
  it('a calculator is asked for a sum that has a result', async () => {
    const keys = ['7', '8', '9', '+', '4', '5', '6', '-', '1', '2', '3', '*', '0', '.', '=', 'C']
    const { interactions } = await inspect(
      `<output id="o">0</output><div>${keys.map((key) => `<button>${key}</button>`).join('')}</div><script>let text = ''
      document.querySelector('div').addEventListener('click', (e) => { const k = e.target.textContent; if (k.length > 1) return; text = k === 'C' ? '' : k === '=' ? String(eval(text)) : text + k; o.textContent = text })</script>`,
    )
    expect(interactions.map(({ target, hadEffect }) => [target, hadEffect])).toEqual([
      ['7', true],
      ['+', true],
      ['8', true],
      ['=', true],
      ['C', true],
    ])
  })

  it('what is inside a custom element is tried', async () => {
    const { interactions } = await inspect(
      `<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button>More</button><button>Less</button>'; let n = 0; root.querySelector('button').onclick = (event) => { event.target.textContent = 'More ' + ++n } } })</script>`,
    )
    expect(interactions.map(({ target, hadEffect }) => [target, hadEffect])).toEqual([
      ['More', true],
      ['Less', false],
    ])
  })

  it('a search is for something that the page has, and is taken back', async () => {
    const { interactions, screenshots: pictures } = await inspect(
      `<input type="search" aria-label="Search" oninput="for (const li of document.querySelectorAll('li')) li.hidden = !li.textContent.includes(this.value)"><ul style="font-size:40px"><li>Apples</li><li>Bananas</li></ul>`,
    )
    expect(interactions).toEqual([expect.objectContaining({ action: 'type', target: 'Search', hadEffect: true })])
    expect(pictures.map(({ moment, height }) => [moment, height])).toEqual([
      ['loaded', 900],
      ['used', 900],
    ])
  })
})

it('a table of 5,000 rows is no hang: what repeats is left out of our own check, and that is said', async () => {
  const {
    hang,
    errors,
    screenshots: pictures,
    accessibility,
    accessibilityCut,
  } = await inspect(
    `<table id="t"><thead><tr><th>Name<th>City<th>Sum</tr></thead><tbody></tbody></table><script>document.querySelector('tbody').innerHTML = Array.from({ length: 5000 }, (_, i) => '<tr><td>Person ' + i + '<td>City<td style="color:#ccc">' + i + '</tr>').join('')</script>`,
  )
  expect({ hang, errors }).toEqual({ hang: undefined, errors: [] })
  expect(pictures.map(({ moment }) => moment)).toEqual(['loaded', 'used'])
  expect(accessibilityCut).toMatch(/^The page has 200\d\d elements; of those that repeat/)
  expect(accessibility.map(({ id }) => id)).toEqual(['color-contrast'])
})

it('a page that says that it is loading is photographed when it has loaded, or after five seconds with that said', async () => {
  const late = (ms: number) =>
    `<div id="splash" class="loading" style="height:400px">Loading…</div><script>setTimeout(() => { splash.outerHTML = '<p style="height:2000px">Ready</p>' }, ${ms})</script>`
  const soon = await inspect(late(3200))
  expect(soon.screenshots[0]!.height).toBeGreaterThan(2000)
  expect(soon).not.toHaveProperty('isStillLoading')
  const never = await inspect(late(60_000))
  expect(never.isStillLoading).toBe(true)
  expect(writeFindings(never)).toContain('still loading after 5 seconds')
})
