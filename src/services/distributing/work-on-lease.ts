import { InputError, LeaseLost, type CellWork, type QueuedWork, type TakenWork } from '../../contract/index.ts'
import type { Limiter } from '../asking/limiter.ts'
import type { Stop } from '../execution.ts'
import type { RunOptions, RunTools } from '../run-tools.ts'
import { finishQueuedRun } from './finish-run.ts'
import { leaseStorage } from './leased-storage.ts'
import { createChangeReporter } from './report-changes.ts'
import { runCells } from './run-cells.ts'
import type { FindPlan, StoredPlan } from './stored-plans.ts'

export interface LeaseInput {
  taken: TakenWork
  /** With the queue. */
  tools: RunTools
  findPlan: FindPlan
  concurrency: number
  /** Shared by runs with the same limit. */
  limitersOf(concurrency: number): Map<string, Limiter>
  /** Aborts requests in progress. */
  signal: AbortSignal
  onEvent?: RunOptions['onEvent']
  isStopping(): boolean
  onProgress(open: number): void
}

export type LeaseReport =
  | { type: 'done' | 'handed back' | 'lost'; work: QueuedWork }
  | { type: 'stopped'; work: QueuedWork; stop: Stop }
  /** The run needs something that this worker lacks. */
  | { type: 'refused'; runId: string; problem: string }

/** The worker's limit holds for its requests to one provider, beside that of the run. */
function limitPlan({ prepared }: StoredPlan, concurrency: number): StoredPlan['prepared'] {
  const { request } = prepared
  return { ...prepared, request: { ...request, concurrency: Math.min(request.concurrency, concurrency) } }
}

/** Stops the whole run: the budget is spent, or the provider refuses everything. */
async function stopRun(work: CellWork, { status, reason }: Stop, tools: RunTools): Promise<void> {
  await tools.storage.setRunStatus(work.runId, status, {
    completedAt: tools.clock.now(),
    ...(reason && { stopReason: reason }),
  })
  await tools.queue!.withdraw(work.runId)
}

async function doCells(work: CellWork, input: LeaseInput, plan: StoredPlan): Promise<LeaseReport> {
  const { taken, signal, isStopping, onProgress } = input
  const queue = input.tools.queue!
  const tools = { ...input.tools, storage: leaseStorage(input.tools.storage, taken, queue) }
  const prepared = limitPlan(plan, input.concurrency)
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
      isStopping,
      onProgress,
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
    const plan = await findPlan(work).catch((error: unknown) => {
      if (error instanceof InputError) return undefined
      throw error
    })
    // Stopped, or deleted.
    if (plan?.run.status !== 'running') {
      if (!(await queue.withdraw(work.runId))) await queue.complete(taken)
      return { type: 'lost', work }
    }
    const [problem] = plan.prepared.problems
    if (problem !== undefined) {
      await queue.release(taken)
      return { type: 'refused', runId: work.runId, problem }
    }
    if (work.kind === 'cells') return await doCells(work, input, plan)
    const storage = leaseStorage(tools.storage, taken, queue)
    await finishQueuedRun(work, taken, plan, { ...tools, storage })
    await queue.complete(taken)
    return { type: 'done', work }
  } catch (error) {
    if (!(error instanceof LeaseLost)) await queue.release(taken).catch(() => undefined)
    throw error
  }
}
