import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemblePage, createScreenshots, extractCode, type Screenshots } from '../../src/preview/index.ts'
import type { Waits } from '../../src/preview/screenshots/page-view.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

let screenshots: Screenshots
beforeAll(() => {
  screenshots = createScreenshots({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => screenshots?.close())

const take = async (html: string, waits: Partial<Waits> = {}, timeLimitMs = 15_000) =>
  screenshots.take(await assemblePage(extractCode(`\`\`\`html\n${html}\n\`\`\``)), {
    widths: [768],
    mostActions: 0,
    timeLimitMs,
    waits,
  })

describe('the picture of a loaded page', () => {
  it.each([
    [
      'elements that fade as the page scrolls',
      '<style>@keyframes fade { to { opacity: 0 } } h1 { animation: fade linear; animation-timeline: scroll() }</style><h1>Dashboard</h1>',
    ],
    [
      'what appears when the page seemed to be blank',
      `<main id="app"></main><script>setTimeout(() => { app.innerHTML = '<h1>Dashboard</h1>' }, 1800)</script>`,
    ],
    [
      'what an animation of GSAP shows that is delayed',
      `<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script><h1 id="h">Dashboard</h1><script>gsap.from('#h', { opacity: 0, delay: 0.6 })</script>`,
    ],
  ])('shows %s', async (_what, html) => {
    const { screenshots: pictures } = await take(html)
    expect(isOneColour(pictures[0]!.png)).toBe(false)
  })

  it('has parts that appear a second later, as with React.lazy', async () => {
    const laterBox = '<div style="height: 2000px">Chart</div>'
    const { screenshots: pictures } = await take(
      `<h1>Dashboard</h1><main id="app">Loading…</main><script>setTimeout(() => { app.innerHTML = '${laterBox}' }, 1000)</script>`,
    )
    expect(pictures[0]!.height).toBeGreaterThan(2000)
  })

  it('is of one colour if nothing ever appears', async () => {
    const { screenshots: pictures, errors } = await take('<main></main>', { blankMs: 300 })
    expect(errors).toEqual([])
    expect(pictures.map(({ png }) => isOneColour(png))).toEqual([true])
  })
})

describe('a page that hangs by itself', () => {
  const waits = { leftAloneMs: 1200, busyMs: 500, computedMs: 500 }
  const run = (script: string) => take(`<h1>Dashboard</h1><script>${script}</script>`, waits, 3000)

  it('after the second tick of an interval is noticed', async () => {
    const { hang } = await run('let ticks = 0; setInterval(() => { while (++ticks > 1); }, 450)')
    expect(hang).toContain('one of its scripts never ends')
  })

  it('is told from one whose timers end', async () => {
    const fine = await run('setInterval(() => { document.title += "." }, 300); setTimeout(() => {}, 800)')
    expect(fine).not.toHaveProperty('hang')
    expect(fine.errors).toEqual([])
  })
})
