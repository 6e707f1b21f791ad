import {
  isCostUnknown,
  toDollars,
  toMoney,
  type AttemptEnd,
  type Money,
  type RunResult,
  type RunOwner,
  runStateOf,
  type RunState,
  type StopReason,
  type RunKind,
  type Suite,
  type LiveCell,
  type LiveProgress,
  type LiveSnapshot,
  type LiveUpdate,
} from '../../contract/index.ts'
import {
  describeBatches,
  describeDelay,
  describeSpending,
  explainStop,
  type SeenBatch,
} from '../../report/words/index.ts'
import { makeLiveDeciding } from '../../report/model/verdict/live-deciding.ts'
import type { RunEvent } from '../../services/index.ts'
import type { ModelDecisions } from '../../statistics/index.ts'
import { LiveCells, type LiveAnswer } from './live-cells.ts'
import { ProgressRate } from './progress-rate.ts'

/** This many cells fit into one message of a few hundred kilobytes. */
export const MAX_CELLS_PER_MESSAGE = 3000

const MAX_MESSAGE_BYTES = 950_000

/** The rest is for the cells in progress. */
const MAX_ID_BYTES = 700_000

/** Drops the cells' texts if the message is too large: states and scores matter more. */
function fit<Message extends { cells: LiveCell[] }>(message: Message): Message {
  const isSmall = message.cells.length < 200
  if (isSmall || Buffer.byteLength(JSON.stringify(message)) <= MAX_MESSAGE_BYTES) return message
  return { ...message, cells: message.cells.map(({ tail: _tail, message: _message, ...cell }) => cell) }
}

/** As many of the first ids as keep a snapshot under a megabyte; measured as JSON, which escapes some characters. */
function listCaseIds({ testCases }: Suite): string[] {
  let room = MAX_ID_BYTES
  const end = testCases.findIndex(({ id }) => (room -= Buffer.byteLength(JSON.stringify(id)) + 1) < 0)
  return testCases.slice(0, end < 0 ? testCases.length : end).map(({ id }) => id)
}

export interface SeriesCounts {
  /** Finished cells. */
  done: number
  spent: Money
  unknownCosts: number
}

export function sumCounts(counts: Iterable<SeriesCounts>): SeriesCounts {
  const sum: SeriesCounts = { done: 0, spent: 0n, unknownCosts: 0 }
  for (const { done, spent, unknownCosts } of counts) {
    sum.done += done
    sum.spent += spent
    sum.unknownCosts += unknownCosts
  }
  return sum
}

export interface LiveRunOptions {
  runId: string
  seriesId?: string | undefined
  runNumber: number
  runsPlanned: number
  kind: RunKind
  suite: Suite
  /** With their variants. */
  models: string[]
  startedAt: number
  /** What all runs of the series may spend together. */
  budget?: number | undefined
  /** What the other runs of its series have done and cost. */
  countOthers?: () => SeriesCounts
  /** Shared by the runs of a series, so that the time left is known when the next one starts. */
  rate?: ProgressRate
  now: () => number
}

/** One run in progress: follows the engine's events and can say at any time what a screen should show. */
export class LiveRun {
  readonly #options: LiveRunOptions
  readonly #cells: LiveCells
  readonly #rate: ProgressRate
  #state: RunState = 'running'
  #counts = { scored: 0, unscored: 0, errors: 0 }
  #retries = 0
  #spent: Money = 0n
  #unknownCosts = 0
  #stopped: string | undefined
  #waiting: string | undefined
  /** By id, those that have not ended. */
  #batches = new Map<string, SeenBatch>()
  /** Another live process. */
  workedOnBy: RunOwner | undefined
  #stopReason: StopReason | undefined
  #decisions: ModelDecisions | undefined
  #hasChanged = false
  #total: number

  constructor(options: LiveRunOptions) {
    this.#options = options
    this.#cells = new LiveCells({ suite: options.suite, modelIds: options.models, kind: options.kind })
    this.#rate = options.rate ?? new ProgressRate(options.now())
    this.#total = this.#cells.size
  }

  get runId(): string {
    return this.#options.runId
  }

  get models(): readonly string[] {
    return this.#options.models
  }

  get seriesId(): string | undefined {
    return this.#options.seriesId
  }

