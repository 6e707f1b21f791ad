import { awaitsGrade, InputError, type Deciding, type RunResult } from '../../contract/index.ts'
import type { Spending } from '../asking/budget.ts'
import { createEngine, type Engine, type OpenCell } from '../engine.ts'
import { loadStored, loadUngraded, storeRun, type Execution, type Resumed, type RunPlace } from '../execution.ts'
import { countCells } from '../plan.ts'
import { sumSpent } from '../stored-runs/spent.ts'
import { cellName, driveDecidingRuns, type DrivenRun } from './drive-runs.ts'

export interface DecidingSeries {
  seriesId: string | undefined
  deciding: Deciding
  /** In the order they were stored; empty for a new series. */
  storedIds: readonly string[]
}

interface PreparedRuns {
  driven: DrivenRun[]
  retried: number
}

async function reopenRun(place: RunPlace, engine: Engine): Promise<Omit<DrivenRun, 'clientOf'> & { retried: number }> {
  const { storage } = engine.tools
  const { runId } = place
  const [summary] = await storage.listRuns({ ids: [runId] })
  if (!summary) throw new InputError(`there is no run ${runId}`)
  const retried = await storage.reopenErrors(runId)
  await storage.setRunStatus(runId, 'running')
  const run = await loadStored(runId, storage)
  const cells: OpenCell[] = [...(await storage.loadOpenCells(runId)), ...(await loadUngraded(run, storage))]
  const open = new Map(cells.map((one) => [cellName(one.cell.testCaseId, one.cell.modelId), one]))
  return {
    started: {
      runId,
      run,
      runNumber: place.index + 1,
      open: cells.length,
      spentBefore: 0,
      spent: { known: summary.cost, unknown: summary.unknownCosts },
    },
    open,
    retried,
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
  const prepared: PreparedRuns = { driven: [], retried: 0 }
  for (const place of places) {
    const { clientOf } = engine.tools.connect(engine.prepared.request, place.index)
    if (place.index < stored) {
      const { retried, ...run } = await reopenRun(place, engine)
      prepared.retried += retried
      prepared.driven.push({ ...run, clientOf })
    } else prepared.driven.push({ ...(await createRun(place, engine)), clientOf })
  }
  return prepared
}

/** What the runs did since they were opened, counted in cells. */
function countWork(driven: readonly DrivenRun[], finished: readonly RunResult[]): Pick<Resumed, 'asked' | 'scored'> {
  const counts = { asked: 0, scored: 0 }
  for (const [index, { results }] of finished.entries()) {
    const { open } = driven[index]!
    for (const { testCaseId, modelId, outcome } of results) {
      const before = open?.get(cellName(testCaseId, modelId))
      if (outcome === 'cancelled' || (open && !before)) continue
      counts[before?.answer ? 'scored' : 'asked']++
    }
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
  const { driven, retried } = await prepareRuns(places, storedIds.length, engine)
  const runs = await driveDecidingRuns(driven, { deciding, engine }).finally(() => engine.close())
  return { runs, retried, ...countWork(driven, runs) }
}

/** True if a run that decides has cells that a resume would ask or score again. */
export function hasRetries({ results }: RunResult): boolean {
  return results.some(
    (result) => !result.score && result.outcome !== 'cancelled' && (!result.unscored || awaitsGrade(result)),
  )
}
