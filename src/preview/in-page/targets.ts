import { findAll, isAlreadyOn, isDisabled, isVisible, nameElement, press, setValue } from './elements.ts'
import {
  isPageListeners,
  LISTENERS_ANSWER,
  LISTENERS_QUESTION,
  LISTENS_TO_PRESSES,
  type PageListeners,
} from './listeners.ts'

/** Finds what a person would try on a page, and where it is on the screen. */

const BUTTONS =
  'button, [role="button"], [role="switch"], [role="tab"], [role="checkbox"], [role="radio"], [role="menuitem"], [role="option"], input[type="button"], input[type="submit"], input[type="checkbox"], input[type="radio"], summary, [onclick], a[href^="#"]'
const FIELDS =
  'input:not([type]), input[type="text"], input[type="email"], input[type="number"], input[type="search"], input[type="tel"], input[type="url"], input[type="password"], input[type="range"], input[type="date"], input[type="time"], input[type="color"], textarea, select, [contenteditable="true"], [contenteditable=""]'

const SAMPLES: Record<string, string> = {
  email: 'ada@example.org',
  number: '7',
  tel: '5550100',
  url: 'https://example.org',
  password: 'Correct-Horse-9',
  range: '60',
  date: '2024-03-05',
  time: '09:30',
  color: '#3366cc',
}

/** Fields that are set, not typed into. */
const SET_TYPES: ReadonlySet<string> = new Set(['range', 'date', 'time', 'color', 'month', 'week', 'datetime-local'])

/** Starts what is tried next. */
const STARTS = /^\W*(?:start|play|begin|launch|new game)\b/i
/** Ends what could be tried, or takes away what there is to see: tried last. */
const ENDS =
  /\b(?:delete|remove|clear|reset|erase|trash|log ?out|sign ?out|close|cancel|dismiss|quit|exit|undo|new game|restart|stop|pause)\b|^(?:[×✕✖✗x]|AC|CE?)$/i

/** Of those with the same name, such as a button in every row. */
const MOST_OF_A_NAME = 2
const MOST_SCANNED = 3000

/** One thing to do on the page. */
export interface PlannedUse {
  action: 'click' | 'type' | 'drag'
  /** As a user would say it. */
  name: string
  when: 'first' | 'then' | 'last'
}

/** Where a target is on the screen, in pixels. */
export interface Place {
  x: number
  y: number
  left: number
  top: number
  width: number
  height: number
  isCanvas: boolean
  /** False if something else is in front of it. */
  isInFront: boolean
  /** False if nothing but a listener says that it can be used: people would not know. */
  looksUsable: boolean
  /** Of a field: what to type with the keyboard; absent where it is set by `fill`. */
  text?: string
  /** Of what is dragged: where it is dropped. */
  drop?: { x: number; y: number }
  /** Of a field: pressing Enter sends or adds what was typed. */
  isSingleLine?: boolean
}

let pressable = new Set<Element>()
document.addEventListener(
  LISTENS_TO_PRESSES,
  (event) => {
    if (event.target instanceof Element) pressable.add(event.target)
  },
  true,
)

/** What listens, according to the page. */
function findListeners(): PageListeners {
  let found: PageListeners = { hasKeys: false, hasMoves: false }
  const listen = (event: Event): void => {
    if (event instanceof CustomEvent && isPageListeners(event.detail)) found = event.detail
  }
  pressable = new Set()
  document.addEventListener(LISTENERS_ANSWER, listen)
  document.dispatchEvent(new Event(LISTENERS_QUESTION))
  document.removeEventListener(LISTENERS_ANSWER, listen)
  return found
}

/** Elements that are not buttons by their kind but are to be pressed: they listen, or show the pointer that says so. */
function listOthers(buttons: ReadonlySet<Element>): Element[] {
  const isInButton = (element: Element): boolean => element.closest(`${BUTTONS}, ${FIELDS}, a[href], label`) !== null
  const shown = [...document.querySelectorAll('body *')]
    .slice(0, MOST_SCANNED)
    .filter(
      (element) =>
        getComputedStyle(element).cursor === 'pointer' &&
        (element.parentElement === null || getComputedStyle(element.parentElement).cursor !== 'pointer'),
    )
  return [...new Set([...shown, ...pressable])]
    .filter((element) => !buttons.has(element) && !isInButton(element) && element !== document.body)
    .flatMap((element) => {
      // One that listens for what is inside it: its parts are what people press.
      const isForParts = element.childElementCount > 1 && !shown.includes(element) && !(element instanceof SVGElement)
      return isForParts ? [...element.children].slice(0, MOST_OF_A_NAME) : [element]
    })
    .filter((element) => element.querySelector(`${BUTTONS}, canvas`) === null)
}

function listPressable(): Element[] {
  findListeners()
  const buttons = findAll(BUTTONS)
  const set = new Set(buttons)
  return [...buttons, ...listOthers(set)].filter(
    (element) => isVisible(element) && !isDisabled(element) && !isAlreadyOn(element) && !isGrabbable(element),
  )
}

