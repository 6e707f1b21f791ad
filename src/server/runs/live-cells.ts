import {
  awaitsGrade,
  hasPassed,
  readPassMarks,
  type CellEvent as ConversationEvent,
  type CellResult,
  type LiveCell,
  type Outcome,
  type PassMark,
  type RunKind,
  type ScoringResult,
  type Suite,
} from '../../contract/index.ts'
import { formatDuration } from '../../report/words/index.ts'
import type { RunEvent } from '../../services/index.ts'

/** The states of a cell in the order in which it goes through them; those of a running one are its steps. */
const STATES = ['pending', 'skipped', 'sent', 'streaming', 'scoring', 'scored', 'unscored', 'error'] as const
type State = (typeof STATES)[number]
const FIRST_RUNNING = STATES.indexOf('sent')
const FIRST_FINISHED = STATES.indexOf('scored')

const MAX_TAIL_LENGTH = 240
/** Screens show no more of a page than this. */
export const MAX_PAGE_LENGTH = 300_000
const MAX_MESSAGE_LENGTH = 300

type CellEvent = Extract<RunEvent, { cell: unknown }>

export interface CellGrid {
  suite: Pick<Suite, 'testCases' | 'passAt'>
  modelIds: readonly string[]
  /** Pages are shown while they are written, so their whole texts are kept; of other answers only the end is. */
  kind: RunKind
}

/** One cell now, with as much of its text as is kept. */
export interface LiveAnswer {
  cell: LiveCell
  text: string
  /** How often the text has started over. */
  restarts: number
}

/** The conversation so far, as one reads it; what the agent says has arrived already while it streamed. */
function continueTranscript(text: string, event: ConversationEvent): string {
  const start = text === '' || text.endsWith('\n') ? text : `${text}\n`
  switch (event.kind) {
    case 'said':
      return event.text === '' || text.endsWith(event.text) ? start : `${start}${event.text}\n`
    case 'called':
      return `${start}→ ${event.name}(${event.argumentsText ?? JSON.stringify(event.arguments)})\n`
    case 'replied':
      return `${start}← ${typeof event.reply === 'string' ? event.reply : JSON.stringify(event.reply)}\n`
    case 'started':
    case 'asked':
    case 'ended':
      return start
  }
}

/** The state of every cell of a run in progress, stored in columns: a hundred thousand cells take a megabyte. */
export class LiveCells {
  readonly #states: Uint8Array
  readonly #scores: Float64Array
  /** 1 for scores that passed. */
  readonly #passed: Uint8Array
  readonly #markOf: (testCaseId: string) => PassMark
  readonly #outcomes = new Map<number, Outcome>()
  readonly #messages = new Map<number, string>()
  /** Only for cells in progress, except for pages: a reader may not have all of one when it is scored. */
  readonly #texts = new Map<number, string>()
  readonly #restarts = new Map<number, number>()
  readonly #isOfPages: boolean
  readonly #changed = new Set<number>()
  readonly #rows: Map<string, number>
  readonly #columns: Map<string, number>

  constructor({ suite, modelIds, kind }: CellGrid) {
    this.#isOfPages = kind === 'page'
    this.#rows = new Map(suite.testCases.map(({ id }, index) => [id, index]))
    this.#markOf = readPassMarks(suite)
    this.#columns = new Map(modelIds.map((id, index) => [id, index]))
    this.#states = new Uint8Array(suite.testCases.length * modelIds.length)
    this.#scores = new Float64Array(this.#states.length)
    this.#passed = new Uint8Array(this.#states.length)
  }

  get size(): number {
    return this.#states.length
  }

