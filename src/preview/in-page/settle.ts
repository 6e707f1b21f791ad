import { isPendingTimers, TIMERS_ANSWER, TIMERS_QUESTION, type PendingTimers } from './timers.ts'

/** Waits until a page has loaded and is still, and says what it has yet to do. */

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** In the time of `performance.now()`. */
let loadedAt = 0

export async function waitUntilLoaded(mostMs: number): Promise<void> {
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

export interface StillOptions {
  quietMs: number
  mostMs: number
  /** Timers that are due this soon after the page was loaded belong to its loading. */
  timersMs: number
  /** Libraries delay animations without a timer: they count the frames. */
  framesMs: number
  /** How long after it was loaded a page that says so may still be loading. */
  loadingMs: number
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

const LOADING_SIGNS =
  '[aria-busy="true"], [class*="skeleton" i], [class*="loading" i], [class*="loader" i], [class*="spinner" i], [class*="splash" i], [class*="preload" i]'

/** Enough of the screen to be what the page shows now, and not one button of it. */
const LEAST_LOADING_SHARE = 0.02

const isShown = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true })

/** A page that shows that it is loading, or says so and little else. */
function showsLoading(): boolean {
  const text = document.body?.innerText.trim() ?? ''
  if (text.length < 200 && /\bloading\b|please wait|\binitiali[sz]ing\b/i.test(text)) return true
  return [...document.querySelectorAll(LOADING_SIGNS)].slice(0, 200).some((element) => {
    const { width, height } = element.getBoundingClientRect()
    return isShown(element) && width * height >= LEAST_LOADING_SHARE * innerWidth * innerHeight
  })
}

/** True while the page shows that it is loading and a timer is pending that could end it. */
export function isLoading(): boolean {
  const pending = findPendingTimers()
  return pending !== undefined && (pending.due.length > 0 || pending.hasInterval) && showsLoading()
}

/** Resolves when the page has started and not changed for a while, or after the longest wait. */
export async function waitUntilStill(options: StillOptions): Promise<void> {
  const { quietMs, mostMs, loadingMs } = options
  let lastChange = performance.now()
  const observer = new MutationObserver(() => (lastChange = performance.now()))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const start = performance.now()
  const isWaiting = (): boolean =>
    performance.now() - start < mostMs && (performance.now() - lastChange < quietMs || isStillStarting(options))
  while (isWaiting() || (performance.now() < loadedAt + loadingMs && isLoading())) await pause(20)
  observer.disconnect()
}

/** Resolves when what was started before has ended, as far as that is soon. */
export async function rest(): Promise<void> {
  await waitUntilStill({ quietMs: 60, mostMs: 500, timersMs: 0, framesMs: 0, loadingMs: 0 })
  finishAnimations()
}

/** True if something may yet be seen of what was done at that time: a timer is pending, frames are asked for, or an animation runs. */
export function isBusy({ since, forMs }: { since: number; forMs: number }): boolean {
  const end = since + forMs
  const pending = findPendingTimers()
  if (!pending || pending.due.some((time) => time < end)) return performance.now() < end + forMs
  const isMoving = pending.hasFrames || pending.hasInterval || document.getAnimations().length > 0
  return isMoving && performance.now() < end
}

/** Resolves when no timer is pending that could make the page hang this soon after it was loaded. */
export async function leaveAlone(mostMs: number): Promise<void> {
  const end = loadedAt + mostMs
  while (performance.now() < end) {
    const pending = findPendingTimers()
    if (pending && !pending.hasInterval && !pending.due.some((time) => time < end)) return
    await pause(50)
  }
}

/** True if the page may change by itself within that time after loading. */
export function mayMove(forMs: number): boolean {
  const end = loadedAt + forMs
  const pending = findPendingTimers()
  return (
    pending === undefined ||
    pending.hasFrames ||
    pending.hasInterval ||
    pending.due.some((time) => time < end) ||
    document.getAnimations().some(({ playState }) => playState === 'running') ||
    document.querySelector('video, animate, animateTransform, animateMotion, marquee') !== null
  )
}

/** Skips to the end of animations that end. Those that follow the scrolling stay where the page is scrolled to. */
export function finishAnimations(): void {
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

/** Resolves to the height of the page. */
export async function settle(options: StillOptions & { mostHeight: number }): Promise<number> {
  await waitUntilStill(options)
  finishAnimations()
  await scrollThrough(options.mostHeight)
  finishAnimations()
  return Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0)
}
