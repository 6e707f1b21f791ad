import { readBlocks } from './blocks.ts'
import { beginWatch, endWatch, readChanges } from './changes.ts'
import { compareTiles, makeStrip, TILE } from './compare-pictures.ts'
import { listControls, prepareStep, scrollPage, takeStep, typeText } from './controls.ts'
import { findTargets, observe, type Target } from './find.ts'
import { answerStorage, readStorage } from './kept-storage.ts'
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
  aimAt,
  currentTarget,
  dragCurrent,
  fillCurrent,
  focusCurrent,
  isSentByEnter,
  isTyped,
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

answerStorage()

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
    observe,
    readBlocks,
    readStorage,
    /** Brings the first of a target's elements into view; undefined if there is none. */
    aim(target: Target) {
      const [element] = findTargets(target)
      return element && { ...aimAt(element), isTyped: isTyped(element) }
    },
    /** Sets the current field at once. */
    setCurrent(text: string): void {
      const field = currentTarget()
      if (field) typeText(field, text)
    },
    dropCurrent: (target: Target) => dragCurrent(findTargets(target)[0]),
    /** Whether something may change by itself before that time. */
    isBusy: (forMs: number) => isBusy({ since: performance.now(), forMs }),
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
