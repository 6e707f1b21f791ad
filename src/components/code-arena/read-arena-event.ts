import type { ArenaText, ArenaView } from '../../server/code-arena/api.ts'
import type { LiveProgress } from '../../server/api.ts'
import { isRecord, parseEventData } from '../read-json.ts'
import type { PanelNews } from './arena-state.ts'

const hasView = (value: unknown): value is ArenaView =>
  isRecord(value) && typeof value['runId'] === 'string' && Array.isArray(value['panels'])
const hasPanel = (value: unknown): value is PanelNews =>
  isRecord(value) && typeof value['modelId'] === 'string' && typeof value['state'] === 'string'
const hasText = (value: unknown): value is ArenaText =>
  isRecord(value) &&
  typeof value['modelId'] === 'string' &&
  typeof value['offset'] === 'number' &&
  typeof value['text'] === 'string'
const hasProgress = (value: unknown): value is LiveProgress =>
  isRecord(value) && typeof value['status'] === 'string' && typeof value['total'] === 'number'

export type ArenaEvent = { view: ArenaView } | { panel: PanelNews } | { text: ArenaText } | { progress: LiveProgress }

/** An event of the run's stream; undefined for what is none. */
export function readArenaEvent(name: string, data: unknown): ArenaEvent | undefined {
  const value = parseEventData(data)
  if (name === 'view' && hasView(value)) return { view: value }
  if (name === 'panel' && hasPanel(value)) return { panel: value }
  if (name === 'text' && hasText(value)) return { text: value }
  if (name === 'progress' && hasProgress(value)) return { progress: value }
  return undefined
}
