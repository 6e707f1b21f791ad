/** Gives whether it settled a request, which sets off work of the caller's that runs as soon as the callback is through. */
export type Callback = () => boolean

let waiting: Callback[] = []
let next = 0

/** Up to one settled request a turn of the loop: what it sets off is over when the next turn stamps the sockets again. */
function runWaiting(): void {
  while (next < waiting.length) {
    const callback = waiting[next++]!
    if (!callback() || next === waiting.length) continue
    setImmediate(runWaiting)
    return
  }
  waiting = []
  next = 0
}

/**
 * Runs the callback once every socket that is readable now has been read and stamped. Whatever it sets off (scoring, a
 * commit) would otherwise run between two sockets and count as the second server's time. It must not throw.
 */
export function afterPoll(callback: Callback): void {
  if (waiting.push(callback) === 1) setImmediate(runWaiting)
}
