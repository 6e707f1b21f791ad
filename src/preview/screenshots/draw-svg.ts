import type { Browser } from 'playwright-core'
import { launchChromium } from './browser.ts'
import { captureWhenDrawn } from './capture-screen.ts'

/** Sharp on screens and in print. */
const SCALE = 2

/** Draws an SVG of our own as PNG in the program's browser, which has no network. Rejects if there is no browser. */
export async function drawSvg(svg: string, previews: string | undefined): Promise<Uint8Array> {
  const browser: Browser = await launchChromium({ previews })
  try {
    const context = await browser.newContext({ deviceScaleFactor: SCALE, javaScriptEnabled: false })
    const page = await context.newPage()
    await page.setContent(
      `<!doctype html><meta charset="utf-8"><style>body { margin: 0 } svg { display: block }</style>${svg}`,
    )
    return await captureWhenDrawn(() => page.locator('svg').screenshot({ type: 'png' }))
  } finally {
    await browser.close()
  }
}
