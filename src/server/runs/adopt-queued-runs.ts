import type { QueuedRun, WorkQueue } from '../../contract/index.ts'

/** Longer than this server takes to show a run that it has queued itself. */
const WAIT_MS = 1_000

interface Adopting {
  /** True while this server starts a run, which may be the one in question. */
  isStarting(): boolean
  isFollowed(run: QueuedRun): boolean
  follow(run: QueuedRun): Promise<void>
}

/**
 * Follows every run that workers work on, whoever started it: another server, a terminal, or this server before it was
 * restarted. Returns a function that stops looking for more.
 */
export function adoptQueuedRuns(queue: WorkQueue, { isStarting, isFollowed, follow }: Adopting): () => void {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false

  const look = async () => {
    if (isStarting()) return lookSoon()
    for (const run of await queue.listQueued()) if (!isFollowed(run) && !isStopped) await follow(run)
  }
  const lookSoon = (milliseconds = WAIT_MS) => {
    if (isStopped) return
    timer ??= setTimeout(() => {
      timer = undefined
      // The connection is back soon, and whoever listens is told then.
      void look().catch(() => undefined)
    }, milliseconds)
  }

  const unfollow = queue.follow({
    onChange({ hasMoved = false }) {
      if (hasMoved) lookSoon()
    },
    onReconnect: () => lookSoon(0),
  })
  return () => {
    isStopped = true
    clearTimeout(timer)
    unfollow()
  }
}
