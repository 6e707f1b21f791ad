/** Runs in an isolated world of the page: the same document, but none of the page's variables. */
import { listControls, useControl } from './controls.ts'
import { pressButtons, typeIntoFields, type Interaction } from './interactions.ts'
import { showSlice } from './show-slice.ts'
import { stackSlices } from './stack-slices.ts'
import { isPendingTimers, TIMERS_ANSWER, TIMERS_QUESTION, type PendingTimers } from './timers.ts'

const MOST_VIOLATIONS = 100

const violations: { url: string; directive: string }[] = []
document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  if (violations.length < MOST_VIOLATIONS) violations.push({ url: blockedURI, directive: effectiveDirective })
})

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** In the time of `performance.now()`. */
let loadedAt = 0

async function waitUntilLoaded(mostMs: number): Promise<void> {
  if (document.readyState !== 'complete')
    await Promise.race([
      new Promise<void>((resolve) => window.addEventListener('load', () => resolve(), { once: true })),
      pause(mostMs),
    ])
  loadedAt = performance.now()
}

/** Undefined if the page does not say, as one that has rewritten itself. */
function findPendingTimers(): PendingTimers | undefined {
  let pending: PendingTimers | undefined
  const listen = (event: Event): void => {
    if (event instanceof CustomEvent && isPendingTimers(event.detail)) pending = event.detail
  }
  document.addEventListener(TIMERS_ANSWER, listen)
  document.dispatchEvent(new Event(TIMERS_QUESTION))
  document.removeEventListener(TIMERS_ANSWER, listen)
  return pending
}

interface StillOptions {
  quietMs: number
  mostMs: number
  /** Timers that are due this soon after the page was loaded belong to its loading. */
  timersMs: number
  /** Libraries delay animations without a timer: they count the frames. */
  framesMs: number
}

/** True if the page is about to show more, as far as its timers tell. */
function isStillStarting({ timersMs, framesMs }: StillOptions): boolean {
  const pending = findPendingTimers()
  if (!pending) return false
  return (
    pending.due.some((time) => time < loadedAt + timersMs) ||
    (pending.hasFrames && performance.now() < loadedAt + framesMs)
  )
}

/** Resolves when the page has started and not changed for a while, or after the longest wait. */
async function waitUntilStill(options: StillOptions): Promise<void> {
  const { quietMs, mostMs } = options
  let lastChange = performance.now()
  const observer = new MutationObserver(() => (lastChange = performance.now()))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const start = performance.now()
  while (performance.now() - start < mostMs && (performance.now() - lastChange < quietMs || isStillStarting(options)))
    await pause(20)
  observer.disconnect()
}

/** Resolves when no timer is pending that could make the page hang this soon after it was loaded. */
async function leaveAlone(mostMs: number): Promise<void> {
  const end = loadedAt + mostMs
  while (performance.now() < end) {
    const pending = findPendingTimers()
    if (pending && !pending.hasInterval && !pending.due.some((time) => time < end)) return
    await pause(50)
  }
}

/** Skips to the end of animations that end. Those that follow the scrolling stay where the page is scrolled to. */
function finishAnimations(): void {
  for (const animation of document.getAnimations()) {
    if (!(animation.timeline instanceof DocumentTimeline)) continue
    try {
      if (animation.effect?.getComputedTiming().endTime !== Infinity) animation.finish()
    } catch {
      // An endless animation cannot be finished and continues.
    }
  }
}

/** Scrolls down and up again, so that elements that appear on scrolling are shown. */
async function scrollThrough(mostHeight: number): Promise<void> {
  const height = Math.min(document.documentElement.scrollHeight, mostHeight)
  if (height <= innerHeight) return
  for (let y = innerHeight; y < height; y += innerHeight) {
    window.scrollTo({ top: y, behavior: 'instant' })
    await pause(16)
  }
  window.scrollTo({ top: 0, behavior: 'instant' })
  await pause(16)
}

interface SettleOptions extends StillOptions {
  mostHeight: number
}

Object.assign(globalThis, {
  previewDriver: {
    violations: () => violations,
    waitUntilLoaded,
    leaveAlone,
    /** Resolves to the height of the page. */
    async settle(options: SettleOptions): Promise<number> {
      await waitUntilStill(options)
      finishAnimations()
      await scrollThrough(options.mostHeight)
      finishAnimations()
      return Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0)
    },
    async waitUntilStill(options: StillOptions): Promise<void> {
      await waitUntilStill(options)
      finishAnimations()
    },
    showSlice,
    stackSlices,
    listControls,
    useControl,
    async interact({ mostActions, mostMs }: { mostActions: number; mostMs: number }): Promise<Interaction[]> {
      const end = performance.now() + mostMs
      const typed = await typeIntoFields({ mostActions, end })
      const pressed = await pressButtons({ mostActions, end })
      window.scrollTo({ top: 0, behavior: 'instant' })
      finishAnimations()
      return [...typed, ...pressed]
    },
  },
})
