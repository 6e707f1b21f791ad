import type { Browser } from 'playwright-core'
import { readMemoryMb } from './browser.ts'

const EVERY_MS = 100

/** Stops renderers that take too much memory. */
export async function watchMemory(
  browser: Browser,
  limitMb: number,
): Promise<{ stop(): void; wasExceeded(): boolean }> {
  const session = await browser.newBrowserCDPSession()
  let isStopped = false
  let isExceeded = false

  const look = async (): Promise<void> => {
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    for (const { type, id } of processInfo) {
      if (type !== 'renderer' || id === 0 || ((await readMemoryMb(id)) ?? 0) <= limitMb) continue
      isExceeded = true
      process.kill(id, 'SIGKILL')
    }
  }

  const timer = setInterval(() => {
    // The browser can exit at any time; then there is nothing left to watch.
    if (!isStopped) void look().catch(() => undefined)
  }, EVERY_MS)
  return {
    stop() {
      isStopped = true
      clearInterval(timer)
      void session.detach().catch(() => undefined)
    },
    wasExceeded: () => isExceeded,
  }
}
