import type { LiveSnapshot, LiveUpdate } from '../../../server/api.ts'
import { isRecord, parseEventData } from '../../read-json.ts'

const hasUpdate = (value: unknown): value is LiveUpdate =>
  isRecord(value) && typeof value['runId'] === 'string' && Array.isArray(value['cells']) && isRecord(value['progress'])

const hasSnapshot = (value: unknown): value is LiveSnapshot =>
  hasUpdate(value) && 'models' in value && Array.isArray(value.models) && 'cases' in value && Array.isArray(value.cases)

export function readSnapshot(text: unknown): LiveSnapshot | undefined {
  const value = parseEventData(text)
  return hasSnapshot(value) ? value : undefined
}

export function readUpdate(text: unknown): LiveUpdate | undefined {
  const value = parseEventData(text)
  return hasUpdate(value) ? value : undefined
}
