import type { StorageError } from '../../contract/index.ts'
import { formatCount } from '../../report/words/index.ts'
import type { RunEvent } from '../../services/index.ts'

/** Follows a run, to say what was kept and how to continue when the database fails in the middle of it. */
export function createKeptWork({ isOnWorkers }: { isOnWorkers: boolean }) {
  let run: { id: string; done: number; total: number } | undefined
  let hasWorked = false
  return {
    onEvent(event: RunEvent): void {
      hasWorked = true
      if (event.type === 'run-started') run = { id: event.runId, done: event.cells - event.open, total: event.cells }
      else if (run && (event.type === 'cell-scored' || event.type === 'cell-failed')) run.done++
    },
    /** False if nothing has been sent or written yet. */
    hasWorked: () => hasWorked,
    describeFailure({ message }: StorageError): string {
      if (!run) return `${message}\nStopped; what was stored is kept. When that is fixed, start the command again.\n`
      const { id, done, total } = run
      if (isOnWorkers)
        return `${message}\nThis command no longer follows run ${id}; workers continue it. When that is fixed: benchmaker list shows how far they are.\n`
      return `${message}\nRun ${id} stopped: ${formatCount(done)} of ${formatCount(total, 'cell')} are finished and kept. When that is fixed: benchmaker resume ${id}\n`
    },
  }
}
