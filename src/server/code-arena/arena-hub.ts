import type { CellKey, CellState, CellStep, RunKind } from '../../contract/index.ts'
import { formatDuration } from '../../report/words/index.ts'
import { ARENA_CASE_ID, type RunEvent } from '../../services/index.ts'
import type { RunManager } from '../runs/run-manager.ts'

/** Screens show no more of an answer than this. */
export const MAX_RESPONSE_LENGTH = 300_000

/** Runs whose texts are kept: those in progress, and the latest ones for readers that have not received everything. */
const MAX_RUNS = 12

/** The state of one page during its run. */
export interface LivePanel {
  state: CellState
  step?: CellStep | undefined
  /** Empty for an earlier answer, which is in the store. */
  response: string
  message?: string | undefined
  /** Counts changes to everything except the text. */
  version: number
  /** Counts how many times the answer has restarted. */
  attempt: number
}

export interface ArenaHub {
  /** The panels of a run by model; empty if the run is unknown. */
  panelsOf(runId: string): ReadonlyMap<string, LivePanel>
  onEvent(event: RunEvent, kind: RunKind): void
}

function truncate(text: string): string {
  return text.length > MAX_RESPONSE_LENGTH ? text.slice(0, MAX_RESPONSE_LENGTH) : text
}

/** Replaces the text that has arrived; a text that does not continue it counts as a new attempt. */
function setText(panel: LivePanel, text: string): void {
  if (!text.startsWith(panel.response)) panel.attempt++
  panel.response = text
}

function run(panel: LivePanel, step: CellStep): void {
  panel.state = 'running'
  panel.step = step
}

function finish(panel: LivePanel, state: CellState): void {
  panel.state = state
  panel.step = undefined
}

function apply(panel: LivePanel, event: Extract<RunEvent, { cell: CellKey }>): void {
  if (event.type === 'tokens-arrived') {
    if (panel.response.length < MAX_RESPONSE_LENGTH) panel.response = truncate(panel.response + event.text)
    if (panel.step === 'streaming') return
    run(panel, 'streaming')
    panel.message = undefined
  } else if (event.type === 'cell-started') {
    setText(panel, '')
    run(panel, 'sent')
    panel.message = undefined
  } else if (event.type === 'attempt-failed') {
    panel.message = `Retrying in ${formatDuration(event.retryInMs ?? 0)}: ${event.reason}`
    // A retry of a judge changes nothing about the page.
    if (panel.step !== 'scoring') {
      setText(panel, '')
      run(panel, 'sent')
    }
  } else if (event.type === 'answer-stored') {
    setText(panel, truncate(event.answer.response))
    run(panel, 'scoring')
    panel.message = undefined
  } else if (event.type === 'cell-failed') {
    finish(panel, 'error')
    panel.message = event.error
  } else if ('unscored' in event.score) {
    finish(panel, 'unscored')
    panel.message = event.score.unscored.message
  } else {
    finish(panel, 'scored')
    panel.message = undefined
  }
  panel.version++
}

/** Follows the engine's events and keeps the pages of Code Arena runs as they arrive. */
function createArenaHub(): ArenaHub {
  const runs = new Map<string, Map<string, LivePanel>>()

  function panelOf({ runId, modelId }: CellKey): LivePanel {
    const panels = runs.get(runId) ?? new Map<string, LivePanel>()
    runs.set(runId, panels)
    for (const oldest of runs.keys()) {
      if (runs.size <= MAX_RUNS) break
      runs.delete(oldest)
    }
    const panel = panels.get(modelId) ?? { state: 'pending', response: '', version: 0, attempt: 0 }
    panels.set(modelId, panel)
    return panel
  }

  return {
    panelsOf: (runId) => runs.get(runId) ?? new Map(),
    onEvent(event, kind) {
      if (kind !== 'page') return
      // A resumed or rescored run is shown from its stored state plus the events from now on.
      if (event.type === 'run-started') runs.delete(event.runId)
      else if (event.type === 'page-seen') {
        // For an answer that was already stored, this is the first event.
        const panel = panelOf(event.page)
        run(panel, 'scoring')
        panel.version++
      } else if ('cell' in event && event.cell.testCaseId === ARENA_CASE_ID) apply(panelOf(event.cell), event)
    },
  }
}

const hubs = new WeakMap<RunManager, ArenaHub>()

/** The hub of a server; it follows the runs from the first call on. */
export function arenaHubOf(runs: RunManager): ArenaHub {
  const known = hubs.get(runs)
  if (known) return known
  const hub = createArenaHub()
  hubs.set(runs, hub)
  runs.listen(hub.onEvent)
  return hub
}
