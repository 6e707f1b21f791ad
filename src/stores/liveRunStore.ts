import type { LiveCell, LiveProgress, LiveSnapshot, LiveUpdate } from '../contract/index.ts'
import { rankStandings, readFinished, type LiveStanding, type ShownCell } from './live-standings.ts'

/** What stays the same while a run goes on. */
export type LiveRunFacts = Pick<
  LiveSnapshot,
  'runId' | 'seriesId' | 'runNumber' | 'runsPlanned' | 'suiteName' | 'models' | 'cases' | 'casesLeftOut'
>

/** Which rows are shown: all, those being worked on, those with a cell that has no score. */
export type LiveFilter = 'all' | 'going' | 'missing'

/**
 * A run as it goes on, outside React: hundreds of cells stream at once, so each screen part listens only to what it shows. What
 * arrives is kept at once; listeners are called once a beat of `schedule`, so that a hidden tab piles up nothing.
 */
export interface LiveRunStore {
  receiveSnapshot(snapshot: LiveSnapshot): void
  /** An update of another run is left out: a series has gone on. */
  receiveUpdate(update: LiveUpdate): void
  receiveEnd(): void
  getFacts(): LiveRunFacts | undefined
  getProgress(): LiveProgress | undefined
  /** No more will come. */
  hasEnded(): boolean
  getCell(caseIndex: number, modelIndex: number): ShownCell | undefined
  /** Best first; made anew only after something changed. */
  getStandings(): LiveStanding[]
  findRows(filter: LiveFilter, search?: string): number[]
  /** Counts what arrived. */
  getVersion(): number
  subscribe(listener: () => void): () => void
  subscribeCell(caseIndex: number, modelIndex: number, listener: () => void): () => void
}

const going: ReadonlySet<string> = new Set(['asking', 'streaming', 'scoring'])
const missing: ReadonlySet<string> = new Set(['unscored', 'error'])

export function createLiveRunStore(schedule: (notify: () => void) => void): LiveRunStore {
  let facts: LiveRunFacts | undefined
  let progress: LiveProgress | undefined
  let ended = false
  let version = 0
  let allRows: number[] = []
  let cells: (ShownCell | undefined)[] = []
  let standings: { version: number; list: LiveStanding[] } = { version: -1, list: [] }

  const listeners = new Set<() => void>()
  const cellListeners = new Map<number, Set<() => void>>()
  const changed = new Set<number>()
  let isEverythingChanged = false
  let isScheduled = false

  const indexOf = (caseIndex: number, modelIndex: number) => caseIndex * (facts?.models.length ?? 0) + modelIndex

  const notify = () => {
    isScheduled = false
    const indexes = isEverythingChanged ? [...cellListeners.keys()] : [...changed]
    changed.clear()
    isEverythingChanged = false
    for (const index of indexes) for (const listener of cellListeners.get(index) ?? []) listener()
    for (const listener of listeners) listener()
  }
  const arrive = () => {
    version++
    if (isScheduled) return
    isScheduled = true
    schedule(notify)
  }
  const keep = (cell: LiveCell) => {
    if (!facts || cell.case >= facts.cases.length || cell.model >= facts.models.length) return
    const index = indexOf(cell.case, cell.model)
    cells[index] = cell
    changed.add(index)
  }

  return {
    receiveSnapshot: (snapshot) => {
      const { cells: told, finished = '', progress: now, ...others } = snapshot
      facts = others
      progress = now
      ended = false
      allRows = others.cases.map((_, row) => row)
      cells = readFinished(finished, others)
      for (const cell of told) keep(cell)
      isEverythingChanged = true
      arrive()
    },
    receiveUpdate: (update) => {
      if (update.runId !== facts?.runId) return
      progress = update.progress
      for (const cell of update.cells) keep(cell)
      arrive()
    },
    receiveEnd: () => {
      ended = true
      arrive()
    },
    getFacts: () => facts,
    getProgress: () => progress,
    hasEnded: () => ended,
    getCell: (caseIndex, modelIndex) => cells[indexOf(caseIndex, modelIndex)],
    getStandings: () => {
      if (standings.version !== version) standings = { version, list: facts ? rankStandings(facts, cells) : [] }
      return standings.list
    },
    findRows: (filter, search = '') => {
      const words = search.trim().toLowerCase()
      if (filter === 'all' && words === '') return allRows
      const rows: number[] = []
      const wanted = filter === 'going' ? going : missing
      facts?.cases.forEach(({ id, title }, row) => {
        if (words !== '' && !id.toLowerCase().includes(words) && !title.toLowerCase().includes(words)) return
        if (
          filter !== 'all' &&
          !facts!.models.some((_, column) => wanted.has(cells[indexOf(row, column)]?.state ?? 'waiting'))
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
      const known = cellListeners.get(index) ?? new Set()
      cellListeners.set(index, known.add(listener))
      return () => {
        known.delete(listener)
        if (known.size === 0) cellListeners.delete(index)
      }
    },
  }
}
