import { isRecord } from '../../contract/index.ts'
import { readCases, type Fields } from './suite-draft.ts'
import { isSame } from './unsaved-draft.ts'

/** The states of a suite being edited. Unchanged parts are shared, so a hundred of them take little memory. */
export interface SuiteHistory {
  past: readonly Fields[]
  present: Fields
  future: readonly Fields[]
  /** The last edit: further typing in the same field soon after belongs to it. */
  last?: { place: string; at: number } | undefined
}

const MAX_STEPS = 200
const PAUSE_MS = 1_000

export function startHistory(present: Fields): SuiteHistory {
  return { past: [], present, future: [] }
}

/** The name of the only field that differs; undefined if several do, or none. */
function findField(before: Fields, after: Fields): string | undefined {
  const names = new Set([...Object.keys(before), ...Object.keys(after)])
  const changed = [...names].filter((name) => !isSame(before[name], after[name]))
  return changed.length === 1 ? changed[0] : undefined
}

/** Index of the first case that differs; undefined if none does. */
export function findChangedCase(before: Fields, after: Fields): number | undefined {
  const [old, now] = [readCases(before), readCases(after)]
  const index = now.findIndex((testCase, at) => !isSame(testCase, old[at]))
  if (index >= 0) return index
  return old.length > now.length ? Math.max(0, now.length - 1) : undefined
}

/** The field of the suite or of one case that an edit changed; undefined for an edit of more than one. */
function findPlace(before: Fields, after: Fields): string | undefined {
  const field = findField(before, after)
  if (field !== 'testCases') return field
  const [old, now] = [readCases(before), readCases(after)]
  if (old.length !== now.length) return undefined
  const changed = now.flatMap((testCase, index) => (isSame(testCase, old[index]) ? [] : [index]))
  const [index] = changed
  if (changed.length !== 1 || index === undefined || !isRecord(old[index])) return undefined
  const inner = findField(old[index]!, now[index]!)
  return inner === undefined ? undefined : `testCases.${index}.${inner}`
}

/** Adds an edit. Typing in one field is one step until there is a pause. */
export function recordEdit(history: SuiteHistory, next: Fields, now: number): SuiteHistory {
  const { past, present, last } = history
  if (isSame(present, next)) return history
  const place = findPlace(present, next)
  const isSameEdit = place !== undefined && last?.place === place && now - last.at < PAUSE_MS && past.length > 0
  return {
    past: isSameEdit ? past : [...past, present].slice(-MAX_STEPS),
    present: next,
    future: [],
    last: place === undefined ? undefined : { place, at: now },
  }
}

export function undo(history: SuiteHistory): SuiteHistory {
  const { past, present, future } = history
  const previous = past.at(-1)
  return previous === undefined ? history : { past: past.slice(0, -1), present: previous, future: [present, ...future] }
}

export function redo(history: SuiteHistory): SuiteHistory {
  const { past, present, future } = history
  const [next, ...rest] = future
  return next === undefined ? history : { past: [...past, present], present: next, future: rest }
}