const listFields = (): Element[] =>
  findAll(FIELDS).filter((field) => isVisible(field) && !isDisabled(field) && !field.hasAttribute('readonly'))

/** What shows that it is to be dragged, and is not pressed. */
const isGrabbable = (element: Element): boolean =>
  element.matches('[aria-roledescription="sortable"], [aria-roledescription="draggable"]') ||
  /^(?:grab|move)$/.test(getComputedStyle(element).cursor)

const listDraggable = (): Element[] =>
  [
    ...document.querySelectorAll('[draggable="true"], [aria-roledescription], li, article, canvas, [class*="card" i]'),
  ].filter((element) => isVisible(element) && (element.matches('[draggable="true"], canvas') || isGrabbable(element)))

/** Keys of a calculator are pressed so that they make sense: 7 + 8 =. */
function planKeypad(names: ReadonlySet<string>): string[] {
  const digits = [...names].filter((name) => /^\d$/.test(name))
  const plus = ['+', 'plus', 'add'].find((name) => names.has(name))
  const equals = ['=', 'equals'].find((name) => names.has(name))
  return digits.length >= 8 && plus !== undefined && equals !== undefined ? ['7', plus, '8', equals] : []
}

function planPresses(most: number): PlannedUse[] {
  const groups = Map.groupBy(listPressable(), nameElement)
  const keypad = planKeypad(new Set(groups.keys()))
  const isOfKeypad = (name: string): boolean => keypad.length > 0 && /^(?:\d|[-+*/×÷−=.,%±]|\+\/[-−])$/.test(name)
  const others = [...groups].flatMap(([name, elements]) =>
    isOfKeypad(name) ? [] : elements.slice(0, MOST_OF_A_NAME).map(() => name),
  )
  const when = (name: string): PlannedUse['when'] => (STARTS.test(name) ? 'first' : ENDS.test(name) ? 'last' : 'then')
  return [...keypad, ...others].slice(0, most).map((name) => ({ action: 'click', name, when: when(name) }))
}

/** What a person would try, in an order in which it makes sense. */
export function planUse({ most }: { most: number }): { uses: PlannedUse[] } & PageListeners {
  const listeners = findListeners()
  const presses = planPresses(most)
  const fields = listFields()
    .slice(0, most)
    .map((field): PlannedUse => ({ action: 'type', name: nameElement(field), when: 'then' }))
  const drags = listDraggable()
    .filter((element) => !(element instanceof HTMLCanvasElement) || listeners.hasMoves)
    .slice(0, 1)
    .map((element): PlannedUse => ({ action: 'drag', name: nameElement(element), when: 'then' }))
  return {
    uses: [
      ...presses.filter(({ when }) => when === 'first'),
      ...fields,
      ...drags,
      ...presses.filter(({ when }) => when !== 'first'),
    ],
    ...listeners,
  }
}

const tried = new Set<Element>()
let current: Element | undefined

/** The element that was located last. */
export const currentTarget = (): Element | undefined => current

const LISTS = { click: listPressable, type: listFields, drag: listDraggable }

const isSearch = (field: HTMLInputElement): boolean =>
  field.type === 'search' ||
  /search|filter|\bfind\b/i.test(`${nameElement(field)} ${field.placeholder} ${field.name} ${field.id}`)

/** A word that the page shows, so that a search finds something. */
function pickWord(): string {
  const text = [...document.querySelectorAll('td, li, h2, h3, h4, article')]
    .map(({ textContent }) => textContent)
    .join(' ')
  return /\p{L}{4,12}/u.exec(text)?.[0] ?? 'a'
}

function pickNumber({ min, max }: HTMLInputElement): string {
  const [least, most] = [Number(min || -Infinity), Number(max || Infinity)]
  return String(Math.min(Math.max(7, least), most))
}

function pickText(field: HTMLInputElement): string {
  if (isSearch(field)) return pickWord()
  if (field.type === 'number') return pickNumber(field)
  if (field.type === 'text' && /\bname\b/i.test(nameElement(field))) return 'Ada Lovelace'
  if (field.type === 'text' && /e-?mail/i.test(nameElement(field))) return SAMPLES['email']!
  return SAMPLES[field.type] ?? 'Hello there'
}

function dropFor(element: Element): Pick<Place, 'drop'> {
  const place = element instanceof HTMLCanvasElement ? undefined : findDropPlace(element)
  if (!place) return {}
  const { left, top, width, height } = place.getBoundingClientRect()
  // Beyond its middle, so that it changes places.
  return { drop: { x: left + width / 2, y: top + 0.7 * height } }
}

/** False for a field whose value is chosen or set, such as a list or a date. */
export const isTyped = (field: Element): boolean =>
  field instanceof HTMLTextAreaElement ||
  (field instanceof HTMLElement && field.isContentEditable) ||
  (field instanceof HTMLInputElement && !SET_TYPES.has(field.type))

function textFor(field: Element): Pick<Place, 'text' | 'isSingleLine'> {
  if (field instanceof HTMLTextAreaElement) return { text: 'Hello there' }
  if (!(field instanceof HTMLInputElement)) return {}
  if (SET_TYPES.has(field.type)) return {}
  return { text: pickText(field), isSingleLine: true }
}

