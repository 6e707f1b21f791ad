import { ARENA_SUITE_ID, type LiveState } from '../../contract/index.ts'
import type { CellKey } from '../../contract/index.ts'
import { formatDuration } from '../../report/words/index.ts'
import { ARENA_CASE_ID, type RunEvent } from '../../services/index.ts'

/** Screens cut an answer here. */
export const LONGEST_RESPONSE = 300_000

/** Runs whose texts are kept: those under way, and the last ones, for readers that have not taken everything yet. */
const MOST_RUNS = 12

/** What is known of one page while its run goes on. */
export interface LivePanel {
  state: LiveState
  /** Empty for an answer that was there before: it is in the store. */
  response: string
  message?: string | undefined
  /** Counts changes of everything but the text. */
  version: number
  /** Counts answers that began anew. */
  attempt: number
}

export interface ArenaHub {
  /** The panels of a run by model; empty when nothing is known of it. */
  panelsOf(runId: string): ReadonlyMap<string, LivePanel>
  onEvent(event: RunEvent, suiteId: string): void
}

function cut(text: string): string {
  return text.length > LONGEST_RESPONSE ? text.slice(0, LONGEST_RESPONSE) : text
}

/** Puts the text in the place of what has arrived; begins anew when it is not its continuation. */
function takeText(panel: LivePanel, text: string): void {
  if (!text.startsWith(panel.response)) panel.attempt++
  panel.response = text
}

function apply(panel: LivePanel, event: Extract<RunEvent, { cell: CellKey }>): void {
  if (event.type === 'tokens-arrived') {
    panel.response = cut(panel.response + event.text)
    if (panel.state === 'streaming') return
    panel.state = 'streaming'
    panel.message = undefined
  } else if (event.type === 'cell-started') {
    takeText(panel, '')
    panel.state = 'asking'
    panel.message = undefined
  } else if (event.type === 'attempt-failed') {
    panel.message = `Asked again in ${formatDuration(event.retryInMs ?? 0)}: ${event.reason}`
    // A judge that is asked again changes nothing about the page.
    if (panel.state !== 'scoring') {
      takeText(panel, '')
      panel.state = 'asking'
    }
  } else if (event.type === 'answer-stored') {
    takeText(panel, cut(event.answer.response))
    panel.state = 'scoring'
    panel.message = undefined
  } else if (event.type === 'cell-failed') {
    panel.state = 'error'
    panel.message = event.error
  } else if ('unscored' in event.score) {
    panel.state = 'unscored'
    panel.message = event.score.unscored.message
  } else {
    panel.state = 'scored'
    panel.message = undefined
  }
  panel.version++
}

/** Listens to the engine and keeps the pages of Code Arena runs as they arrive. */
export function createArenaHub(): ArenaHub {
  const runs = new Map<string, Map<string, LivePanel>>()

  function panelOf({ runId, modelId }: CellKey): LivePanel {
    const panels = runs.get(runId) ?? new Map<string, LivePanel>()
    runs.set(runId, panels)
    for (const oldest of runs.keys()) {
      if (runs.size <= MOST_RUNS) break
      runs.delete(oldest)
    }
    const panel = panels.get(modelId) ?? { state: 'waiting', response: '', version: 0, attempt: 0 }
    panels.set(modelId, panel)
    return panel
  }

  return {
    panelsOf: (runId) => runs.get(runId) ?? new Map(),
    onEvent(event, suiteId) {
      if (suiteId !== ARENA_SUITE_ID) return
      // A run that goes on, or is judged anew, is told from its stored state and from what comes now.
      if (event.type === 'run-started') runs.delete(event.runId)
      else if (event.type === 'page-seen') {
        // Of an answer that was stored before, this is the first that is heard.
        const panel = panelOf(event.page)
        panel.state = 'scoring'
        panel.version++
      } else if ('cell' in event && event.cell.testCaseId === ARENA_CASE_ID) apply(panelOf(event.cell), event)
    },
  }
}