  /** Starts from a stored run. */
  restore(run: RunResult, { areErrorsOpen }: { areErrorsOpen: boolean }): void {
    this.#cells.restore(run.results, { areErrorsOpen })
    this.#counts = {
      scored: this.#cells.count('scored'),
      unscored: this.#cells.count('unscored'),
      errors: this.#cells.count('error'),
    }
  }

  /** For a rescore: only answered cells count, and none is done yet. */
  expect(cells: number): void {
    this.#total = cells
  }

  #countAttempt(end: AttemptEnd): void {
    this.#spent += toMoney(end.cost ?? 0)
    if (isCostUnknown(end) && end.outcome !== 'cancelled') this.#unknownCosts++
  }

  countCost(spent: Money, unknownCosts: number): void {
    this.#spent += spent
    this.#unknownCosts += unknownCosts
  }

  countRetries(retries: number): void {
    this.#retries += retries
  }

  onEvent(event: RunEvent): void {
    this.#hasChanged = true
    if ('cell' in event) {
      if (event.type === 'attempt-failed') this.#retries++
      if (this.#cells.apply(event)) this.#countFinished(event)
    } else if (event.type === 'attempt-ended') this.#countAttempt(event.end)
    else if (event.type === 'batch-looked-at') this.#seeBatch(event)
    else if (event.type === 'batch-delayed') this.#waiting = describeDelay(event)
    else if (event.type === 'run-waiting') this.#waiting = event.reason
    else if (event.type === 'cases-counted') this.follow(event.decisions)
    else if (event.type === 'budget-reached') this.stopFor('budget', describeSpending(event))
    else if (event.type === 'provider-refused') this.stopFor('provider', event.error, event.models)
    else if (event.type === 'run-finished')
      this.finish(runStateOf(event.status, { isHeld: event.status === 'running' }))
  }

  #seeBatch(batch: SeenBatch): void {
    if (batch.isEnded) this.#batches.delete(batch.id)
    else this.#batches.set(batch.id, batch)
    this.#waiting = this.#batches.size > 0 ? describeBatches(this.#batches.values()) : undefined
  }

  #countFinished(event: RunEvent): void {
    if (event.type === 'cell-failed') this.#counts.errors++
    else if (event.type === 'cell-scored') this.#counts['unscored' in event.score ? 'unscored' : 'scored']++
    this.#rate.add(this.#options.now())
  }

  /** For a run that decides. */
  follow(decisions: ModelDecisions): void {
    this.#decisions = decisions
  }

  /** The run stops, or has stopped, for this reason. `detail` is known only while it runs. */
  stopFor(reason: StopReason, detail?: string, refusedModels?: readonly string[]): void {
    this.#stopReason = reason
    const end = { state: 'stopped' as const, stopReason: reason, maxCost: this.#options.budget, refusedModels }
    this.#stopped = explainStop(end, detail)?.sentence
  }

  finish(state: RunState, detail?: string): void {
    this.#hasChanged = true
    this.#state = state
    this.#stopped ??= explainStop({ state }, detail)?.sentence
    this.#cells.settle()
  }

  get done(): number {
    const { scored, unscored, errors } = this.#counts
    return scored + unscored + errors
  }

  get counts(): SeriesCounts {
    return { done: this.done, spent: this.#spent, unknownCosts: this.#unknownCosts }
  }

  progress(): LiveProgress {
    const { startedAt, runsPlanned, countOthers, budget, now } = this.#options
    const done = this.done
    const others = countOthers?.() ?? sumCounts([])
    const series = runsPlanned > 1 ? { done: others.done + done, total: runsPlanned * this.#total } : undefined
    const left = series ? series.total - series.done : this.#total - done
    const rate = this.#rate.read(now())
    const hasEta = this.#state === 'running' && rate > 0 && left > 0
    return {
      state: this.#waiting !== undefined && this.#state === 'running' ? 'waiting' : this.#state,
      done,
      total: this.#total,
      ...this.#counts,
      retries: this.#retries,
      cost: toDollars(others.spent + this.#spent),
      ...(this.#waiting !== undefined && this.#state === 'running' && { waiting: this.#waiting }),
      unknownCosts: others.unknownCosts + this.#unknownCosts,
      rate,
      ...(hasEta && { etaMs: Math.round((left / rate) * 1000) }),
      startedAt,
      ...(series && { series }),
      ...(budget !== undefined && { budget }),
      ...(this.#decisions && {
        deciding: makeLiveDeciding(this.#decisions, this.#options.suite.testCases.length),
      }),
      ...(this.#stopped !== undefined && { stopped: this.#stopped }),
      ...(this.workedOnBy && { workedOnBy: this.workedOnBy }),
      ...(this.#stopReason === 'budget' && budget !== undefined && { usedUpBudget: budget }),
    }
  }

  snapshot(): LiveSnapshot {
    const { runId, seriesId, runNumber, runsPlanned, kind, suite, models } = this.#options
    const caseIds = listCaseIds(suite)
    return fit({
      runId,
      ...(seriesId !== undefined && { seriesId }),
      runNumber,
      runsPlanned,
      kind,
      suiteName: suite.name.slice(0, 200),
      models,
      caseIds,
      cells: this.#cells.listRunning().filter((cell) => cell.case < caseIds.length),
      progress: this.progress(),
    })
  }

  /** Of a Code Arena run: one model's page as it is now. */
  readPage(model: number): LiveAnswer {
    return this.#cells.readPage(model)
  }

  /** What changed since the last call; undefined if nothing did. */
  takeUpdate(): LiveUpdate | undefined {
    if (!this.#hasChanged && !this.#cells.hasChanged()) return undefined
    this.#hasChanged = false
    return fit({ runId: this.runId, cells: this.#cells.takeChanged(MAX_CELLS_PER_MESSAGE), progress: this.progress() })
  }
}
