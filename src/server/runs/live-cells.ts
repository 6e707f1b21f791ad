import type { CellResult, Outcome, LiveCell, LiveState } from '../../contract/index.ts'
import { formatDuration } from '../../report/words/index.ts'
import type { RunEvent } from '../../services/index.ts'

const STATES: readonly LiveState[] = ['waiting', 'asking', 'streaming', 'scoring', 'scored', 'unscored', 'error']
const WAITING = 0
const FIRST_FINISHED = STATES.indexOf('scored')

const LONGEST_TAIL = 240
const LONGEST_MESSAGE = 300

type CellEvent = Extract<RunEvent, { cell: unknown }>

export interface CellGrid {
  caseIds: readonly string[]
  modelIds: readonly string[]
}

/** What is known of every cell of a run while it goes on, in columns: a hundred thousand of them take a megabyte. */
export class LiveCells {
  readonly #states: Uint8Array
  readonly #scores: Float64Array
  readonly #outcomes = new Map<number, Outcome>()
  readonly #messages = new Map<number, string>()
  /** Only of cells under way. */
  readonly #tails = new Map<number, string>()
  readonly #changed = new Set<number>()
  readonly #rows: Map<string, number>
  readonly #columns: Map<string, number>

  constructor({ caseIds, modelIds }: CellGrid) {
    this.#rows = new Map(caseIds.map((id, index) => [id, index]))
    this.#columns = new Map(modelIds.map((id, index) => [id, index]))
    this.#states = new Uint8Array(caseIds.length * modelIds.length)
    this.#scores = new Float64Array(this.#states.length)
  }

  get size(): number {
    return this.#states.length
  }

