import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assemblePage,
  createScreenshots,
  extractCode,
  type PageInspection,
  type Screenshots,
} from '../../src/preview/index.ts'
import type { Waits } from '../../src/preview/screenshots/page-view.ts'
import { writeFindings } from '../../src/scoring/judging/page-findings.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

/**
 * Pairs of which a person is sure which one works. What a judge is told must differ in that direction. Those that do not
 * disturb each other share a page, one width, for their time.
 */

let screenshots: Screenshots
beforeAll(() => {
  screenshots = createScreenshots({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => screenshots?.close())

async function inspect(body: string, waits?: Partial<Waits>): Promise<PageInspection> {
  const html = `<!doctype html><html lang="en"><head><title>Page</title></head><body><main><h1>Page</h1>${body}</main></body></html>`
  const page = await assemblePage(extractCode(`\`\`\`html\n${html}\n\`\`\``))
  return screenshots.take(page, { widths: [1000], ...(waits && { waits }) })
}

const effects = ({ interactions }: PageInspection): string[] =>
  interactions.map(({ action, target, hadEffect }) => `${action} ${target} ${hadEffect ? 'works' : 'is dead'}`)

const game = (code: string): string =>
  `<canvas id="c" width="400" height="300"></canvas><script>const pen = document.getElementById('c').getContext('2d'); let x = 100
  const draw = () => { pen.fillStyle = 'navy'; pen.fillRect(0, 0, 400, 300); pen.fillStyle = 'gold'; pen.fillRect(x, 200, 60, 20) }
  draw(); ${code}</script>`

const drawing = (code: string): string =>
  `let on; pen.canvas.onmousedown = () => { on = true }; onmouseup = () => { on = false }; pen.canvas.onmousemove = (e) => { if (on) { pen.fillStyle = 'red'; ${code} } }`

const keyboard = (code: string): string =>
  `<button id="k" style="width:80px;height:200px">C4</button><script>${code}</script>`

const stopwatch = (code: string): string =>
  `<p id="time">00:00.00</p><button id="start">Start</button><script>let from; const show = () => { const t = Date.now() - from; time.textContent = (t / 1000).toFixed(2).padStart(5, '0') }; ${code}</script>`

const lists = (code: string): string =>
  `<div style="display:flex"><section class="list"><h2>To do</h2><div class="cards" style="min-height:100px;width:200px"><p id="card" draggable="true">Write tests</p></div></section>
  <section class="list"><h2>Done</h2><div class="cards" style="min-height:100px;width:200px"></div></section></div><script>${code}</script>`

const todo = (code: string): string =>
  `<input id="text" aria-label="New task"><ul id="list"></ul><script>text.addEventListener('keydown', (event) => { if (event.key === 'Enter') { ${code} } })</script>`

const tiles = (code: string): string =>
  `<div style="display:grid;grid-template-columns:60px 60px">${'<div class="tile" style="height:60px;background:#ddd;cursor:pointer"></div>'.repeat(2)}</div><script>for (const tile of document.querySelectorAll('.tile')) ${code}</script>`

const later = (code: string): string => `<button onclick="setTimeout(() => ${code}, 350)">Save</button><p id="out"></p>`

const start = "card.ondragstart = (e) => e.dataTransfer.setData('text', 'card')"

const pairs: [what: string, works: string, broken: string, uses: string[]][] = [
  [
    'a game on a canvas that follows the arrow keys, and on which is drawn',
    game(
      `addEventListener('keydown', (e) => { if (e.key === 'ArrowRight') x += 20; draw() }); ${drawing('pen.fillRect(e.offsetX, e.offsetY, 6, 6)')}`,
    ),
    game(`addEventListener('keydown', (e) => { if (e.key === 'ArrowRight') e.preventDefault() }); ${drawing('')}`),
    ['key ArrowRight', 'drag c'],
  ],
  [
    'a stopwatch that runs',
    stopwatch('start.onclick = () => { from = Date.now(); setInterval(show, 50) }'),
    stopwatch('start.onclick = () => { from = Date.now() }'),
    ['click Start'],
  ],
  [
    'a key that sounds, a button whose effect takes a while, tiles that are no buttons, cards that are dragged',
    keyboard(
      'k.onclick = () => { const a = new AudioContext(); const o = a.createOscillator(); o.connect(a.destination); o.start(); o.stop(a.currentTime + .1) }',
    ) +
      later("out.textContent = 'Saved'") +
      tiles("tile.addEventListener('click', () => { tile.textContent = 'X' })") +
      lists(
        `${start}; for (const l of document.querySelectorAll('.cards')) { l.ondragover = (e) => e.preventDefault(); l.ondrop = (e) => { e.preventDefault(); l.append(document.getElementById(e.dataTransfer.getData('text'))) } }`,
      ),
    keyboard('k.onclick = (event) => event.preventDefault()') +
      later('out.dataset.saved = 1') +
      tiles("tile.addEventListener('click', () => { tile.dataset.mark = 'X' })") +
      lists(start),
    ['click C4', 'click Save', 'click div', 'click div', 'drag Write tests'],
  ],
]

describe('of two pages, one of which works, the judge is told which:', () => {
  it.each(pairs)('%s', async (_what, works, broken, uses) => {
    const [good, bad] = [await inspect(works), await inspect(broken)]
    expect(effects(good).toSorted()).toEqual(expect.arrayContaining(uses.map((use) => `${use} works`)))
    expect(effects(bad)).toEqual(expect.arrayContaining(uses.map((use) => `${use} is dead`)))
    expect(writeFindings(good)).not.toBe(writeFindings(bad))
    expect(good.errors).toEqual([])
  })

  it('a list that takes what is typed', async () => {
    const good = await inspect(
      todo("list.append(Object.assign(document.createElement('li'), { textContent: text.value })); text.value = ''"),
    )
    const bad = await inspect(todo('event.preventDefault(); throw new Error("list is not defined")'))
    expect([effects(good), good.errors]).toEqual([['type New task works'], []])
    expect(bad.errors).toEqual(['Error: list is not defined'])
    expect(writeFindings(good)).not.toBe(writeFindings(bad))
  })

  it('one that moves and fits the screen, and one that stands still and scrolls sideways', async () => {
    const ball = (code: string, style: string) =>
      `${game(`const step = () => { ${code}; draw(); requestAnimationFrame(step) }; step()`)}<div style="${style}"><div style="width: 1200px; height: 50px; background: teal"></div></div>`
    const moving = await inspect(ball('x = (x + 3) % 340', 'overflow: auto'))
    const still = await inspect(ball('x = 100', ''))
    expect(moving.screenshots.map(({ moment }) => moment)).toContain('moving')
    expect(writeFindings(moving)).toMatch(/of the screen moves/)
    expect(writeFindings(moving)).toContain('scrolls sideways at no width')
    expect(still.screenshots.map(({ moment }) => moment)).not.toContain('moving')
    expect(still.sideways).toEqual([{ width: 1000, by: 208, element: '<div>' }])
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

  it('a game is started before other keys are tried, and none counts as dead when it is over', async () => {
    const { interactions } = await inspect(
      game(`let runs = false; const step = () => { if (!runs) return; x = (x + 4) % 340; draw(); requestAnimationFrame(step) }
      addEventListener('keydown', ({ key }) => {
        if (key === ' ') { runs = true; step() }
        else if (runs && key === 'ArrowUp') { runs = false; document.body.style.background = 'red' }
        else if (runs && key === 'ArrowLeft') document.body.style.background = 'blue'
      })`),
    )
    expect(interactions.map(({ action, target, hadEffect }) => [action, target, hadEffect])).toEqual([
      ['key', 'Space', true],
      ['key', 'ArrowUp', true],
    ])
  })

  it('what is inside a custom element is tried; a search is for something that the page has, and is taken back', async () => {
    const { interactions, screenshots: pictures } = await inspect(
      `<my-box></my-box><script>customElements.define('my-box', class extends HTMLElement { connectedCallback() { const root = this.attachShadow({ mode: 'open' }); root.innerHTML = '<button>More</button><button>Less</button>'; let n = 0; root.querySelector('button').onclick = (event) => { event.target.textContent = 'More ' + ++n } } })</script>
      <input type="search" aria-label="Search" oninput="for (const li of document.querySelectorAll('li')) li.hidden = !li.textContent.includes(this.value)"><ul style="font-size:40px"><li>Apples</li><li>Bananas</li></ul>`,
    )
    expect(interactions.map(({ action, target, hadEffect }) => [action, target, hadEffect])).toEqual([
      ['type', 'Search', true],
      ['click', 'More', true],
      ['click', 'Less', false],
    ])
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
  const soon = await inspect(late(1800))
  expect(soon.screenshots[0]!.height).toBeGreaterThan(2000)
  expect(soon).not.toHaveProperty('isStillLoading')
  const never = await inspect(late(60_000), { loadingMs: 1600 })
  expect(never.isStillLoading).toBe(true)
  expect(writeFindings(never)).toContain('still loading after 5 seconds')
})