  #indexOf({ testCaseId, modelId }: { testCaseId: string; modelId: string }): number | undefined {
    const row = this.#rows.get(testCaseId)
    const column = this.#columns.get(modelId)
    return row === undefined || column === undefined ? undefined : row * this.#columns.size + column
  }

  #set(index: number, state: State): void {
    this.#states[index] = STATES.indexOf(state)
    this.#changed.add(index)
  }

  #keep(index: number, text: string): void {
    if (text === '') this.#texts.delete(index)
    else if (!this.#isOfPages) this.#texts.set(index, lastPart(text, MAX_TAIL_LENGTH))
    else this.#texts.set(index, text.length > MAX_PAGE_LENGTH ? text.slice(0, MAX_PAGE_LENGTH) : text)
  }

  /** A text that does not continue what has arrived starts over. */
  #replaceText(index: number, text: string): void {
    if (this.#isOfPages && !text.startsWith(this.#texts.get(index) ?? ''))
      this.#restarts.set(index, (this.#restarts.get(index) ?? 0) + 1)
    this.#keep(index, text)
  }

  #finish(index: number, state: 'scored' | 'unscored' | 'error', message: string | undefined): void {
    if (!this.#isOfPages) this.#texts.delete(index)
    this.#setMessage(index, message)
    this.#set(index, state)
  }

  #setScore(index: number, testCaseId: string, score: ScoringResult): void {
    this.#scores[index] = score.score
    this.#passed[index] = hasPassed(score, this.#markOf(testCaseId)) ? 1 : 0
    this.#finish(index, 'scored', undefined)
  }

  #setMessage(index: number, message: string | undefined): void {
    if (message === undefined) this.#messages.delete(index)
    else this.#messages.set(index, message.slice(0, MAX_MESSAGE_LENGTH))
  }

  /** Loads the results of a stored run. Failed cells are pending again if the run is about to be resumed. */
  restore(results: readonly CellResult[], { areErrorsOpen }: { areErrorsOpen: boolean }): void {
    for (const { testCaseId, modelId, score, unscored, outcome, error } of results) {
      const index = this.#indexOf({ testCaseId, modelId })
      if (index === undefined) continue
      if (outcome !== undefined && outcome !== 'ok') this.#outcomes.set(index, outcome)
      if (score) this.#setScore(index, testCaseId, score)
      else if (unscored) {
        if (!areErrorsOpen || !awaitsGrade({ unscored })) this.#finish(index, 'unscored', unscored.message)
      } else if (error !== undefined && !areErrorsOpen) this.#finish(index, 'error', error)
    }
    this.#changed.clear()
  }

  /** Returns true if the event finished the cell. */
  apply(event: CellEvent): boolean {
    const index = this.#indexOf(event.cell)
    if (index === undefined) return false
    switch (event.type) {
      case 'cell-started':
        this.#replaceText(index, '')
        this.#messages.delete(index)
        this.#set(index, 'sent')
        return false
      case 'tokens-arrived':
        this.#keep(index, (this.#texts.get(index) ?? '') + event.text)
        this.#messages.delete(index)
        this.#set(index, 'streaming')
        return false
      case 'attempt-failed': {
        const wait = event.retryInMs === undefined ? '' : ` in ${formatDuration(event.retryInMs)}`
        this.#setMessage(index, `Retrying${wait}: ${event.reason}`)
        // A retry of a judge changes nothing about the answer.
        if (STATES[this.#states[index]!] === 'scoring') this.#set(index, 'scoring')
        else {
          this.#replaceText(index, '')
          this.#set(index, 'sent')
        }
        return false
      }
      case 'answer-stored':
        if (event.answer.outcome !== 'ok') this.#outcomes.set(index, event.answer.outcome)
        this.#messages.delete(index)
        this.#replaceText(index, event.answer.response)
        this.#set(index, 'scoring')
        return false
      case 'conversation-went-on':
        this.#keep(index, continueTranscript(this.#texts.get(index) ?? '', event.event))
        this.#messages.delete(index)
        this.#set(index, 'streaming')
        return false
      case 'page-seen':
        // For an answer that was already stored, this is the first event.
        this.#set(index, 'scoring')
        return false
      case 'cell-scored':
        if ('unscored' in event.score) this.#finish(index, 'unscored', event.score.unscored.message)
        else this.#setScore(index, event.cell.testCaseId, event.score)
        return true
      case 'cell-failed':
        this.#outcomes.set(index, 'error')
        this.#finish(index, 'error', event.error)
        return true
    }
  }

  /** After the run has stopped, nothing is in progress. */
  settle(): void {
    this.#texts.clear()
    this.#states.forEach((state, index) => {
      if (state < FIRST_RUNNING || state >= FIRST_FINISHED) return
      this.#messages.delete(index)
      this.#set(index, 'skipped')
    })
  }

  #describe(index: number, maxTailLength: number): LiveCell {
    const state = STATES[this.#states[index]!]!
    const outcome = this.#outcomes.get(index)
    const isRunning = state === 'sent' || state === 'streaming' || state === 'scoring'
    const tail = isRunning ? this.#texts.get(index) : undefined
    const message = this.#messages.get(index)
    return {
      case: Math.floor(index / this.#columns.size),
      model: index % this.#columns.size,
      ...(isRunning ? { state: 'running', step: state } : { state }),
      ...(state === 'scored' && { score: this.#scores[index]! }),
      ...(state === 'scored' && this.#passed[index] === 1 && { hasPassed: true }),
      ...(outcome !== undefined && { outcome }),
      ...(tail !== undefined && { tail: lastPart(tail, maxTailLength) }),
      ...(message !== undefined && { message: message.slice(0, messageFor(this.#messages.size)) }),
    }
  }

  /** The answer of a model to the first case: a run of pages has no other. */
  readPage(model: number): LiveAnswer {
    return {
      cell: this.#describe(model, MAX_TAIL_LENGTH),
      text: this.#texts.get(model) ?? '',
      restarts: this.#restarts.get(model) ?? 0,
    }
  }

  /** Takes at most `max` of the cells changed since the last call; the others stay for the next. */
  takeChanged(max: number): LiveCell[] {
    const indices: number[] = []
    for (const index of this.#changed) {
      if (indices.length >= max) break
      indices.push(index)
    }
    for (const index of indices) this.#changed.delete(index)
    return indices.map((index) => this.#describe(index, tailFor(this.#texts.size)))
  }

  hasChanged(): boolean {
    return this.#changed.size > 0
  }

  /** The cells in progress: those that are finished are in the results. */
  listRunning(): LiveCell[] {
    const running: number[] = []
    this.#states.forEach((state, index) => {
      if (state >= FIRST_RUNNING && state < FIRST_FINISHED) running.push(index)
    })
    return running.map((index) => this.#describe(index, tailFor(running.length)))
  }

  count(state: State): number {
    const code = STATES.indexOf(state)
    return this.#states.reduce((sum, other) => (other === code ? sum + 1 : sum), 0)
  }
}

/** The more cells stream at once, the less each shows: an update stays at tens of kilobytes. */
function tailFor(streaming: number): number {
  return Math.min(MAX_TAIL_LENGTH, Math.max(60, Math.floor(24_000 / Math.max(1, streaming))))
}

/** Likewise for error messages. */
function messageFor(count: number): number {
  return Math.min(MAX_MESSAGE_LENGTH, Math.max(40, Math.floor(120_000 / Math.max(1, count))))
}

/** Never starts in the middle of a surrogate pair. */
function lastPart(text: string, maxLength: number): string {
  const part = text.slice(-maxLength)
  return /^[\uDC00-\uDFFF]/.test(part) ? part.slice(1) : part
}
