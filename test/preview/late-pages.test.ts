import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemblePage, createScreenshots, extractCode, type Screenshots } from '../../src/preview/index.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'

let screenshots: Screenshots
beforeAll(() => {
  screenshots = createScreenshots({ previews: previewsFolder, isBlank: isOneColour })
})
afterAll(() => screenshots?.close())

const take = async (html: string, widths = [768]) =>
  screenshots.take(await assemblePage(extractCode(`\`\`\`html\n${html}\n\`\`\``)), { widths, mostActions: 0 })

/** Whether the picture of the loaded page shows something. */
const showsSomething = async (html: string): Promise<boolean> => {
  const { screenshots: pictures } = await take(html)
  return pictures.length > 0 && !isOneColour(pictures[0]!.png)
}

describe('the picture of a loaded page', () => {
  it('shows elements that fade as the page scrolls', async () => {
    expect(
      await showsSomething(
        '<style>@keyframes fade { to { opacity: 0 } } h1 { animation: fade linear; animation-timeline: scroll() }</style><h1>Dashboard</h1>',
      ),
    ).toBe(true)
  })

  it.each([
    [
      'a timer of 800 ms',
      `<main id="app"></main><script>setTimeout(() => { app.innerHTML = '<h1>Dashboard</h1>' }, 800)</script>`,
    ],
    [
      'a timer of 2.5 s',
      `<main id="app"></main><script>setTimeout(() => { app.innerHTML = '<h1>Dashboard</h1>' }, 2500)</script>`,
    ],
    [
      'an animation of GSAP that is delayed',
      `<script src="https://cdn.jsdelivr.net/npm/gsap@3/dist/gsap.min.js"></script><h1 id="h">Dashboard</h1><script>gsap.from('#h', { opacity: 0, delay: 0.6 })</script>`,
    ],
  ])('shows what appears after %s', async (_what, html) => {
    expect(await showsSomething(html)).toBe(true)
  })

  it('has parts that appear a second later, as with React.lazy', async () => {
    const laterBox = '<div style="height: 2000px">Chart</div>'
    const { screenshots: pictures } = await take(
      `<h1>Dashboard</h1><main id="app">Loading…</main><script>setTimeout(() => { app.innerHTML = '${laterBox}' }, 1000)</script>`,
    )
    expect(pictures[0]!.height).toBeGreaterThan(2000)
  })

  it('is of one colour if nothing ever appears', async () => {
    const { screenshots: pictures, errors } = await take('<main></main>')
    expect(errors).toEqual([])
    expect(pictures.map(({ png }) => isOneColour(png))).toEqual([true])
  })
})

describe('a page that hangs by itself', () => {
  const heading = '<h1>Dashboard</h1>'
  const takeSoon = async (script: string, widths?: number[], timeLimitMs = 7000) =>
    screenshots.take(await assemblePage(extractCode(`\`\`\`html\n${heading}<script>${script}</script>\n\`\`\``)), {
      ...(widths && { widths }),
      timeLimitMs,
      mostActions: 0,
    })

  it('after the second tick of an interval is noticed', async () => {
    const hanging = 'let ticks = 0; setInterval(() => { while (++ticks > 1); }, 1200)'
    const soon = await takeSoon(hanging, [375, 768])
    // On a busy machine the page opens so late that the time limit comes before the second tick.
    const { hang } = soon.hang === undefined ? await takeSoon(hanging, [375], 20_000) : soon
    expect(hang).toContain('one of its scripts never ends')
  })

  it('is told from one whose timers end', async () => {
    const fine = await takeSoon('setInterval(() => { document.title += "." }, 700); setTimeout(() => {}, 2000)')
    expect(fine).not.toHaveProperty('hang')
    expect(fine.errors).toEqual([])
  })
})
