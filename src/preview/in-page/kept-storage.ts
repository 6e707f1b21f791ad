/**
 * A page without an origin keeps nothing when it is loaded again, but people's pages do. In a scripted test, what it stored is
 * read before it is loaded again, and the driver gives it to the new document before any of its scripts runs.
 */

export const STORAGE_QUESTION = 'benchmaker-storage?'
const STORAGE_ANSWER = 'benchmaker-storage!'
/** Asks the page what it has stored. */
const CONTENT_QUESTION = 'benchmaker-stored?'
const CONTENT_ANSWER = 'benchmaker-stored!'

/** What is in `localStorage` and `sessionStorage`, by the name of the storage. */
export type StoredItems = Record<string, [key: string, value: string][]>

function isStored(value: unknown): value is StoredItems {
  return typeof value === 'object' && value !== null && Object.values(value).every(Array.isArray)
}

/** Asks across worlds, where only events with plain data pass. */
function ask(question: string, answer: string): StoredItems {
  let found: StoredItems = {}
  const listen = (event: Event): void => {
    if (event instanceof CustomEvent && isStored(event.detail)) found = event.detail
  }
  document.addEventListener(answer, listen)
  document.dispatchEvent(new Event(question))
  document.removeEventListener(answer, listen)
  return found
}

/** In the page: what the document before it had stored. */
export const askForStorage = (): StoredItems => ask(STORAGE_QUESTION, STORAGE_ANSWER)

/** In the page. */
export function tellStorage(read: () => StoredItems): void {
  document.addEventListener(CONTENT_QUESTION, () =>
    document.dispatchEvent(new CustomEvent(CONTENT_ANSWER, { detail: read() })),
  )
}

/** In the driver's world. */
export const readStorage = (): StoredItems => ask(CONTENT_QUESTION, CONTENT_ANSWER)

/** In the driver's world: `keptStorage` is set before the driver where a page is loaded again. */
export function answerStorage(): void {
  document.addEventListener(STORAGE_QUESTION, () => {
    const detail: unknown = Reflect.get(globalThis, 'keptStorage')
    if (isStored(detail)) document.dispatchEvent(new CustomEvent(STORAGE_ANSWER, { detail }))
  })
}
