/** Returns true if it settled a request. Must not throw. */
export type Callback = () => boolean

let waiting: Callback[] = []
let next = 0

/**
 * Settles at most one request per turn of the event loop: its answer is stored and the next request sent before the
 * sockets are read again.
 */
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
 * Runs the callback once every socket that is readable now has been read and timed. Otherwise storing and scoring one
 * answer would count as the next server's time, and answers that arrive together would delay the next requests until
 * all of them were stored (docs/decisions/0005-simple-start.md has the figures).
 */
export function afterPoll(callback: Callback): void {
  if (waiting.push(callback) === 1) setImmediate(runWaiting)
}
