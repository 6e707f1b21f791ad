import type { PreviewView } from '../../../server/code-arena/preview-page.ts'
import type { PreviewRequest } from '../../../contract/index.ts'

/** The minimum time between two previews of an arriving answer. */
export const UPDATE_INTERVAL_MS = 800

/** The answer so far. */
interface AnswerSoFar {
  text: string
  isComplete: boolean
  /** Where the complete answer is stored, so that only its ids need to be sent. */
  stored?: { runId: string; modelId: string; alternative?: number }
}

interface UpdaterOptions {
  requestPreview: (request: PreviewRequest) => Promise<PreviewView>
  onPreview: (preview: PreviewView, isComplete: boolean) => void
  onFailure: (failure: unknown) => void
  now: () => number
  /** Calls back later; returns a function that cancels it. */
  schedule: (milliseconds: number, call: () => void) => () => void
}

export interface PreviewUpdater {
  /** Passes the answer so far; the updater decides if and when to build a page. */
  update(page: AnswerSoFar): void
  /** Requests the last page again. */
  retry(): void
  /** Stops all callbacks until the next update. */
  close(): void
}

/** Text before the first tag or fence is not a page. */
function mayContainPage(text: string): boolean {
  return text.includes('<') || text.includes('```')
}

/** True if the page is complete, even if more text follows. */
function hasClosingTag(text: string): boolean {
  return /<\/html\s*>/i.test(text.slice(-20_000))
}

function isSame(a: AnswerSoFar | undefined, b: AnswerSoFar): boolean {
  return (
    a !== undefined &&
    a.isComplete === b.isComplete &&
    a.text === b.text &&
    a.stored?.alternative === b.stored?.alternative
  )
}

function requestOf({ text, isComplete, stored }: AnswerSoFar): PreviewRequest {
  return isComplete && stored ? stored : { response: text, isComplete }
}

/**
 * Builds pages from an answer while it arrives: one request at a time, `UPDATE_INTERVAL_MS` apart, and only if there
 * is new text. It does not wait once the page's closing tag has arrived, and requests a complete answer at once. A
 * reply to an outdated request is dropped.
 */
export function createPreviewUpdater({
  requestPreview,
  onPreview,
  onFailure,
  now,
  schedule,
}: UpdaterOptions): PreviewUpdater {
  let latest: AnswerSoFar | undefined
  let requested: AnswerSoFar | undefined
  let requestedAt = Number.NEGATIVE_INFINITY
  let isRequesting = false
  let requestNumber = 0
  let cancelTimer: (() => void) | undefined

  async function send(page: AnswerSoFar): Promise<void> {
    requested = page
    requestedAt = now()
    isRequesting = true
    const ownNumber = ++requestNumber
    try {
      const preview = await requestPreview(requestOf(page))
      if (ownNumber === requestNumber) onPreview(preview, page.isComplete)
    } catch (failure) {
      // A failure on a partial answer is ignored, because another request follows.
      if (ownNumber === requestNumber && page.isComplete) onFailure(failure)
    }
    if (ownNumber !== requestNumber) return
    isRequesting = false
    decide()
  }

  function decide(): void {
    cancelTimer?.()
    cancelTimer = undefined
    if (latest === undefined || isSame(requested, latest) || (!latest.isComplete && !mayContainPage(latest.text)))
      return
    const isNewlyClosed = hasClosingTag(latest.text) && !(requested !== undefined && hasClosingTag(requested.text))
    const remaining = isNewlyClosed ? 0 : requestedAt + UPDATE_INTERVAL_MS - now()
    if (latest.isComplete || (!isRequesting && remaining <= 0)) void send(latest)
    else if (!isRequesting) cancelTimer = schedule(remaining, decide)
  }

  return {
    update(page) {
      latest = page
      decide()
    },
    retry() {
      requested = undefined
      decide()
    },
    close() {
      requestNumber++
      isRequesting = false
      latest = undefined
      requested = undefined
      cancelTimer?.()
    },
  }
}
