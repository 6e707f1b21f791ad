/** A page took longer than it may. */
export class PageTimeout extends Error {
  override name = 'PageTimeout'
}

/** Rejects when the time is over; what is under way is left behind. */
export function withDeadline<Value>(
  work: Promise<Value>,
  { end, what }: { end: number; what: string },
): Promise<Value> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => reject(new PageTimeout(what)), Math.max(0, end - performance.now()))
    work.then(resolve, reject).finally(() => clearTimeout(timer))
  })
}
