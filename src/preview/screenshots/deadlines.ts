import type { CDPSession } from 'playwright-core'

/** A page took too long. */
export class PageTimeout extends Error {
  override name = 'PageTimeout'
}

/** One of the page's scripts never ends. */
export class PageHang extends PageTimeout {
  override name = 'PageHang'
}

/** The page ended its own process. */
export class PageCrash extends Error {
  override name = 'PageCrash'
}

/** Rejects at the deadline; the work itself is abandoned, not stopped. */
export function withDeadline<Value>(
  work: Promise<Value>,
  { end, what }: { end: number; what: string },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PageTimeout(what)), Math.max(0, end - performance.now()))
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}

/** Longer than any of our checks takes, on a busy machine too. */
const MOST_OURS_MS = 120_000

/** The time that a page has. What we do with the page meanwhile does not count. */
export class Clock {
  /** In the time of `performance.now()`. */
  end: number
  readonly limitMs: number

  constructor(limitMs: number) {
    this.limitMs = limitMs
    this.end = performance.now() + limitMs
  }

  async ours<Value>(work: () => Promise<Value>): Promise<Value> {
    const start = performance.now()
    this.end += MOST_OURS_MS
    try {
      return await work()
    } finally {
      this.end += performance.now() - start - MOST_OURS_MS
    }
  }
}

/** The time that the busiest process of pages has computed so far, in milliseconds. */
export async function readBusiestMs(session: CDPSession): Promise<number> {
  const { processInfo } = await session.send('SystemInfo.getProcessInfo')
  return 1000 * Math.max(0, ...processInfo.flatMap(({ type, cpuTime }) => (type === 'renderer' ? [cpuTime] : [])))
}
