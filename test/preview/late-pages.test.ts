import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemblePage, createScreenshots, extractCode, type Screenshots } from '../../src/preview/index.ts'
import { isOneColour } from '../../src/services/index.ts'
import { vendorFolder } from './browser.ts'

let screenshots: Screenshots
beforeAll(() => {
  screenshots = createScreenshots({ vendorDir: vendorFolder })
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
})
