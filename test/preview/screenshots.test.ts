import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  assemblePage,
  createScreenshots,
  extractCode,
  findChromium,
  type AssembledPage,
  type Screenshots,
} from '../../src/preview/index.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

let screenshots: Screenshots
beforeAll(async () => {
  screenshots = createScreenshots({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => screenshots?.close())

const page = (html: string): Promise<AssembledPage> => assemblePage(extractCode(`\`\`\`html\n${html}\n\`\`\``))
const document = (body: string): string =>
  `<!doctype html><html lang="en"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>Test</title></head><body>${body}</body></html>`

/** Reads width and height from a PNG's header (PNG specification, 11.2.2). */
function readSize(png: Uint8Array): [width: number, height: number] {
  const view = Buffer.from(png)
  expect(view.subarray(1, 4).toString()).toBe('PNG')
  return [view.readUInt32BE(16), view.readUInt32BE(20)]
}

describe('screenshots', () => {
  it('show the page at three widths and after interaction; console, errors and accessibility are reported', async () => {
    const { screenshots: pictures, ...findings } = await screenshots.take(
      await page(
        document(`<main><h1>Signup</h1><input placeholder="Name"><img src="https://far.example/x.png">
<button onclick="document.querySelector('output').textContent = 'Hello ' + document.querySelector('input').value">Greet</button><button>Dead</button><output></output></main>
<script>console.warn('careful'); setTimeout(() => { throw new RangeError('late') })</script>`),
      ),
    )
    expect(pictures.map(({ width, moment }) => [width, moment])).toEqual([
      [375, 'loaded'],
      [768, 'loaded'],
      [1440, 'loaded'],
      [1440, 'used'],
    ])
    for (const { width, height, png } of pictures) expect(readSize(png)).toEqual([width, height])
    expect(pictures[3]!.png).not.toEqual(pictures[2]!.png)
    expect(findings.console).toEqual([{ level: 'warn', text: 'careful' }])
    expect(findings.errors).toEqual(['RangeError: late'])
    expect(findings.interactions).toEqual([
      { action: 'type', target: 'Name', hadEffect: true, change: expect.stringContaining('of the screen') },
      { action: 'click', target: 'Greet', hadEffect: true, change: expect.stringContaining('of the screen') },
      { action: 'click', target: 'Dead', hadEffect: false },
    ])
    expect(findings.accessibility.map(({ id, impact }) => [id, impact])).toEqual([['image-alt', 'critical']])
    expect(findings.blocked.map(({ url }) => url)).toEqual(['https://far.example/x.png'])
  })

  it('do not charge a page with the network that it lacks', async () => {
    const { errors, console, blocked } = await screenshots.take(
      await page(
        document(`<h1>Team</h1><svg><image href="https://far.example/a.png"/></svg><script>
fetch('https://far.example/team')
const style = Object.assign(document.createElement('link'), { rel: 'stylesheet', href: 'https://far.example/a.css' })
document.head.append(style)
</script>`),
      ),
      { widths: [768] },
    )
    expect({ errors, console }).toEqual({ errors: [], console: [] })
    expect(blocked.map(({ url }) => url).toSorted()).toEqual(
      ['a.css', 'a.png', 'team'].map((name) => `https://far.example/${name}`),
    )
  })

  it('show all of a long page, up to a limit, and apply media queries for each width', async () => {
    const { screenshots: pictures } = await screenshots.take(
      await page(
        document(
          '<style>div { height: 2000px } @media (max-width: 500px) { div { height: 100px } } @media (min-width: 1000px) { div { height: 200000px } }</style><div>Tall</div>',
        ),
      ),
      { mostActions: 0 },
    )
    expect(pictures[0]!.height).toBeLessThan(1000)
    expect(pictures[1]!.height).toBeGreaterThan(2000)
    expect(pictures[2]!.height).toBe(3000)
  })

  it('show the end of an animation and content that appears on scrolling', async () => {
    const { screenshots: pictures, errors } = await screenshots.take(
      await page(
        document(`<style>@keyframes grow { from { height: 10px } to { height: 1800px } } #a { height: 1800px; animation: grow 60s } .hidden { display: none }</style>
<div id="a">Slow</div><p id="end">End</p><p class="hidden" style="height: 500px">Shown when reached</p>
<script>new IntersectionObserver(([entry]) => { if (entry.isIntersecting) document.querySelector('.hidden')?.classList.remove('hidden') }).observe(document.getElementById('end'))</script>`),
      ),
      { widths: [1440], mostActions: 0 },
    )
    expect(errors).toEqual([])
    expect(pictures[0]!.height).toBeGreaterThan(2300)
  })

  it('a page with an endless loop is reported as an error, and the next page works', async () => {
    const waits = { busyMs: 500, computedMs: 500, leftAloneMs: 500 }
    const stuck = await screenshots.take(await page(document('<h1>Loop</h1><script>while (true);</script>')), {
      timeLimitMs: 1500,
      waits,
    })
    expect(stuck.errors.join()).toContain('one of its scripts never ends')
    expect(stuck.hang).toContain('one of its scripts never ends')
    expect(stuck.screenshots).toEqual([])
    const late = await screenshots.take(await page(document('<button onclick="while (true);">Freeze</button>')), {
      widths: [375, 768],
      timeLimitMs: 4000,
      waits,
    })
    expect(late.errors.join()).toContain('one of its scripts never ends')
    // It hangs only if that button is pressed.
    expect(late).not.toHaveProperty('hang')
    expect(late.screenshots.map(({ width }) => width)).toEqual([375, 768])
    const next = await screenshots.take(await page(document('<h1>Fine</h1>')), { widths: [375] })
    expect(next.errors).toEqual([])
    expect(next.screenshots).toHaveLength(2)
  })

  it('a page that hangs after it was shown is told from one that is only slow', async () => {
    const take = async (script: string, timeLimitMs: number) =>
      screenshots.take(
        await page(document(`<h1 style="color: navy">Styled</h1><button>Press</button><script>${script}</script>`)),
        { widths: [375], timeLimitMs, waits: { busyMs: 500, computedMs: 1500 } },
      )
    // Timers that are due sooner belong to loading.
    const stuck = await take('setTimeout(() => { for (;;); }, 2200)', 4000)
    expect(stuck.hang).toContain('one of its scripts never ends')
    // It computes less than what is taken for a hang, however late it begins.
    const slow = await take('setTimeout(() => { const end = Date.now() + 1200; while (Date.now() < end); }, 300)', 1000)
    expect(slow).not.toHaveProperty('hang')
    expect(slow.errors.join()).not.toContain('never ends')
  })

  it('a page that takes gigabytes is stopped and reported, and the next page works', async () => {
    const greedy =
      '<h1>Greedy</h1><script>const all = []; const take = () => { all.push(new Uint8Array(64 << 20).fill(1)); if (all.length < 64) setTimeout(take) }; take()</script>'
    const eaten = await screenshots.take(await page(document(greedy)), { widths: [1440], memoryLimitMb: 400 })
    expect(eaten.errors.join()).toContain('more than 400 MB')
    const next = await screenshots.take(await page(document('<h1>Fine</h1>')), { widths: [375] })
    expect(next.errors).toEqual([])
    expect(next.screenshots).toHaveLength(2)
  })

  it('survive pages that break their globals, open dialogs, reload and rewrite themselves', async () => {
    const hostile = [
      '<script>Promise = JSON = MutationObserver = setTimeout = undefined; Array.prototype.map = () => { throw 1 }</script><h1>Broken world</h1>',
      '<script>setInterval(() => { alert(1); confirm(2); prompt(3) })</script><h1>Dialogs</h1>',
      '<script>setTimeout(() => location.reload(), 30)</script><h1>Reloads</h1>',
      '<script>onload = () => { document.open(); document.write("<h1>Rewritten</h1>"); document.close() }</script>',
      '<script>document.documentElement.remove()</script>',
    ]
    for (const html of hostile) {
      const { screenshots: pictures, errors } = await screenshots.take(await page(document(html)), {
        widths: [768],
        timeLimitMs: 4000,
        waits: { blankMs: 300 },
      })
      expect(pictures.length + errors.length, html).toBeGreaterThan(0)
    }
    expect((await screenshots.take(await page(document('<h1>Fine</h1>')), { widths: [768] })).errors).toEqual([])
  })

  it('are not taken after cancellation', async () => {
    await expect(screenshots.take(await page(document('<h1>x</h1>')), { signal: AbortSignal.abort() })).rejects.toThrow(
      'abort',
    )
  })

  it('say what to do if there is no browser', async () => {
    await expect(findChromium('/nowhere/chromium')).rejects.toThrow(
      /BENCHMAKER_CHROMIUM is \/nowhere\/chromium.*Install Chrome/,
    )
    expect(readFileSync(await findChromium()).length).toBeGreaterThan(1e6)
  })
})
