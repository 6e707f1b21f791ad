import type { ArenaFacts, CellState, LiveCell, LiveProgress, LiveSnapshot, LiveUpdate } from '../contract/index.ts'
import { rankStandings, readFinished, type LiveStanding, type ShownCell } from './live-standings.ts'

/** What stays the same throughout a run. */
export type LiveRunFacts = Pick<
  LiveSnapshot,
  | 'runId'
  | 'seriesId'
  | 'runNumber'
  | 'runsPlanned'
  | 'kind'
  | 'suiteName'
  | 'models'
  | 'cases'
  | 'casesLeftOut'
  | 'arena'
>

/** A cell of a Code Arena run, with the text that has arrived. */
export interface ShownPage extends Omit<LiveCell, 'text'> {
  modelId: string
  response: string
}

/** A Code Arena run as its screen shows it. */
export interface ArenaRun extends ArenaFacts, LiveProgress {
  runId: string
  seriesId: string | undefined
  pages: readonly ShownPage[]
}

/** True if no more text of this answer will arrive. */
export function isAnswerComplete({ step, response }: Pick<ShownPage, 'step' | 'response'>): boolean {
  return response !== '' && step !== 'sent' && step !== 'streaming'
}

/** Which rows to show: all, those with a cell in progress, or those with a cell that failed or is unscored. */
export type LiveFilter = 'all' | 'going' | 'missing'

/**
 * A live run, outside React: hundreds of cells stream at once, so each component listens only to what it shows.
 * Updates are stored at once, but listeners are called only when `schedule` fires, so that little work is done in a
 * hidden tab.
 */
export interface LiveRunStore {
  receiveSnapshot(snapshot: LiveSnapshot): void
  /** Ignores updates for another run: the series may have moved on. False if text of a page before it is missing. */
  receiveUpdate(update: LiveUpdate): boolean
  receiveEnd(): void
  getFacts(): LiveRunFacts | undefined
  getProgress(): LiveProgress | undefined
  /** Of a Code Arena run: the pages of its models, in their order. */
  getPages(): readonly ShownPage[]
  /** No more updates will arrive. */
  hasEnded(): boolean
  getCell(caseIndex: number, modelIndex: number): ShownCell | undefined
  /** Best first; recomputed only after something changed. */
  getStandings(): LiveStanding[]
  findRows(filter: LiveFilter, search?: string): number[]
  /** Increases with every change. */
  getVersion(): number
  subscribe(listener: () => void): () => void
  subscribeCell(caseIndex: number, modelIndex: number, listener: () => void): () => void
}

const inProgress: ReadonlySet<CellState> = new Set(['running'])
const missing: ReadonlySet<CellState> = new Set(['unscored', 'error'])

export function createLiveRunStore(schedule: (notify: () => void) => void): LiveRunStore {
  let facts: LiveRunFacts | undefined
  let progress: LiveProgress | undefined
  let pages: readonly ShownPage[] = []
  let ended = false
  let version = 0
  let allRows: number[] = []
  let cells: (ShownCell | undefined)[] = []
  let standings: { version: number; list: LiveStanding[] } = { version: -1, list: [] }

  const listeners = new Set<() => void>()
  const cellListeners = new Map<number, Set<() => void>>()
  const changed = new Set<number>()
  let haveAllChanged = false
  let isScheduled = false

  const indexOf = (caseIndex: number, modelIndex: number) => caseIndex * (facts?.models.length ?? 0) + modelIndex

  const notify = () => {
    isScheduled = false
    const indexes = haveAllChanged ? [...cellListeners.keys()] : [...changed]
    changed.clear()
    haveAllChanged = false
    for (const index of indexes) for (const listener of cellListeners.get(index) ?? []) listener()
    for (const listener of listeners) listener()
  }
  const markChanged = () => {
    version++
    if (isScheduled) return
    isScheduled = true
    schedule(notify)
  }
  const storeCell = (cell: LiveCell) => {
    if (!facts || cell.case >= facts.cases.length || cell.model >= facts.models.length) return
    const index = indexOf(cell.case, cell.model)
    cells[index] = cell
    changed.add(index)
  }
  /** Text starts at its offset: over for a retried answer, and repeated parts do no harm. */
  const storePage = ({ text, ...cell }: LiveCell): boolean => {
    const before = pages[cell.model]?.response ?? ''
    const isComplete = text === undefined || text.offset <= before.length
    const response = text && isComplete ? before.slice(0, text.offset) + text.text : before
    pages = pages.with(cell.model, { ...cell, modelId: facts!.models[cell.model]!, response })
    return isComplete
  }

  return {
    receiveSnapshot: (snapshot) => {
      const { cells: changedCells, finished = '', progress: currentProgress, ...others } = snapshot
      facts = others
      progress = currentProgress
      ended = false
      allRows = others.cases.map((_, row) => row)
      cells = readFinished(finished, others)
      for (const cell of changedCells) storeCell(cell)
      pages = others.arena
        ? others.models.map((modelId, model) => ({ case: 0, model, modelId, state: 'pending', response: '' }))
        : []
      if (others.arena) changedCells.forEach(storePage)
      haveAllChanged = true
      markChanged()
    },
    receiveUpdate: (update) => {
      if (update.runId !== facts?.runId) return true
      progress = update.progress
      for (const cell of update.cells) storeCell(cell)
      markChanged()
      return !facts.arena || update.cells.map(storePage).every(Boolean)
    },
    receiveEnd: () => {
      ended = true
      markChanged()
    },
    getFacts: () => facts,
    getProgress: () => progress,
    getPages: () => pages,
    hasEnded: () => ended,
    getCell: (caseIndex, modelIndex) => cells[indexOf(caseIndex, modelIndex)],
    getStandings: () => {
      const dropped = progress?.deciding?.dropped.map(({ modelId }) => modelId)
      if (standings.version !== version)
        standings = { version, list: facts ? rankStandings(facts, cells, dropped) : [] }
      return standings.list
    },
    findRows: (filter, search = '') => {
      const text = search.trim().toLowerCase()
      if (filter === 'all' && text === '') return allRows
      const rows: number[] = []
      const states = filter === 'going' ? inProgress : missing
      facts?.cases.forEach(({ id, title }, row) => {
        if (text !== '' && !id.toLowerCase().includes(text) && !title.toLowerCase().includes(text)) return
        if (
          filter !== 'all' &&
          !facts!.models.some((_, column) => states.has(cells[indexOf(row, column)]?.state ?? 'pending'))
        )
          return
        rows.push(row)
      })
      return rows
    },
    getVersion: () => version,
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    subscribeCell: (caseIndex, modelIndex, listener) => {
      const index = indexOf(caseIndex, modelIndex)
      const listenersOfCell = cellListeners.get(index) ?? new Set()
      cellListeners.set(index, listenersOfCell.add(listener))
      return () => {
        listenersOfCell.delete(listener)
        if (listenersOfCell.size === 0) cellListeners.delete(index)
      }
    },
  }
}
