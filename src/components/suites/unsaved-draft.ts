import { z } from 'zod'
import { isFields } from './suite-draft.ts'

/** The part of the browser's `localStorage` that is used. */
export interface DraftStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

const fieldsSchema = z.record(z.string(), z.unknown())

const draftSchema = z.object({
  // Records keep the order of their keys; an object's own fields would come first.
  suite: fieldsSchema.refine(({ testCases }) => z.array(fieldsSchema).safeParse(testCases).success),
  /** The version it was made from; absent for a suite that was never saved. */
  after: z.number().optional(),
  keptAt: z.number(),
})

export type UnsavedDraft = z.infer<typeof draftSchema>

const keyOf = (suiteId: string) => `benchmaker-unsaved-suite:${suiteId}`

/** Keeps changes against a reload or a crash. False when the browser has no room or does not allow it. */
export function keepDraft(storage: DraftStorage, suiteId: string, draft: UnsavedDraft): boolean {
  try {
    storage.setItem(keyOf(suiteId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(storage: DraftStorage, suiteId: string): void {
  try {
    storage.removeItem(keyOf(suiteId))
  } catch {
    // A browser that allows no storage has kept nothing.
  }
}

/** What was kept, if it is still readable. */
export function readDraft(storage: DraftStorage, suiteId: string): UnsavedDraft | undefined {
  try {
    return draftSchema.safeParse(JSON.parse(storage.getItem(keyOf(suiteId)) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** Whether two suites say the same; the order of keys does not matter. */
export function isSame(a: unknown, b: unknown): boolean {
  // Parts that no edit touched are the very same objects: a large suite is compared in no time.
  if (Object.is(a, b)) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isFields(a) || !isFields(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}
