import {
  awaitsGrade,
  sumDollars,
  type CellKey,
  type CellResult,
  type RunChange,
  type RunResult,
  type RunStatus,
} from '../../contract/index.ts'
import type { RunEvent } from '../events.ts'
import { requestOf } from '../plan.ts'
import type { RunTools } from '../run-tools.ts'
import type { RunInbox } from './run-inbox.ts'

/** In case the end of a run was missed. */
const LOOK_EVERY_MS = 5_000
/** Answers are read before their scores are there only if there are few. */
const FEW_CELLS = 1_000

export interface FollowedRun {
  runId: string
  /** From 0. */
  index: number
}

export interface Following {
  tools: Pick<RunTools, 'storage' | 'queue' | 'clock'>
  emit(event: RunEvent): void
  inbox: RunInbox
  /** True: the call ends, and workers go on. */
  isDetached(): boolean
  /** True: the run is to be stopped. */
  isCancelled(): boolean
}

/** What a result means for whoever watches. */
function* eventsOf(cell: CellKey, { score, unscored, error, outcome = 'ok', cost, attempts = 0 }: CellResult) {
  // Requests that failed have no known cost, and cost nothing as far as anyone knows.
  if (attempts > 0 && (cost !== undefined || error === undefined)) {
    const end = { endedAt: 0, outcome, ...(cost !== undefined && { cost }) }
    yield { type: 'attempt-ended', attempt: cell, end } satisfies RunEvent
  }
  if (score) yield { type: 'cell-scored', cell, score } satisfies RunEvent
  else if (unscored) yield { type: 'cell-scored', cell, score: { unscored } } satisfies RunEvent
  else yield { type: 'cell-failed', cell, error: error ?? 'failed' } satisfies RunEvent
}

/** Follows one run that workers work on, and emits the events of the engine as far as the storage knows them. */
class RunFollower {
  readonly #run: RunResult
  readonly #models: number
  readonly #caseIds: readonly string[]
  readonly #rows: ReadonlyMap<string, number>
  readonly #columns: ReadonlyMap<string, number>
  readonly #done = new Set<number>()
  readonly #following: Following

  constructor(run: RunResult, following: Following) {
    this.#run = run
    this.#following = following
    this.#models = run.models.length
    this.#caseIds = (run.testSuiteSnapshot?.testCases ?? []).map(({ id }) => id)
    this.#rows = new Map(this.#caseIds.map((id, row) => [id, row]))
    this.#columns = new Map(run.models.map((id, column) => [id, column]))
  }

  #indexOf({ testCaseId, modelId }: Omit<CellKey, 'runId'>): number {
    return (this.#rows.get(testCaseId) ?? 0) * this.#models + (this.#columns.get(modelId) ?? 0)
  }

  #cellAt(index: number): CellKey | undefined {
    const testCaseId = this.#caseIds[Math.floor(index / this.#models)]
    const modelId = this.#run.models[index % this.#models]
    return testCaseId === undefined || modelId === undefined ? undefined : { runId: this.#run.id, testCaseId, modelId }
  }

  async start(index: number): Promise<void> {
    const { storage } = this.#following.tools
    const { repeat, maxCost } = requestOf(this.#run)
    const { id, seriesId } = this.#run
    const others = maxCost === undefined || seriesId === undefined ? [] : await storage.runsOfSeries(seriesId)
    const spent = await storage.listRuns({ ids: others.filter((other) => other !== id) })
    const results = this.#run.results.filter(({ error }) => error === undefined)
    const done = results.filter((result) => !awaitsGrade(result))
    for (const result of done) this.#done.add(this.#indexOf(result))
    const asked = results.filter(({ attempts = 0 }) => attempts > 0)
    const cells = this.#caseIds.length * this.#models
    this.#following.emit({
      type: 'run-started',
      runId: id,
      run: { ...this.#run, results },
      runNumber: index + 1,
      runsPlanned: Math.max(repeat, index + 1),
      cells,
      open: cells - done.length,
      maxCost,
      isOnWorkers: true,
      spentBefore: sumDollars(spent.map(({ cost }) => cost)),
      spent: {
        known: sumDollars(asked.map(({ cost = 0 }) => cost)),
        unknown: asked.filter(({ cost }) => cost === undefined).length,
      },
    })
    this.#report(this.#run.results.filter(({ error }) => error !== undefined))
  }

