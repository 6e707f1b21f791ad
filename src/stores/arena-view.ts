import {
  isInProgress,
  type ArenaPanel,
  type ArenaPanelUpdate,
  type ArenaText,
  type ArenaView,
  type LiveProgress,
} from '../contract/index.ts'

function changePanel(view: ArenaView, modelId: string, change: (panel: ArenaPanel) => ArenaPanel): ArenaView {
  return { ...view, panels: view.panels.map((panel) => (panel.modelId === modelId ? change(panel) : panel)) }
}

/** Updates a panel and keeps its text, which arrives separately. */
export function applyPanel(view: ArenaView, news: ArenaPanelUpdate): ArenaView {
  return changePanel(view, news.modelId, ({ response }) => ({ ...news, response }))
}

/** Adds text at its offset; undefined if text before it is missing, so that everything must be loaded again. */
export function applyText(view: ArenaView, { modelId, offset, text }: ArenaText): ArenaView | undefined {
  const panel = view.panels.find((other) => other.modelId === modelId)
  if (!panel) return view
  if (offset > panel.response.length) return undefined
  return changePanel(view, modelId, (old) => ({ ...old, response: old.response.slice(0, offset) + text }))
}

/** The progress of a run that has ended is kept for its cost: a stored view has none. */
export function replaceView(
  before: ArenaView | undefined,
  view: ArenaView,
  progress: LiveProgress | undefined,
): ArenaView {
  const known = before?.runId === view.runId ? before.progress : undefined
  const last = progress && isInProgress(progress.state) ? progress : known
  return last ? { ...view, progress: { ...last, state: view.state } } : view
}

export function applyProgress(view: ArenaView, progress: LiveProgress): ArenaView {
  // Until the stream ends, the run may go on with its series.
  return { ...view, progress, ...(isInProgress(progress.state) && { state: progress.state }) }
}

/** True if no more text of this answer will arrive. */
export function isAnswerComplete({ step, response }: Pick<ArenaPanel, 'step' | 'response'>): boolean {
  return response !== '' && step !== 'sent' && step !== 'streaming'
}
