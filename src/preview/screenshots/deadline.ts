/** A page took too long. */
export class PageTimeout extends Error {
  override name = 'PageTimeout'
}

/** One of the page's scripts never ends. */
export class PageHang extends PageTimeout {
  override name = 'PageHang'
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
