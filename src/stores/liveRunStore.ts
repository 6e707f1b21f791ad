import type { ArenaFacts, LiveCell, LiveProgress, LiveSnapshot, LiveUpdate } from '../contract/index.ts'

/** What stays the same throughout a run. */
export type LiveRunFacts = Pick<
  LiveSnapshot,
  'runId' | 'seriesId' | 'runNumber' | 'runsPlanned' | 'kind' | 'suiteName' | 'models' | 'caseIds' | 'arena'
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
  /** Undefined until it changes: what finished before is in the results. */
  getCell(caseId: string, modelId: string): LiveCell | undefined
  subscribe(listener: () => void): () => void
  subscribeCell(caseId: string, modelId: string, listener: () => void): () => void
}

export function createLiveRunStore(schedule: (notify: () => void) => void): LiveRunStore {
  let facts: LiveRunFacts | undefined
  let progress: LiveProgress | undefined
  let pages: readonly ShownPage[] = []
  let ended = false
  let cells = new Map<string, LiveCell>()

  const listeners = new Set<() => void>()
  const cellListeners = new Map<string, Set<() => void>>()
  const changed = new Set<string>()
  let haveAllChanged = false
  let isScheduled = false

  const keyOf = (caseId: string, modelId: string) => JSON.stringify([caseId, modelId])

  const notify = () => {
    isScheduled = false
    const keys = haveAllChanged ? [...cellListeners.keys()] : [...changed]
    changed.clear()
    haveAllChanged = false
    for (const key of keys) for (const listener of cellListeners.get(key) ?? []) listener()
    for (const listener of listeners) listener()
  }
  const markChanged = () => {
    if (isScheduled) return
    isScheduled = true
    schedule(notify)
  }
  const storeCell = (cell: LiveCell) => {
    const [caseId, modelId] = [facts?.caseIds[cell.case], facts?.models[cell.model]]
    if (caseId === undefined || modelId === undefined) return
    const key = keyOf(caseId, modelId)
    cells.set(key, cell)
    changed.add(key)
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
      const { cells: changedCells, progress: currentProgress, ...others } = snapshot
      facts = others
      progress = currentProgress
      ended = false
      cells = new Map()
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
    getCell: (caseId, modelId) => cells.get(keyOf(caseId, modelId)),
    subscribe: (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    subscribeCell: (caseId, modelId, listener) => {
      const key = keyOf(caseId, modelId)
      const listenersOfCell = cellListeners.get(key) ?? new Set()
      cellListeners.set(key, listenersOfCell.add(listener))
      return () => {
        listenersOfCell.delete(listener)
        if (listenersOfCell.size === 0) cellListeners.delete(key)
      }
    },
  }
}
