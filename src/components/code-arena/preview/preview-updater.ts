import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import type { PreviewRequest } from '../../../contract/index.ts'

/** Between two looks at an answer that is still arriving. */
export const LOOK_EVERY_MS = 800

/** An answer as far as it has come. */
interface WantedPage {
  text: string
  isComplete: boolean
  /** Where the whole answer is stored: then only its name is sent. */
  stored?: { runId: string; modelId: string }
}

interface UpdaterParts {
  ask: (request: PreviewRequest) => Promise<PreviewView>
  onPreview: (preview: PreviewView, isComplete: boolean) => void
  onFailure: (failure: unknown) => void
  now: () => number
  /** Calls back later; what it returns calls that off. */
  after: (milliseconds: number, call: () => void) => () => void
}

export interface PreviewUpdater {
  /** Tells how the answer stands; whether and when a page is made of it is decided here. */
  want(page: WantedPage): void
  /** Asks again for what was wanted last. */
  retry(): void
  /** Nothing more is told, until something is wanted again. */
  close(): void
}

/** Words before the first tag or fence are no page. */
function mayHoldPage(text: string): boolean {
  return text.includes('<') || text.includes('```')
}

/** The page is all there, whatever words still follow it. */
function hasEnd(text: string): boolean {
  return /<\/html\s*>/i.test(text.slice(-20_000))
}

function isSame(a: WantedPage | undefined, b: WantedPage): boolean {
  return a !== undefined && a.isComplete === b.isComplete && a.text === b.text
}

function requestOf({ text, isComplete, stored }: WantedPage): PreviewRequest {
  return isComplete && stored ? stored : { response: text, isComplete }
}

/**
 * Makes pages of an answer while it arrives: one question at a time, `LOOK_EVERY_MS` apart and only when something has come; sooner
 * when the page's end has come, and a whole answer at once, whatever is under way. A reply that comes after a later question is
 * dropped.
 */
export function createPreviewUpdater({ ask, onPreview, onFailure, now, after }: UpdaterParts): PreviewUpdater {
  let wanted: WantedPage | undefined
  let asked: WantedPage | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let isWaiting = false
  let number = 0
  let callOff: (() => void) | undefined

  async function send(page: WantedPage): Promise<void> {
    asked = page
    askedAt = now()
    isWaiting = true
    const mine = ++number
    try {
      const preview = await ask(requestOf(page))
      if (mine === number) onPreview(preview, page.isComplete)
    } catch (failure) {
      // A look at half an answer that fails is followed by another one.
      if (mine === number && page.isComplete) onFailure(failure)
    }
    if (mine !== number) return
    isWaiting = false
    decide()
  }

  function decide(): void {
    callOff?.()
    callOff = undefined
    if (wanted === undefined || isSame(asked, wanted) || (!wanted.isComplete && !mayHoldPage(wanted.text))) return
    const isEndNew = hasEnd(wanted.text) && !(asked !== undefined && hasEnd(asked.text))
    const rest = isEndNew ? 0 : askedAt + LOOK_EVERY_MS - now()
    if (wanted.isComplete || (!isWaiting && rest <= 0)) void send(wanted)
    else if (!isWaiting) callOff = after(rest, decide)
  }

  return {
    want(page) {
      wanted = page
      decide()
    },
    retry() {
      asked = undefined
      decide()
    },
    close() {
      number++
      isWaiting = false
      wanted = undefined
      asked = undefined
      callOff?.()
    },
  }
}