  #indexOf({ testCaseId, modelId }: { testCaseId: string; modelId: string }): number | undefined {
    const row = this.#rows.get(testCaseId)
    const column = this.#columns.get(modelId)
    return row === undefined || column === undefined ? undefined : row * this.#columns.size + column
  }

  #set(index: number, state: LiveState): void {
    this.#states[index] = STATES.indexOf(state)
    this.#changed.add(index)
  }

  #finish(index: number, state: 'scored' | 'unscored' | 'error', message: string | undefined): void {
    this.#tails.delete(index)
    this.#setMessage(index, message)
    this.#set(index, state)
  }

  #setMessage(index: number, message: string | undefined): void {
    if (message === undefined) this.#messages.delete(index)
    else this.#messages.set(index, message.slice(0, LONGEST_MESSAGE))
  }

  /** What a stored run has already. Cells that ended in error wait again when the run is about to be resumed. */
  restore(results: readonly CellResult[], { areErrorsOpen }: { areErrorsOpen: boolean }): void {
    for (const { testCaseId, modelId, score, unscored, outcome, error } of results) {
      const index = this.#indexOf({ testCaseId, modelId })
      if (index === undefined) continue
      if (outcome !== undefined && outcome !== 'ok') this.#outcomes.set(index, outcome)
      if (score) {
        this.#scores[index] = score.score
        this.#finish(index, 'scored', undefined)
      } else if (unscored) this.#finish(index, 'unscored', unscored.message)
      else if (error !== undefined && !areErrorsOpen) this.#finish(index, 'error', error)
    }
    this.#changed.clear()
  }

  /** Gives back whether the cell is finished by it. */
  apply(event: CellEvent): boolean {
    const index = this.#indexOf(event.cell)
    if (index === undefined) return false
    switch (event.type) {
      case 'cell-started':
        this.#set(index, 'asking')
        return false
      case 'tokens-arrived':
        this.#tails.set(index, lastPart((this.#tails.get(index) ?? '') + event.text, LONGEST_TAIL))
        this.#messages.delete(index)
        this.#set(index, 'streaming')
        return false
      case 'attempt-failed': {
        const wait = event.retryInMs === undefined ? '' : ` in ${formatDuration(event.retryInMs)}`
        this.#setMessage(index, `Asked again${wait}: ${event.reason}`)
        this.#tails.delete(index)
        // A judge that is asked again changes nothing about the answer.
        this.#set(index, STATES[this.#states[index]!] === 'scoring' ? 'scoring' : 'asking')
        return false
      }
      case 'answer-stored':
        if (event.answer.outcome !== 'ok') this.#outcomes.set(index, event.answer.outcome)
        this.#messages.delete(index)
        this.#tails.set(index, lastPart(event.answer.response, LONGEST_TAIL))
        this.#set(index, 'scoring')
        return false
      case 'cell-scored':
        if ('unscored' in event.score) this.#finish(index, 'unscored', event.score.unscored.message)
        else {
          this.#scores[index] = event.score.score
          this.#finish(index, 'scored', undefined)
        }
        return true
      case 'cell-failed':
        this.#outcomes.set(index, 'error')
        this.#finish(index, 'error', event.error)
        return true
    }
  }

  /** When the run has stopped, nothing is under way any more. */
  settle(): void {
    this.#tails.clear()
    this.#states.forEach((state, index) => {
      if (state === WAITING || state >= FIRST_FINISHED) return
      this.#messages.delete(index)
      this.#set(index, 'waiting')
    })
  }

  #describe(index: number, longestTail: number): LiveCell {
    const state = STATES[this.#states[index]!]!
    const outcome = this.#outcomes.get(index)
    const tail = this.#tails.get(index)
    const message = this.#messages.get(index)
    return {
      case: Math.floor(index / this.#columns.size),
      model: index % this.#columns.size,
      state,
      ...(state === 'scored' && { score: this.#scores[index]! }),
      ...(outcome !== undefined && { outcome }),
      ...(tail !== undefined && { tail: lastPart(tail, longestTail) }),
      ...(message !== undefined && { message: message.slice(0, messageFor(this.#messages.size)) }),
    }
  }

  /** At most so many of those that changed since the last time; the others stay for the next. */
  takeChanged(most: number): LiveCell[] {
    const indices: number[] = []
    for (const index of this.#changed) {
      if (indices.length >= most) break
      indices.push(index)
    }
    for (const index of indices) this.#changed.delete(index)
    return indices.map((index) => this.#describe(index, tailFor(this.#tails.size)))
  }

  hasChanged(): boolean {
    return this.#changed.size > 0
  }

  /** Those under way, and those finished: each as a cell, or all finished ones as one text when there are more than `most`. */
  list(most: number): { cells: LiveCell[]; finished?: string } {
    const underWay: number[] = []
    const finished: number[] = []
    this.#states.forEach((state, index) => {
      if (state >= FIRST_FINISHED) finished.push(index)
      else if (state !== WAITING) underWay.push(index)
    })
    const isCompact = finished.length > most
    const listed = isCompact ? underWay : [...finished, ...underWay].sort((a, b) => a - b)
    const cells = listed.map((index) => this.#describe(index, tailFor(underWay.length)))
    return isCompact ? { cells, finished: this.#writeFinished() } : { cells }
  }

  #writeFinished(): string {
    const marks = Array.from(this.#states, (state, index) => {
      if (state < FIRST_FINISHED) return '.'
      const name = STATES[state]
      return name === 'scored' ? '0123456789X'[Math.round(this.#scores[index]! * 10)]! : name === 'unscored' ? 'u' : 'e'
    })
    return marks.join('')
  }

  count(state: LiveState): number {
    const wanted = STATES.indexOf(state)
    return this.#states.reduce((sum, one) => (one === wanted ? sum + 1 : sum), 0)
  }
}

/** When many cells stream at once, each shows less: an update stays at some ten kilobytes. */
function tailFor(streaming: number): number {
  return Math.min(LONGEST_TAIL, Math.max(60, Math.floor(24_000 / Math.max(1, streaming))))
}

/** Likewise with what went wrong, when it went wrong for very many. */
function messageFor(count: number): number {
  return Math.min(LONGEST_MESSAGE, Math.max(40, Math.floor(120_000 / Math.max(1, count))))
}

/** Never half of a character. */
function lastPart(text: string, longest: number): string {
  const part = text.slice(-longest)
  return /^[\uDC00-\uDFFF]/.test(part) ? part.slice(1) : part
}
