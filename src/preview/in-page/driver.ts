/** Runs in an isolated world of the page: the same document, but none of the page's variables. */
import { listControls, useControl } from './controls.ts'
import { pressButtons, typeIntoFields, type Interaction } from './interactions.ts'
import { showSlice } from './show-slice.ts'
import { stackSlices } from './stack-slices.ts'

const MOST_VIOLATIONS = 100

const violations: { url: string; directive: string }[] = []
document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  if (violations.length < MOST_VIOLATIONS) violations.push({ url: blockedURI, directive: effectiveDirective })
})

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Resolves when the document has not changed for a while, or after the longest wait. */
async function waitUntilStill(quietMs: number, mostMs: number): Promise<void> {
  let lastChange = performance.now()
  const observer = new MutationObserver(() => (lastChange = performance.now()))
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  const start = performance.now()
  while (performance.now() - lastChange < quietMs && performance.now() - start < mostMs) await pause(20)
  observer.disconnect()
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

interface SettleOptions {
  quietMs: number
  mostMs: number
  mostHeight: number
}

Object.assign(globalThis, {
  previewDriver: {
    violations: () => violations,
    waitUntilLoaded: (mostMs: number): Promise<void> =>
      document.readyState === 'complete'
        ? Promise.resolve()
        : Promise.race([
            new Promise<void>((resolve) => window.addEventListener('load', () => resolve(), { once: true })),
            pause(mostMs),
          ]),
    /** Resolves to the height of the page. */
    async settle({ quietMs, mostMs, mostHeight }: SettleOptions): Promise<number> {
      await waitUntilStill(quietMs, mostMs)
      finishAnimations()
      await scrollThrough(mostHeight)
      finishAnimations()
      return Math.max(document.documentElement.scrollHeight, document.body?.scrollHeight ?? 0)
    },
    async waitUntilStill({ quietMs, mostMs }: SettleOptions): Promise<void> {
      await waitUntilStill(quietMs, mostMs)
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
