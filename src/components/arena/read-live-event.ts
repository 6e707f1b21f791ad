import type { LiveSnapshot, LiveUpdate } from '../../server/api.ts'

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function parse(text: unknown): unknown {
  if (typeof text !== 'string') return undefined
  try {
    return JSON.parse(text)
  } catch {
    // A broken line of the stream: the next snapshot sets everything right.
    return undefined
  }
}

const hasUpdate = (value: unknown): value is LiveUpdate =>
  isRecord(value) && typeof value['runId'] === 'string' && Array.isArray(value['cells']) && isRecord(value['progress'])

const hasSnapshot = (value: unknown): value is LiveSnapshot =>
  hasUpdate(value) && 'models' in value && Array.isArray(value.models) && 'cases' in value && Array.isArray(value.cases)

export function readSnapshot(text: unknown): LiveSnapshot | undefined {
  const value = parse(text)
  return hasSnapshot(value) ? value : undefined
}

export function readUpdate(text: unknown): LiveUpdate | undefined {
  const value = parse(text)
  return hasUpdate(value) ? value : undefined
}
