import type { RunEvent } from '../../services/index.ts'

interface CountedRun {
  id: string
  cells: number
  done: number
  hasEnded: boolean
}

/** Counts the cells of the whole series that a command works on: a run alone would say "0 of 180" of 180 of 540. */
export function createSeriesCount() {
  let runs = new Map<number, CountedRun>()
  let planned = 0
  let current: CountedRun | undefined
  let newest = 0

  /** A gate runs two more series after the first. */
  const isAnotherSeries = (event: Extract<RunEvent, { type: 'run-started' }>) =>
    (runs.has(event.runNumber) && runs.get(event.runNumber)!.id !== event.runId) ||
    (!event.isSideBySide && runs.size > 0 && event.runNumber < Math.min(...runs.keys()))

  return {
    /** True if the event starts a series, not another run of the same one. */
    onEvent(event: RunEvent): boolean {
      if (event.type === 'run-started') {
        const isNew = runs.size === 0 || isAnotherSeries(event)
        if (isNew) runs = new Map()
        newest = event.runNumber
        planned = event.runsPlanned
        current = { id: event.runId, cells: event.cells, done: event.cells - event.open, hasEnded: false }
        runs.set(event.runNumber, current)
        return isNew
      }
      if (event.type === 'cell-scored' || event.type === 'cell-failed') {
        const own = [...runs.values()].find(({ id }) => id === event.cell.runId) ?? current
        if (own) own.done++
      } else if (event.type === 'run-finished') {
        for (const run of runs.values()) if (run.id === event.runId) run.hasEnded = true
      }
      return false
    },
    /** Undefined before the first run. */
    count() {
      if (!current) return undefined
      const started = [...runs.values()]
      // A resumed series does not start its finished runs again.
      const finishedBefore = Math.max(...runs.keys()) - runs.size
      const done = started.reduce((sum, run) => sum + run.done, 0)
      return {
        runId: current.id,
        runNumber: newest,
        runsPlanned: planned,
        done: done + finishedBefore * current.cells,
        total: Math.max(planned, runs.size) * current.cells,
        haveEnded: started.every(({ hasEnded }) => hasEnded),
      }
    },
  }
}
