/** Pages with Tailwind: painted with styles generated on the server, then completed by Tailwind in the page. */
import type { Browser, Frame, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemblePage, extractCode, launchChromium } from '../../src/preview/index.ts'
import { createDemoClient } from '../../src/providers/demo/demo.ts'
import { startPreviewServer, type PreviewServer } from '../../src/server/code-arena/preview-server.ts'
import { previewsFolder } from './browser.ts'
import { isLong } from '../scaled.ts'
import { corpusNames, readAnswer } from './corpus.ts'

let previews: PreviewServer
let browser: Browser

beforeAll(async () => {
  previews = await startPreviewServer({ previews: previewsFolder })
  browser = await launchChromium({ isCutOff: false })
})
afterAll(async () => {
  await browser?.close()
  await previews?.close()
})

const assemble = async (answer: string): Promise<string> => (await assemblePage(extractCode(answer))).html
const fenced = (code: string, language = 'jsx'): string => `\`\`\`${language}\n${code}\n\`\`\``

/** In a frame, as in the app: previews open nowhere else. */
async function open(html: string, prepare: (page: Page) => Promise<unknown> = async () => {}): Promise<Frame> {
  const page = await browser.newPage()
  await prepare(page)
  await page.setContent(
    `<iframe src="${previews.show(html)}" style="position: fixed; inset: 0; width: 100%; height: 100%; border: 0">`,
  )
  return page.frames()[1]!
}

/** All computed styles of each element, once the given number of Tailwind style sheets is there. */
async function readStyles(page: Frame, sheets: number): Promise<string[]> {
  await page.waitForFunction(
    `[...document.querySelectorAll('style')].filter(({ textContent }) => textContent.includes('! tailwindcss v')).length === ${sheets}`,
  )
  return page.evaluate<string[]>(`(() => {
    for (const animation of document.getAnimations()) animation.cancel()
    return [...document.body.querySelectorAll(':not(script)')].flatMap((element, index) => {
      const style = getComputedStyle(element)
      // Variables do not matter, only the resulting styles.
      return [...style].filter((name) => !name.startsWith('--')).map((name) => index + ' ' + element.tagName + ' ' + name + ': ' + style.getPropertyValue(name))
    })
  })()`)
}

const CARD = fenced(`export default function Card() {
  const tone = ['re', 'd'].join('')
  return <main className="p-8 grid gap-4 max-w-[37rem] border"><h1 className={'text-3xl font-bold bg-' + tone + '-500'}>Plans</h1><p className="mt-2 text-slate-600 hover:text-black">For all</p><i className="flex shadow rounded-lg" /></main>
}`)

const styleOf = (page: Frame, selector: string, property: string): Promise<string> =>
  page.evaluate<string>(`getComputedStyle(document.querySelector(${JSON.stringify(selector)})).${property}`)

describe('the styles of a page with Tailwind', () => {
  it('work without Tailwind in the page', async () => {
    const page = await open(await previews.compiler.embedStyles(await assemble(CARD)), (tab) =>
      tab.route('**/vendor/tailwind.js', (route) => route.abort()),
    )
    expect(await styleOf(page, 'main', 'padding')).toBe('32px')
    expect(await styleOf(page, 'main', 'maxWidth')).toBe('592px')
    expect(await styleOf(page, 'h1', 'fontSize')).toBe('30px')
    // Known only at run time.
    expect(await styleOf(page, 'h1', 'backgroundColor')).toBe('rgba(0, 0, 0, 0)')
    await page.page().close()
  })

  it('include classes that the page builds at run time', async () => {
    const page = await open(await previews.compiler.embedStyles(await assemble(CARD)))
    await page.waitForFunction(`getComputedStyle(document.querySelector('h1')).backgroundColor !== 'rgba(0, 0, 0, 0)'`)
    expect(await styleOf(page, 'h1', 'backgroundColor')).toMatch(/^oklch\(0\.637 /)
    await page.page().close()
  })

  it('end up the same as those that Tailwind generates alone', async () => {
    const { response } = await createDemoClient().complete({
      modelId: 'demo/coder',
      messages: [{ role: 'user', content: 'a pricing page with three plans and a monthly/yearly switch' }],
      parameters: {},
    })
    // Two loads of a page that animates are never alike.
    const still = corpusNames().filter((name, index) => isLong && index % 6 === 0 && !/framer|motion|chart/.test(name))
    const answers = [CARD, response, ...still.map(readAnswer)]
    let changed = 0
    for (const answer of answers) {
      const html = await assemble(answer)
      const early = await previews.compiler.embedStyles(html)
      if (early === html) continue
      changed++
      const [alone, both] = [await open(html), await open(early)]
      const wanted = new Set(await readStyles(alone, 1))
      const found = await readStyles(both, 2)
      expect(found.filter((line) => !wanted.has(line))).toEqual([])
      expect(found).toHaveLength(wanted.size)
      await Promise.all([alone.page().close(), both.page().close()])
    }
    expect(changed).toBeGreaterThanOrEqual(isLong ? 4 : 2)
  })

  it('are left to the page if its scripts configure Tailwind, or if they cannot be generated', async () => {
    const withTailwind = '<script src="https://cdn.tailwindcss.com"></script>'
    for (const rest of [
      '<script>tailwind.config = { theme: { extend: { colors: { brand: "#123456" } } } }</script><p class="bg-brand p-4">Hi</p>',
      '<style type="text/tailwindcss">@import "./other.css"; .a { @apply p-4 }</style><p class="a">Hi</p>',
      '<style type="text/tailwindcss">.a { @apply no-such-class }</style><p class="a">Hi</p>',
      '<style type="text/tailwindcss">@plugin "./own.js";</style><p class="p-4">Hi</p>',
    ]) {
      const html = await assemble(
        fenced(`<!doctype html><html><head>${withTailwind}</head><body>${rest}</body></html>`, 'html'),
      )
      expect(html).toContain('/vendor/tailwind.js')
      expect(await previews.compiler.embedStyles(html)).toBe(html)
    }
  })

  it('cannot close their element, whatever the page contains', async () => {
    const html = await assemble(
      fenced(
        '<!doctype html><html><head><script src="https://cdn.tailwindcss.com"></script></head><body><p class="before:content-[\'</style><b>out</b>\'] [color:</style><i>] p-4">Hi</p></body></html>',
        'html',
      ),
    )
    const page = await open(await previews.compiler.embedStyles(html))
    expect(await styleOf(page, 'p', 'padding')).toBe('16px')
    expect(await page.evaluate('document.querySelectorAll("b, i").length')).toBe(0)
    await page.page().close()
  })

  it('are left to the page if the files to generate them are missing', async () => {
    const bare = await startPreviewServer({ previews: 'no such folder' })
    const html = await assemble(CARD)
    expect(await bare.compiler.embedStyles(html)).toBe(html)
    await bare.close()
  })

  it('are not added to a page without Tailwind', async () => {
    const html = await assemble(fenced('<h1 class="p-4">Plain</h1>', 'html'))
    expect(await previews.compiler.embedStyles(html)).toBe(html)
  })
})
