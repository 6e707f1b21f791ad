import {
  InputError,
  isSettled,
  toDollars,
  toMoney,
  type Money,
  type RunInput,
  type RunLabel,
  type RunResult,
} from '../../contract/index.ts'
import { countCells } from '../plan.ts'
import { planningTools, prepareRun, refuseProblems, type PreparedRun } from '../prepare.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'
import { startSeries } from '../series.ts'
import { readStoredRun } from '../stored-run.ts'
import { sumSpent } from '../stored-runs/spent.ts'
import { planRerun, type Alarm } from './plan-rerun.ts'

/** Why there are no fresh runs to decide by. */
export type NoRerun =
  | { code: 'forbidden' | 'budget' | 'stopped' }
  | { code: 'unscored'; missing: number }
  | { code: 'impossible'; reason: string }

/** Candidate and baseline, run again. */
export interface Rerun {
  /** Also those that did not finish. */
  candidate: RunResult[]
  baseline: RunResult[]
  /** If they cannot be decided by. */
  obstacle?: NoRerun
}

export interface RerunOptions extends Omit<RunOptions, 'label'> {
  /** The address that the runs were sent to, with what is not stored of it. */
  endpoint?: string | undefined
  /** How many fresh cells may lack a score. */
  allowMissing: number
  labels: Record<'candidate' | 'baseline', RunLabel>
  /** Called before anything is sent. */
  onStart?: (plan: { cells: number; runs: number }) => void
}

const none = (obstacle: NoRerun): Rerun => ({ candidate: [], baseline: [], obstacle })

interface PreparedRerun {
  candidate: PreparedRun
  baseline: PreparedRun
  /** What the runs so far left of the budget; undefined without one. */
  left: Money | undefined
}

async function prepareRerun(alarm: Alarm, tools: RunTools, endpoint: string | undefined): Promise<PreparedRerun> {
  const prepare = async (input: RunInput) => {
    const prepared = await prepareRun(input, planningTools(tools))
    refuseProblems(prepared)
    return prepared
  }
  const planned = planRerun(alarm, endpoint)
  const [candidate, baseline] = [await prepare(planned.candidate), await prepare(planned.baseline)]
  const { maxCost } = candidate.request
  if (maxCost === undefined) return { candidate, baseline, left: undefined }
  const stored = readStoredRun(alarm.runs[0]!)
  const whole = await prepareRun({ ...stored, request: { ...stored.request, maxCost } }, planningTools(tools))
  const ids = alarm.runs.map(({ id }) => id)
  const { spent, assumed } = await sumSpent(ids, whole, tools)
  return { candidate, baseline, left: toMoney(maxCost) - spent - assumed }
}

/** What it costs if every cell costs what it did before; cached answers were free. */
async function predictCost(
  { runs, baseline }: Alarm,
  prepared: PreparedRerun,
  { storage }: Pick<RunTools, 'storage'>,
): Promise<number> {
  const predict = async (series: readonly RunResult[], again: PreparedRun) => {
    const stored = await storage.listRuns({ ids: series.map(({ id }) => id) })
    const cost = stored.reduce((sum, run) => sum + run.cost, 0)
    const cells = series.reduce((sum, { results }) => sum + results.length, 0)
    return (cost / Math.max(1, cells)) * countCells(again) * again.request.repeat
  }
  return (await predict(runs, prepared.candidate)) + (await predict(baseline, prepared.baseline))
}

function findRerunObstacle(runs: readonly RunResult[], allowMissing: number): NoRerun | undefined {
  const stopped = runs.find(({ status }) => status !== 'completed')
  if (stopped) return { code: stopped.stopReason === 'budget' ? 'budget' : 'stopped' }
  const missing = runs.flatMap(({ results }) => results).filter((cell) => !isSettled(cell)).length
  return missing > allowMissing ? { code: 'unscored', missing } : undefined
}

async function executeRerun(
  { candidate, baseline, left }: PreparedRerun,
  tools: RunTools,
  { labels, allowMissing, ...options }: RerunOptions,
): Promise<Rerun> {
  const isShort = (runs: RunResult[]) => runs.length < candidate.request.repeat || options.signal?.aborted
  const start = (prepared: PreparedRun, money: Money | undefined, label: RunLabel) => {
    const request = { ...prepared.request, ...(money !== undefined && { maxCost: toDollars(money) }) }
    return startSeries({ ...prepared, request }, tools, { ...options, label, withTexts: false })
  }
  // The baseline first: it is the one that may no longer be there.
  const before = await start(baseline, left, labels.baseline)
  const obstacle = findRerunObstacle(before, allowMissing)
  if (obstacle ?? isShort(before)) return { candidate: [], baseline: before, obstacle: obstacle ?? { code: 'stopped' } }
  const ids = before.map(({ id }) => id)
  const { spent, assumed } = await sumSpent(ids, baseline, tools)
  const rest = left === undefined ? undefined : left - spent - assumed
  if (rest !== undefined && rest <= 0n) return { candidate: [], baseline: before, obstacle: { code: 'budget' } }
  const after = await start(candidate, rest, labels.candidate)
  const last =
    findRerunObstacle([...before, ...after], allowMissing) ?? (isShort(after) && { code: 'stopped' as const })
  return { candidate: after, baseline: before, ...(last && { obstacle: last }) }
}

/**
 * Runs candidate and baseline twice more each: the models that look worse, on the cases by which they do, with fresh
 * answers. It has what the runs so far left of their budget, and sends nothing if that will not do.
 */
export async function rerunBoth(alarm: Alarm, tools: RunTools, options: RerunOptions): Promise<Rerun> {
  // Simulated models differ between the runs of a series: the first runs had the first indexes.
  const indexes = Math.max(alarm.runs.length, alarm.baseline.length)
  const own: RunTools = { ...tools, connect: (request, index) => tools.connect(request, index + indexes) }
  try {
    const prepared = await prepareRerun(alarm, own, options.endpoint)
    const { candidate, baseline, left } = prepared
    if (left !== undefined && (left <= 0n || toMoney(await predictCost(alarm, prepared, own)) > left))
      return none({ code: 'budget' })
    const { repeat } = candidate.request
    options.onStart?.({ cells: (countCells(candidate) + countCells(baseline)) * repeat, runs: 2 * repeat })
    return await executeRerun(prepared, own, options)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return none({ code: 'impossible', reason: error.message })
  }
}
