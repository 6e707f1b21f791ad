import type { RunChange, WorkQueue } from '../../contract/index.ts'

/** So that a burst of notifications is read from storage once. */
const GATHER_MS = 100

const KINDS = ['started', 'answered', 'seen', 'finished'] as const

interface GatheredChange extends RunChange {
  /** The connection was lost for a while. */
  mayHaveMissed?: boolean
}

/** Gathers what the queue says about one run until somebody reads it. */
export interface RunInbox {
  /** From now on, gathers the changes of this run. */
  watch(runId: string): void
  /** Waits for a change; undefined after this time. When woken, the change may be empty. */
  take(timeoutMs: number): Promise<GatheredChange | undefined>
  wake(): void
  close(): void
}

export function openRunInbox(queue: Pick<WorkQueue, 'follow'>): RunInbox {
  let gathered: GatheredChange = { runId: '' }
  let hasNews = false
  let wake = () => {}
  const tell = () => {
    hasNews = true
    wake()
  }

  const unfollow = queue.follow({
    onChange({ runId, hasMoved = false, ...change }) {
      if (runId !== gathered.runId) return
      for (const kind of KINDS) if (change[kind]) gathered[kind] = [...(gathered[kind] ?? []), ...change[kind]]
      if (hasMoved) gathered.hasMoved = true
      tell()
    },
    onReconnect() {
      gathered.mayHaveMissed = gathered.hasMoved = true
      tell()
    },
  })

  const pause = (milliseconds: number) =>
    new Promise<void>((resolve) => {
      const timer = setTimeout(() => wake(), milliseconds)
      wake = () => {
        clearTimeout(timer)
        wake = () => {}
        resolve()
      }
    })

  return {
    watch(runId) {
      gathered = { runId }
      hasNews = false
    },
    async take(timeoutMs) {
      if (!hasNews) await pause(timeoutMs)
      if (!hasNews) return undefined
      await pause(GATHER_MS)
      const change = gathered
      gathered = { runId: change.runId }
      hasNews = false
      return change
    },
    wake: tell,
    close: unfollow,
  }
}
