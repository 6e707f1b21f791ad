import {
  InputError,
  LeaseLost,
  StorageError,
  type CellKey,
  type CellWork,
  type LeaseTrouble,
  type QueuedWork,
  type TakenWork,
  messageOf,
  type Storage,
  type WorkQueue,
  type FinishWork,
  type RunChange,
} from '../../contract/index.ts'
import type { Limiter } from '../requesting/limiter.ts'
import type { Stop } from '../execution.ts'
import type { Refusals } from '../refusals.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'
import { runCells, type IsolatedWork } from './run-cells.ts'
import type { FindPlan, StoredPlan } from './stored-plans.ts'
import { findUnfinished, loadSeries } from '../stored-runs/stored-series.ts'
import { queueNewRun, queueRest } from './queue-run.ts'
import type { RunEvent } from '../events.ts'
import type { PreparedRun } from '../prepare.ts'

/** One notification for everything that happens within this time: notifying commits wait for each other. */
const GATHER_MS = 150

/** Tells followers which cells of the planned cases have changed; they read the rest from storage. */
function createChangeReporter(runId: string, prepared: PreparedRun, queue: WorkQueue) {
  const planned = new Set(prepared.cases.map(({ testCase }) => testCase.id))
  const rows = new Map<string, number>()
  for (const [row, { id }] of prepared.suite.testCases.entries()) if (planned.has(id)) rows.set(id, row)
  const columns = new Map(prepared.contestants.map(({ id }, column) => [id, column]))
  const indexOf = ({ testCaseId, modelId }: { testCaseId: string; modelId: string }) =>
    rows.get(testCaseId)! * columns.size + columns.get(modelId)!
  let gathered: Required<Omit<RunChange, 'runId' | 'hasMoved'>> | undefined
  let timer: NodeJS.Timeout | undefined

  const flush = async () => {
    clearTimeout(timer)
    timer = undefined
    const change = gathered
    gathered = undefined
    // Followers that miss it read everything again when the database is back.
    if (change) await queue.notify({ runId, ...change }).catch(() => undefined)
  }
  const gather = () => {
    timer ??= setTimeout(() => void flush(), GATHER_MS)
    return (gathered ??= { started: [], answered: [], seen: [], finished: [] })
  }

  return {
    onEvent(event: RunEvent): void {
      if (event.type === 'cell-started') gather().started.push(indexOf(event.cell))
      else if (event.type === 'answer-stored') gather().answered.push(indexOf(event.cell))
      else if (event.type === 'page-seen') gather().seen.push(indexOf(event.cell))
      else if (event.type === 'cell-scored' || event.type === 'cell-failed') gather().finished.push(indexOf(event.cell))
    },
    flush,
  }
}

/**
 * Marks a run as completed after its last cell, and starts the next run of its series. Another worker may have begun
 * with it and died: every step finds out whether it was already done. A run with cells that nobody asked has failed:
 * every request to their models was refused.
 */
async function finishQueuedRun(
  work: FinishWork,
  taken: TakenWork,
  { run, prepared }: StoredPlan,
  tools: RunTools,
): Promise<void> {
  const { storage, clock, createId } = tools
  const { runId, seriesId, index, nextRunId } = work
  if (run.status !== 'running') return
  const [summary] = await storage.listRuns({ ids: [runId] })
  if (summary && summary.cells.pending > 0)
    return storage.setRunStatus(runId, 'failed', { completedAt: clock.now(), stopReason: 'provider' })
  if (seriesId !== undefined) {
    const { runs, suite, request } = await loadSeries(runId, storage)
    const place = findUnfinished(runs, suite, index + 1)
    // A resumed series may have later runs already, some of them finished.
    if (place !== undefined)
      await queueRest({ runId: runs[place]!.id, seriesId, index: place, nextRunId: createId() }, tools, taken)
    else if (runs.length < request.repeat && runs.every(({ id }) => id !== nextRunId)) {
      const next = { runId: nextRunId, seriesId, index: runs.length, nextRunId: createId() }
      await queueNewRun(next, { prepared, tools, options: {} }, taken)
    }
  }
  await storage.setRunStatus(runId, 'completed', { completedAt: clock.now() })
}

/**
 * The storage for the work of a lease: nothing is written for a cell that another worker has taken over. What was paid
 * is written in any case.
 */
export function leaseStorage(storage: Storage, taken: TakenWork, queue: WorkQueue): Storage {
  const guarded = queue.guard(storage, taken)
  return {
    ...guarded,
    endAttempt: (id, end) => storage.endAttempt(id, end),
    async saveAnswer(id, end, cell, answer) {
      try {
        await guarded.saveAnswer(id, end, cell, answer)
      } catch (error) {
        if (error instanceof LeaseLost) await storage.endAttempt(id, end)
        throw error
      }
    },
    async saveTurn(id, end, cell, said) {
      try {
        await guarded.saveTurn(id, end, cell, said)
      } catch (error) {
        if (error instanceof LeaseLost) await storage.endAttempt(id, end)
        throw error
      }
    },
  }
}

/** Workers that died or failed with the same work: from here on, one works on it alone and cell by cell. */
const LOSSES_UNTIL_QUARANTINE = 3
/** So many without a cell to blame stop the run. */
const LOSSES_UNTIL_STOPPED = 8
/** A cell that was begun alone so often, and each time the worker died or failed, gets no further try. */
const MAX_FAILURES = 3

export const isQuarantined = ({ trouble }: TakenWork): boolean => (trouble?.losses ?? 0) >= LOSSES_UNTIL_QUARANTINE