/** The outermost custom element that an element is inside, or itself. */
function hostOf(element: Element): Element {
  const root = element.getRootNode()
  return root instanceof ShadowRoot ? hostOf(root.host) : element
}

/** A switch is where its label is. */
function boxOf(element: Element): DOMRect {
  const box = element.getBoundingClientRect()
  const label = box.width < 2 && element instanceof HTMLInputElement ? element.labels?.[0] : undefined
  return label?.getBoundingClientRect() ?? box
}

/** Brings an element into view and says where it is; `currentTarget` from now on. */
export function aimAt(element: Element): Place {
  current = element
  const first = boxOf(element)
  if (first.top < 0 || first.bottom > innerHeight || first.left < 0 || first.right > innerWidth)
    element.scrollIntoView({ block: 'center', inline: 'center', behavior: 'instant' })
  const { left, top, width, height } = boxOf(element)
  const x = Math.min(Math.max(left + width / 2, 0), innerWidth - 1)
  const y = Math.min(Math.max(top + height / 2, 0), innerHeight - 1)
  const front = document.elementFromPoint(x, y)
  const isLabelled =
    element instanceof HTMLInputElement && [...(element.labels ?? [])].some((label) => label.contains(front))
  return {
    x,
    y,
    left,
    top,
    width,
    height,
    isCanvas: element instanceof HTMLCanvasElement,
    isInFront: front !== null && (element.contains(front) || front.contains(hostOf(element)) || isLabelled),
    looksUsable: element.matches(BUTTONS) || getComputedStyle(element).cursor === 'pointer',
  }
}

/** Brings the next target of this name into view; undefined if it is gone. A page that renders anew has other elements each time. */
export function locate({ action, name }: Pick<PlannedUse, 'action' | 'name'>): Place | undefined {
  const element = LISTS[action]().find((candidate) => !tried.has(candidate) && nameElement(candidate) === name)
  current = element
  if (!element) return undefined
  tried.add(element)
  const place = aimAt(element)
  return {
    ...place,
    looksUsable: action !== 'click' || place.looksUsable,
    ...(action === 'type' && textFor(element)),
    ...(action === 'drag' && dropFor(element)),
  }
}

/** Presses what no pointer reaches. */
export function pressCurrent(): void {
  if (current) press(current)
}

/** Sets a field that is not typed into, such as a date. */
export function fillCurrent(): void {
  if (current) setValue(current, SAMPLES[current instanceof HTMLInputElement ? current.type : ''] ?? 'Hello there')
}

/** Empties the field before something is typed into it. */
export function focusCurrent(): void {
  if (!(current instanceof HTMLElement)) return
  current.focus()
  if (current instanceof HTMLInputElement || current instanceof HTMLTextAreaElement) current.select()
}

/** True if nothing but the Enter key could send or add what was typed. */
export function isSentByEnter(): boolean {
  if (!(current instanceof HTMLInputElement)) return false
  const around = current.form ?? current.parentElement?.parentElement ?? document.body
  return around.querySelector('button, [role="button"], input[type="submit"]') === null
}

/** Takes back a search, which leaves nothing to see of the rest. */
export function restoreField(): void {
  if (current instanceof HTMLInputElement && isSearch(current)) setValue(current, '')
}

/** Keys go to the page, not to the field that was filled last. */
export function leaveField(): void {
  const { activeElement } = document
  if (activeElement instanceof HTMLElement && activeElement.matches(FIELDS)) activeElement.blur()
}

/** Where a card would be dragged to: the next of the lists that look like its own. */
function findDropPlace(element: Element): Element | undefined {
  for (let list = element.parentElement; list && list !== document.body; list = list.parentElement) {
    const next = list.nextElementSibling ?? list.previousElementSibling
    if (next && next.tagName === list.tagName && !next.contains(element) && list.className === next.className) {
      const same = element.parentElement!
      return [...next.querySelectorAll(same.tagName)].find(({ className }) => className === same.className) ?? next
    }
  }
  return element.nextElementSibling ?? undefined
}

/** Drags with the events of drag and drop. Returns false if it is not dragged so, or if there is nowhere to drop it. */
export async function dragCurrent(onto?: Element): Promise<boolean> {
  const place = current?.matches('[draggable="true"]') && (onto ?? findDropPlace(current))
  if (!current || !place) return false
  const dataTransfer = new DataTransfer()
  const send = (to: Element, type: string): void => {
    const { left, top, width, height } = to.getBoundingClientRect()
    const at = { clientX: left + width / 2, clientY: top + height / 2 }
    to.dispatchEvent(new DragEvent(type, { bubbles: true, composed: true, cancelable: true, dataTransfer, ...at }))
  }
  const dragged = current
  const pause = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20))
  send(dragged, 'dragstart')
  await pause()
  for (const type of ['dragenter', 'dragover', 'drop']) {
    send(place, type)
    await pause()
  }
  if (dragged.isConnected) send(dragged, 'dragend')
  return true
}
