import { cellName, awaitsGrade, type Deciding, type RunResult } from '../../contract/index.ts'
import type { Spending } from '../requesting/budget.ts'
import { createEngine, type Engine } from '../engine.ts'
import { storeRun, type Execution, type RunPlace } from '../execution.ts'
import { countCells } from '../plan.ts'
import {
  addCounts,
  countResumed,
  noWork,
  reopenRun,
  type ReopenedCells,
  type Resumed,
} from '../stored-runs/reopen-run.ts'
import { sumSpent } from '../stored-runs/spent.ts'
import { driveDecidingRuns, type DrivenRun } from './drive-runs.ts'

export interface DecidingSeries {
  seriesId: string | undefined
  deciding: Deciding
  /** In the order they were stored; empty for a new series. */
  storedIds: readonly string[]
}

interface PreparedRuns {
  driven: DrivenRun[]
  /** Of the runs that there were, in the same order. */
  reopened: ReopenedCells[]
}

async function openRun(
  place: RunPlace,
  engine: Engine,
): Promise<Omit<DrivenRun, 'clientOf'> & { cells: ReopenedCells }> {
  const { runId } = place
  const { summary, stored, open, cells } = await reopenRun(runId, engine.tools.storage)
  return {
    started: {
      runId,
      run: stored,
      runNumber: place.index + 1,
      open: open.length,
      spentBefore: 0,
      spent: { known: summary.cost, unknown: summary.unknownCosts },
    },
    open: new Map(open.map((one) => [cellName(one.cell), one])),
    failed: cells.failed,
    cells,
  }
}

async function createRun(place: RunPlace, engine: Engine): Promise<Omit<DrivenRun, 'clientOf'>> {
  const run = await storeRun(place, engine)
  return {
    started: {
      runId: place.runId,
      run,
      runNumber: place.index + 1,
      open: countCells(engine.prepared),
      spentBefore: 0,
      spent: { known: 0, unknown: 0 },
    },
  }
}

/** Opens the stored runs and creates the missing ones: a process may have died between two of them. */
async function prepareRuns(places: readonly RunPlace[], stored: number, engine: Engine): Promise<PreparedRuns> {
  const prepared: PreparedRuns = { driven: [], reopened: [] }
  for (const place of places) {
    const { clientOf } = engine.tools.connect(engine.prepared.request, place.index)
    if (place.index < stored) {
      const { cells, ...run } = await openRun(place, engine)
      prepared.reopened.push(cells)
      prepared.driven.push({ ...run, clientOf })
    } else prepared.driven.push({ ...(await createRun(place, engine)), clientOf })
  }
  return prepared
}

/** What the runs did since they were opened. */
function countWork(reopened: readonly ReopenedCells[], finished: readonly RunResult[]): Resumed {
  const counts = { ...noWork }
  for (const [index, run] of finished.entries()) {
    const cells = reopened[index]
    const asked = run.results.filter(({ outcome }) => outcome !== 'cancelled').length
    addCounts(counts, cells ? countResumed(cells, run) : { ...noWork, asked })
  }
  return counts
}

/** Starts or continues all runs of a request that decides; the caller holds the claims. */
export async function executeDeciding(
  places: readonly RunPlace[],
  { deciding, storedIds }: DecidingSeries,
  execution: Execution,
): Promise<Resumed & { runs: RunResult[] }> {
  const { prepared, tools } = execution
  const spent: Spending = await sumSpent(storedIds, prepared, tools)
  const engine = await createEngine({ ...execution, ...places[0]!, index: 0, spent })
  const { driven, reopened } = await prepareRuns(places, storedIds.length, engine)
  const runs = await driveDecidingRuns(driven, { deciding, engine }).finally(() => engine.close())
  return { runs, ...countWork(reopened, runs) }
}

/** True if a run that decides has cells that a resume would ask or score again. */
export function hasRetries({ results }: RunResult): boolean {
  return results.some(
    (result) => !result.score && result.outcome !== 'cancelled' && (!result.unscored || awaitsGrade(result)),
  )
}
