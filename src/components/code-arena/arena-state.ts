import type { ArenaPanelUpdate, ArenaPanel, ArenaText, ArenaView, LiveProgress } from '../../contract/index.ts'

function changePanel(view: ArenaView, modelId: string, change: (panel: ArenaPanel) => ArenaPanel): ArenaView {
  return { ...view, panels: view.panels.map((panel) => (panel.modelId === modelId ? change(panel) : panel)) }
}

/** The panel as it is told now, with the text that is here. */
export function applyPanel(view: ArenaView, news: ArenaPanelUpdate): ArenaView {
  return changePanel(view, news.modelId, ({ response }) => ({ ...news, response }))
}

/** Puts text in its place; undefined when something before it is missing, so that the whole must be asked for again. */
export function applyText(view: ArenaView, { modelId, offset, text }: ArenaText): ArenaView | undefined {
  const panel = view.panels.find((other) => other.modelId === modelId)
  if (!panel) return view
  if (offset > panel.response.length) return undefined
  return changePanel(view, modelId, (old) => ({ ...old, response: old.response.slice(0, offset) + text }))
}

export function applyProgress(view: ArenaView, progress: LiveProgress): ArenaView {
  return { ...view, progress, status: progress.status }
}

/** Nothing more will come of this answer. */
export function isWhole({ state, response }: Pick<ArenaPanel, 'state' | 'response'>): boolean {
  return response !== '' && state !== 'asking' && state !== 'streaming'
}
