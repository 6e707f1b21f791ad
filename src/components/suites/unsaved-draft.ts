import { isRecord } from '../../contract/index.ts'
import { z } from 'zod'

/** The part of `localStorage` that drafts need. */
export interface DraftStorage {
  getItem(key: string): string | null
  setItem(key: string, value: string): void
  removeItem(key: string): void
}

const fieldsSchema = z.record(z.string(), z.unknown())

const draftSchema = z.object({
  // A record keeps the order of its keys; an object schema would put its own fields first.
  suite: fieldsSchema.refine(({ testCases }) => z.array(fieldsSchema).safeParse(testCases).success),
  /** The version the draft is based on; absent for a suite that was never saved. */
  after: z.number().optional(),
  keptAt: z.number(),
})

export type UnsavedDraft = z.infer<typeof draftSchema>

const PREFIX = 'benchmaker-unsaved-suite:'
const draftKey = (suiteId: string) => `${PREFIX}${suiteId}`

/** Saves changes in the browser, to survive a reload or a crash. False if storage is full or disabled. */
export function storeDraft(storage: DraftStorage, suiteId: string, draft: UnsavedDraft): boolean {
  try {
    storage.setItem(draftKey(suiteId), JSON.stringify(draft))
    return true
  } catch {
    return false
  }
}

export function dropDraft(storage: DraftStorage, suiteId: string): void {
  try {
    storage.removeItem(draftKey(suiteId))
  } catch {
    // If storage is disabled, there is no draft to remove.
  }
}

/** The stored draft, if there is one that can be read. */
export function readDraft(storage: DraftStorage, suiteId: string): UnsavedDraft | undefined {
  try {
    return draftSchema.safeParse(JSON.parse(storage.getItem(draftKey(suiteId)) ?? 'null')).data
  } catch {
    return undefined
  }
}

/** The part of `localStorage` that a list of drafts needs. */
interface ListedStorage extends DraftStorage {
  readonly length: number
  key(index: number): string | null
}

/** All stored drafts by suite, newest first. */
export function listDrafts(storage: ListedStorage): { suiteId: string; draft: UnsavedDraft }[] {
  try {
    return Array.from({ length: storage.length }, (_, index) => storage.key(index) ?? '')
      .filter((key) => key.startsWith(PREFIX))
      .flatMap((key) => {
        const suiteId = key.slice(PREFIX.length)
        const draft = readDraft(storage, suiteId)
        return draft ? [{ suiteId, draft }] : []
      })
      .sort((a, b) => b.draft.keptAt - a.draft.keptAt)
  } catch {
    return []
  }
}

/** Deep equality that ignores the order of keys. */
export function isSame(a: unknown, b: unknown): boolean {
  // Parts that no edit touched are the same objects, which makes comparing large suites fast.
  if (Object.is(a, b)) return true
  if (Array.isArray(a))
    return Array.isArray(b) && a.length === b.length && a.every((item, index) => isSame(item, b[index]))
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key]))
}