export interface LeaseInput {
  taken: TakenWork
  /** With the queue. */
  tools: RunTools
  findPlan: FindPlan
  concurrency: number
  /** Shared by runs with the same limit. */
  limitersOf(concurrency: number): Map<string, Limiter>
  /** Shared by everything that this worker does for the run. */
  refusals: Refusals
  /** Aborts requests in progress. */
  signal: AbortSignal
  onEvent?: RunOptions['onEvent']
  isStopping(): boolean
  onProgress(open: number): void
}

export type LeaseReport =
  | { type: 'done' | 'handed back' | 'lost'; work: QueuedWork }
  | { type: 'stopped'; work: QueuedWork; stop: Stop }
  /** Workers died or failed with the work again and again, so the run was stopped. */
  | { type: 'given up'; work: QueuedWork; trouble: LeaseTrouble }
  /** The run needs something that this worker lacks. */
  | { type: 'refused'; runId: string; problem: string }

/**
 * The worker's limit holds for its requests to one provider, beside that of the run. Only the cases of the work: with all
 * of a large suite, every part of it would take as long to begin as the whole.
 */
function limitPlan(
  { prepared }: StoredPlan,
  { testCaseIds, ungraded }: CellWork,
  concurrency: number,
): StoredPlan['prepared'] {
  const { request } = prepared
  const named = new Set([...testCaseIds, ...ungraded.map(({ testCaseId }) => testCaseId)])
  return {
    ...prepared,
    cases: prepared.cases.filter(({ testCase }) => named.has(testCase.id)),
    request: { ...request, concurrency: Math.min(request.concurrency, concurrency) },
  }
}

/** Stops the whole run: the budget is spent, or the provider refuses everything. */
async function stopRun(work: QueuedWork, { status, reason }: Stop, tools: RunTools): Promise<void> {
  await tools.storage.setRunStatus(work.runId, status, {
    completedAt: tools.clock.now(),
    ...(reason && { stopReason: reason }),
  })
  await tools.queue!.withdraw(work.runId)
}

function isolate({ taken, tools }: LeaseInput): IsolatedWork | undefined {
  const { trouble } = taken
  if (!trouble || !isQuarantined(taken)) return undefined
  return {
    begin: (cell) => tools.queue!.begin(taken, cell),
    findProblem(cell: CellKey) {
      const failures = trouble.failuresOf(cell)
      return failures < MAX_FAILURES ? undefined : describeFailures(failures, trouble)
    },
  }
}

function describeFailures(failures: number, { problem }: LeaseTrouble): string {
  const what = problem === undefined ? 'ended without notice' : 'failed'
  return `${failures} workers ${what} while they worked on nothing but this cell, so it was not tried again${problem === undefined ? '' : `: ${problem}`}`
}

async function doCells(work: CellWork, input: LeaseInput, plan: StoredPlan): Promise<LeaseReport> {
  const { taken, signal, isStopping, onProgress } = input
  const queue = input.tools.queue!
  const tools = { ...input.tools, storage: leaseStorage(input.tools.storage, taken, queue) }
  const prepared = limitPlan(plan, work, input.concurrency)
  const changes = createChangeReporter(work.runId, prepared, queue)
  try {
    const outcome = await runCells({
      work,
      prepared,
      tools,
      options: {
        signal,
        onEvent(event) {
          changes.onEvent(event)
          input.onEvent?.(event)
        },
      },
      limiters: input.limitersOf(prepared.request.concurrency),
      refusals: input.refusals,
      isStopping,
      onProgress,
      isolated: isolate(input),
    })
    if (signal.aborted && !isStopping()) throw new LeaseLost()
    if (outcome.type === 'handed on') {
      await queue.release(taken)
      return { type: 'handed back', work }
    }
    await changes.flush()
    if (outcome.type === 'stopped') {
      await stopRun(work, outcome.stop, tools)
      return { type: 'stopped', work, stop: outcome.stop }
    }
    await queue.complete(taken)
    return { type: 'done', work }
  } finally {
    await changes.flush()
  }
}

/** Does the work of one lease and settles it: done, handed back, or the whole run stopped. */
export async function workOnLease(input: LeaseInput): Promise<LeaseReport> {
  const { taken, findPlan, tools } = input
  const { work } = taken
  const queue = tools.queue!
  try {
    if (taken.trouble && taken.trouble.losses >= LOSSES_UNTIL_STOPPED) {
      const storage = leaseStorage(tools.storage, taken, queue)
      await stopRun(work, { status: 'failed' }, { ...tools, storage })
      return { type: 'given up', work, trouble: taken.trouble }
    }
    const plan = await findPlan(work).catch((error: unknown) => {
      if (error instanceof InputError) return error
      throw error
    })
    const problem = plan instanceof InputError ? plan.message : plan?.prepared.problems[0]
    if (plan instanceof InputError || (problem !== undefined && plan?.run.status === 'running')) {
      await queue.refuse(taken, problem ?? '')
      return { type: 'refused', runId: work.runId, problem: problem ?? '' }
    }
    // Stopped, or deleted.
    if (plan?.run.status !== 'running') {
      if (!(await queue.withdraw(work.runId))) await queue.complete(taken)
      return { type: 'lost', work }
    }
    await queue.accept(taken)
    if (work.kind === 'cells') return await doCells(work, input, plan)
    const storage = leaseStorage(tools.storage, taken, queue)
    await finishQueuedRun(work, taken, plan, { ...tools, storage })
    await queue.complete(taken)
    return { type: 'done', work }
  } catch (error) {
    if (error instanceof LeaseLost) throw error
    // A database that fails says nothing about the work.
    const problem = error instanceof StorageError ? undefined : messageOf(error)
    await queue.release(taken, problem).catch(() => undefined)
    throw error
  }
}
