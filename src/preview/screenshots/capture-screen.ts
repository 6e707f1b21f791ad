import type { CDPSession } from 'playwright-core'
import { setTimeout } from 'node:timers/promises'

const WAITS_MS = [50, 100, 200, 400, 800]

/**
 * Chromium now and then has no frame at hand, most often just after it started or on a busy machine, and gives the same
 * picture a moment later: so it is asked again.
 */
export async function captureWhenDrawn<Picture>(capture: () => Promise<Picture>): Promise<Picture> {
  for (const wait of WAITS_MS) {
    try {
      return await capture()
    } catch (error) {
      if (!String(error).includes('Unable to capture screenshot')) throw error
      await setTimeout(wait)
    }
  }
  return capture()
}

/** Returns what is on the screen, as a PNG in base 64. */
export async function captureScreen(session: CDPSession): Promise<string> {
  return captureWhenDrawn(
    async () => (await session.send('Page.captureScreenshot', { format: 'png', optimizeForSpeed: true })).data,
  )
}
