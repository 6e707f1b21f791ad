import {
  pressButtons,
  typeIntoFields,
  type Interaction,
  changesPage,
  isDisabled,
  isVisible,
  nameElement,
  press,
  setValue,
} from './interactions.ts'
import { isPendingTimers, TIMERS_ANSWER, TIMERS_QUESTION, type PendingTimers } from './timers.ts'

/** Lists what can be used on a page, and uses it, for a judge that tries the page step by step. */

interface Control {
  number: number
  kind: string
  name: string
  value?: string
}

type Step =
  | { action: 'click'; control: number }
  | { action: 'type'; control: number; text: string }
  | { action: 'enter'; control: number }
  | { action: 'scroll'; direction: 'down' | 'up' }

const CONTROLS =
  'a[href], button, input, textarea, select, summary, [onclick], [contenteditable="true"], [tabindex="0"], [role="button"], [role="link"], [role="switch"], [role="tab"], [role="checkbox"], [role="radio"], [role="menuitem"], [role="option"], [role="slider"]'

const MOST_CONTROLS = 150

let listed: Element[] = []

function kindOf(element: Element): string {
  const role = element.getAttribute('role')
  if (role !== null) return role
  if (element instanceof HTMLInputElement) return element.type
  if (element instanceof HTMLAnchorElement) return 'link'
  return element.tagName.toLowerCase()
}

function valueOf(element: Element): string | undefined {
  if (element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio'))
    return element.checked ? 'on' : 'off'
  if (element instanceof HTMLSelectElement)
    return `${element.selectedOptions[0]?.text ?? ''} (of ${[...element.options].map(({ text }) => text).join(', ')})`
  if (element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement)
    return element.type === 'password' ? '•'.repeat(element.value.length) : element.value
  return element.getAttribute('aria-checked') ?? element.getAttribute('aria-selected') ?? undefined
}

function listControls(): Control[] {
  listed = [...document.querySelectorAll(CONTROLS)]
    .filter((element) => isVisible(element) && !isDisabled(element))
    .slice(0, MOST_CONTROLS)
  return listed.map((element, index) => {
    const value = valueOf(element)?.slice(0, 200)
    return {
      number: index + 1,
      kind: kindOf(element),
      name: nameElement(element),
      ...(value !== undefined && { value }),
    }
  })
}

function typeText(element: Element, text: string): void {
  if (element instanceof HTMLElement) element.focus()
  if (element instanceof HTMLSelectElement) {
    const wanted = text.trim().toLowerCase()
    const index = [...element.options].findIndex(
      (option) => option.text.trim().toLowerCase() === wanted || option.value.toLowerCase() === wanted,
    )
    if (index < 0) return
    element.selectedIndex = index
    element.dispatchEvent(new Event('input', { bubbles: true, composed: true }))
    element.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
  } else if (element instanceof HTMLElement && element.isContentEditable) {
    element.textContent = text
    element.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: text }))
  } else setValue(element, text)
}

function pressEnter(element: Element): void {
  const options = { key: 'Enter', code: 'Enter', bubbles: true, composed: true, cancelable: true }
  const isHandled = !element.dispatchEvent(new KeyboardEvent('keydown', options))
  element.dispatchEvent(new KeyboardEvent('keyup', options))
  if (isHandled) return
  if (element instanceof HTMLInputElement) element.form?.requestSubmit()
  else press(element)
}

/** Returns true if the page changed. */
async function useControl(step: Step): Promise<boolean> {
  if (step.action === 'scroll') {
    const before = window.scrollY
    window.scrollBy({ top: (step.direction === 'down' ? 0.8 : -0.8) * innerHeight, behavior: 'instant' })
    return window.scrollY !== before
  }
  const element = listed[step.control - 1]
  if (!element?.isConnected) return false
  element.scrollIntoView({ block: 'center', behavior: 'instant' })
  return changesPage(() => {
    if (step.action === 'click') press(element)
    else if (step.action === 'enter') pressEnter(element)
    else typeText(element, step.text)
  })
}

/** The inline styles that elements had before they were changed. */
const changed = new Map<HTMLElement | SVGElement, string | null>()

function restoreElements(): void {
  for (const [element, style] of changed) {
    if (style === null) element.removeAttribute('style')
    else element.setAttribute('style', style)
  }
  changed.clear()
}

/** Elements that stay in place while the page scrolls would be in every slice of its picture. */
function unpinElements(): void {
  for (const element of document.querySelectorAll<HTMLElement | SVGElement>('body, body *')) {
    const { position } = getComputedStyle(element)
    if ((position !== 'fixed' && position !== 'sticky') || changed.has(element)) continue
    changed.set(element, element.getAttribute('style'))
    element.style.setProperty('transition', 'none', 'important')
    // Not `visibility`, which an element inside can turn on again.
    if (position === 'fixed') element.style.setProperty('opacity', '0', 'important')
    else {
      element.style.setProperty('position', 'relative', 'important')
      element.style.setProperty('inset', 'auto', 'important')
    }
  }
}

/** Resolves when the browser has drawn what there is now; pages that are not drawn get no frames, hence the longest wait. */
function waitUntilDrawn(): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, 200)
    requestAnimationFrame(() => requestAnimationFrame(() => resolve()))
  })
}

/** Scrolls to a slice of the page and resolves to where it begins. What is pinned to the screen is in the first slice only. */
async function showSlice(top: number): Promise<number> {
  if (top === 0) restoreElements()
  else unpinElements()
  window.scrollTo({ top, behavior: 'instant' })
  await waitUntilDrawn()
  return window.scrollY
}

/** One screenful of a page. */
interface Slice {
  /** How far down the page it begins. */
  top: number
  /** In base 64. */
  png: string
}

/**
 * Puts screenfuls together to one picture of the whole page, in base 64. Runs in the document around the page. A frame as tall as
 * the page would be simpler, but then everything in the page that is "as tall as the screen" would be as tall as the page.
 */
async function stackSlices(slices: readonly Slice[], width: number, height: number): Promise<string> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')!
  for (const { top, png } of slices) {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    pen.drawImage(image, 0, top)
  }
  const address = canvas.toDataURL('image/png')
  return address.slice(address.indexOf(',') + 1)
}

/** Runs in an isolated world of the page: the same document, but none of the page's variables. */

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