  /** Emits results that are new. */
  #report(results: readonly CellResult[], { isLast = false } = {}): void {
    for (const result of results) {
      const index = this.#indexOf(result)
      if (this.#done.has(index) || (awaitsGrade(result) && !isLast && this.#wasUngraded(result))) continue
      this.#done.add(index)
      const cell = { runId: this.#run.id, testCaseId: result.testCaseId, modelId: result.modelId }
      for (const event of eventsOf(cell, result)) this.#following.emit(event)
    }
  }

  /** Until it is graded again, it still shows the failure of an earlier judge. */
  #wasUngraded({ testCaseId, modelId }: CellResult): boolean {
    return this.#run.results.some(
      (earlier) => earlier.testCaseId === testCaseId && earlier.modelId === modelId && awaitsGrade(earlier),
    )
  }

  async apply({ started = [], answered = [], seen = [], finished = [] }: RunChange): Promise<void> {
    const { emit, tools } = this.#following
    const open = (index: number) => (this.#done.has(index) ? undefined : this.#cellAt(index))
    for (const cell of started.map(open)) if (cell) emit({ type: 'cell-started', cell })
    if (this.#caseIds.length * this.#models <= FEW_CELLS)
      for (const cell of answered.map(open)) {
        const answer = cell && (await tools.storage.loadCell(cell))?.answer
        if (answer) emit({ type: 'answer-stored', cell, answer, cost: undefined })
      }
    for (const cell of seen.map(open)) if (cell) emit({ type: 'page-seen', cell })
    const testCaseIds = new Set(finished.flatMap((index) => this.#cellAt(index)?.testCaseId ?? []))
    if (testCaseIds.size > 0) await this.reload([...testCaseIds])
  }

  async reload(testCaseIds?: readonly string[], options?: { isLast: boolean }): Promise<void> {
    const run = await this.#following.tools.storage.loadRun(this.#run.id, {
      texts: false,
      suite: false,
      ...(testCaseIds && { testCaseIds }),
    })
    this.#report(run?.results ?? [], options)
  }

  /** Models with cells that have no result. */
  listUnasked(): string[] {
    return this.#run.models.filter((_, column) =>
      this.#caseIds.some((_id, row) => !this.#done.has(row * this.#models + column)),
    )
  }
}

/** Takes the run from its workers and marks it as cancelled. */
async function stopQueuedRun(runId: string, { storage, queue, clock }: Following['tools']): Promise<void> {
  // It may have ended just now.
  if (await queue!.withdraw(runId)) await storage.setRunStatus(runId, 'cancelled', { completedAt: clock.now() })
}

/** Undefined while workers work on it; `gone` if it was taken from them, or deleted. */
async function findEnd(runId: string, { storage, queue }: Following['tools']): Promise<RunResult | 'gone' | undefined> {
  // In this order: a run is marked as ended before it leaves the queue.
  const isQueued = (await queue!.listQueued()).some((run) => run.runId === runId)
  const header = await storage.loadRun(runId, { texts: false, suite: false, testCaseIds: [] })
  if (!header) return 'gone'
  if (header.status !== 'running') return header
  return isQueued ? undefined : 'gone'
}

/** Returns the status of the run when it has ended, or undefined if it is not with the workers any more. */
export async function followRun({ runId, index }: FollowedRun, following: Following): Promise<RunStatus | undefined> {
  const { tools, inbox, isDetached, isCancelled } = following
  // Before it is loaded: what changes from then on is in the inbox.
  inbox.watch(runId)
  const stored = await tools.storage.loadRun(runId, { texts: false })
  if (!stored) return undefined
  const follower = new RunFollower(stored, following)
  await follower.start(index)
  let hasMoved = true
  let reason: string | undefined
  for (;;) {
    if (isDetached()) return undefined
    if (isCancelled()) await stopQueuedRun(runId, tools)
    if (hasMoved || isCancelled()) {
      const end = await findEnd(runId, tools)
      if (end === 'gone') return undefined
      if (end) {
        await follower.reload(undefined, { isLast: true })
        return await finishFollowed(end, { following, unasked: follower.listUnasked() })
      }
      const before = reason
      reason = await tools.queue!.explainWaiting(runId)
      if (reason !== before) following.emit({ type: 'run-waiting', runId, reason })
    }
    const change = await inbox.take(LOOK_EVERY_MS)
    hasMoved = change === undefined || change.hasMoved === true
    if (change?.mayHaveMissed) await follower.reload()
    if (change) await follower.apply(change)
  }
}

async function finishFollowed(
  run: RunResult,
  { following, unasked }: { following: Following; unasked: string[] },
): Promise<RunStatus> {
  const { emit, tools } = following
  const { storage } = tools
  const { id: runId, seriesId, status = 'completed', stopReason } = run
  if (stopReason === 'budget') {
    const ids = seriesId === undefined ? [runId] : await storage.runsOfSeries(seriesId)
    const spent = sumDollars((await storage.listRuns({ ids })).map(({ cost }) => cost))
    emit({ type: 'budget-reached', spent, assumed: 0 })
  }
  if (stopReason === 'provider') {
    const named = unasked.length > 0 && unasked.length < run.models.length ? { models: unasked } : {}
    emit({ type: 'provider-refused', error: 'the provider rejects every request', ...named })
  }
  emit({ type: 'run-finished', runId, status })
  return status
}
