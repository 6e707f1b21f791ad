import { noteEffect } from './reports.ts'

/** For the driver of the screenshots, which cannot see what a page listens to: it asks, and the page answers at once. */
export const LISTENERS_QUESTION = 'benchmaker-listeners?'
export const LISTENERS_ANSWER = 'benchmaker-listeners'
/** Sent from every element that listens to presses. */
export const LISTENS_TO_PRESSES = 'benchmaker-listens'

/** What the page as a whole listens to. */
export interface PageListeners {
  /** Keys, wherever the focus is. */
  hasKeys: boolean
  /** Moves of the pointer while it is pressed. */
  hasMoves: boolean
}

export function isPageListeners(detail: unknown): detail is PageListeners {
  return typeof detail === 'object' && detail !== null && 'hasKeys' in detail && 'hasMoves' in detail
}

const PRESSES = new Set(['click', 'pointerdown', 'mousedown', 'touchstart', 'pointerup', 'mouseup'])
const KEYS = new Set(['keydown', 'keyup', 'keypress'])
const MOVES = new Set(['pointermove', 'mousemove', 'touchmove'])

/** A page with more is not tried as a whole anyway. */
const MOST_ELEMENTS = 2000

const hasHandler = (target: object, names: Iterable<string>): boolean =>
  [...names].some((name) => typeof Reflect.get(target, `on${name}`) === 'function')

/** Frameworks listen at the root of their elements, which says nothing about any one of them. */
function isOfFramework(listener: unknown): boolean {
  return typeof listener === 'function' && Function.prototype.toString.call(listener).includes('[native code]')
}

/** The properties in which frameworks keep handlers: of React, Svelte and Solid. */
function hasFrameworkHandler(element: Element): boolean {
  if (Reflect.has(element, '__click') || Reflect.has(element, '$$click')) return true
  const key = Object.keys(element).find((name) => name.startsWith('__reactProps$'))
  const props: unknown = key === undefined ? undefined : Reflect.get(element, key)
  return (
    typeof props === 'object' &&
    props !== null &&
    ['onClick', 'onPointerDown', 'onMouseDown'].some((name) => name in props)
  )
}

/** Notes what starts to sound or goes to the clipboard: neither leaves a trace in the document. */
function watchEffects(): void {
  const note = (prototype: object | undefined, method: string, kind: string): void => {
    const original: unknown = prototype && Reflect.get(prototype, method)
    if (prototype === undefined || typeof original !== 'function') return
    Reflect.set(prototype, method, function noted(this: unknown, ...values: unknown[]): unknown {
      noteEffect(kind)
      return Reflect.apply(original, this, values)
    })
  }
  note(globalThis.AudioScheduledSourceNode?.prototype, 'start', 'sound')
  note(HTMLMediaElement.prototype, 'play', 'sound')
  note(globalThis.SpeechSynthesis?.prototype, 'speak', 'sound')
  note(globalThis.Clipboard?.prototype, 'writeText', 'clipboard')
}

export function watchListeners(): void {
  const elements = new Set<WeakRef<Element>>()
  let hasKeys = false
  let hasMoves = false
  const { addEventListener } = EventTarget.prototype
  EventTarget.prototype.addEventListener = function addAndNote(this: EventTarget | undefined, type, listener, options) {
    const target = this ?? window
    if (listener && !isOfFramework(listener)) {
      const isWhole =
        target === window || target === document || target === document.body || target === document.documentElement
      if (KEYS.has(type) && (isWhole || target instanceof HTMLCanvasElement)) hasKeys = true
      if (MOVES.has(type)) hasMoves = true
      if (!isWhole && PRESSES.has(type) && target instanceof Element && elements.size < MOST_ELEMENTS)
        elements.add(new WeakRef(target))
    }
    addEventListener.call(target, type, listener, options)
  }
  watchEffects()

  addEventListener.call(document, LISTENERS_QUESTION, () => {
    const listening = [...elements].flatMap((reference) => reference.deref() ?? [])
    const all = [...document.querySelectorAll('body *')].slice(0, MOST_ELEMENTS)
    const found = new Set([...listening.filter(({ isConnected }) => isConnected), ...all.filter(hasFrameworkHandler)])
    for (const element of found) element.dispatchEvent(new Event(LISTENS_TO_PRESSES, { bubbles: true, composed: true }))
    const wholes = [window, document, document.body ?? {}, document.documentElement ?? {}]
    const detail: PageListeners = {
      hasKeys: hasKeys || wholes.some((whole) => hasHandler(whole, KEYS)),
      hasMoves:
        hasMoves || [...wholes, ...document.querySelectorAll('canvas')].some((whole) => hasHandler(whole, MOVES)),
    }
    document.dispatchEvent(new CustomEvent(LISTENERS_ANSWER, { detail }))
  })
}
