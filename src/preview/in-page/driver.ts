import { beginWatch, endWatch, readChanges } from './changes.ts'
import { compareTiles, makeStrip, TILE } from './compare-pictures.ts'
import { listControls, prepareStep, scrollPage, takeStep } from './controls.ts'
import { measureSideways, thinOut } from './measures.ts'
import {
  finishAnimations,
  isBusy,
  isLoading,
  leaveAlone,
  mayMove,
  rest,
  settle,
  waitUntilLoaded,
  waitUntilStill,
  type StillOptions,
} from './settle.ts'
import { showSlice, stackSlices, waitUntilDrawn } from './slices.ts'
import {
  currentTarget,
  dragCurrent,
  fillCurrent,
  focusCurrent,
  isSentByEnter,
  leaveField,
  locate,
  planUse,
  pressCurrent,
  restoreField,
} from './targets.ts'

/** Runs in an isolated world of the page: the same document, but none of the page's variables. */

const MOST_VIOLATIONS = 100

const violations: { url: string; directive: string }[] = []
document.addEventListener('securitypolicyviolation', ({ blockedURI, effectiveDirective }) => {
  if (violations.length < MOST_VIOLATIONS) violations.push({ url: blockedURI, directive: effectiveDirective })
})

/** When the last action was begun, in the time of `performance.now()`. */
let begunAt = 0

Object.assign(globalThis, {
  previewDriver: {
    TILE,
    violations: () => violations,
    waitUntilLoaded,
    leaveAlone,
    mayMove,
    isLoading,
    settle,
    async waitUntilStill(options: StillOptions): Promise<void> {
      await waitUntilStill(options)
      finishAnimations()
    },
    showSlice,
    waitUntilDrawn,
    stackSlices,
    makeStrip,
    compareTiles,
    measureSideways,
    countElements: () => document.querySelectorAll('*').length,
    thinOut,
    listControls,
    prepareStep,
    scrollPage,
    takeStep,
    planUse,
    locate,
    rest,
    pressCurrent,
    focusCurrent,
    fillCurrent,
    dragCurrent,
    isSentByEnter,
    restoreField,
    leaveField,
    beginWatch(): void {
      begunAt = performance.now()
      beginWatch(currentTarget())
    },
    /** What has changed, once it is drawn. */
    async look(forMs: number) {
      await waitUntilDrawn()
      return { ...readChanges(), isBusy: isBusy({ since: begunAt, forMs }) }
    },
    endWatch,
    backToTop(): void {
      window.scrollTo({ top: 0, behavior: 'instant' })
      finishAnimations()
    },
  },
})
