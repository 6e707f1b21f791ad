import { EFFECT_EVENT } from './reports.ts'

/** What was done to an element, and whether anything changed. */
export interface Interaction {
  action: 'click' | 'type'
  /** The element's name as a user would say it. */
  target: string
  /** True if the document or a field changed, a dialog or download was asked for, or the page was to be left. */
  hadEffect: boolean
}

interface Bounds {
  mostActions: number
  /** In the page's time (`performance.now()`). */
  end: number
}

const BUTTONS =
  'button, [role="button"], [role="switch"], [role="tab"], input[type="button"], input[type="submit"], input[type="checkbox"], input[type="radio"], summary'
const FIELDS =
  'input:not([type]), input[type="text"], input[type="email"], input[type="number"], input[type="search"], input[type="tel"], input[type="url"], input[type="password"], input[type="range"], input[type="date"], textarea, select'

const SAMPLES: Record<string, string> = {
  email: 'ada@example.org',
  number: '7',
  tel: '5550100',
  url: 'https://example.org',
  password: 'Correct-Horse-9',
  range: '60',
  date: '2024-03-05',
}

export function isVisible(element: Element): boolean {
  return (
    element.checkVisibility({ visibilityProperty: true }) && (element.getClientRects().length > 0 || isToggle(element))
  )
}

/** Often only a switch's label is visible, and the box itself is hidden. */
function isToggle(element: Element): boolean {
  return element instanceof HTMLInputElement && (element.type === 'checkbox' || element.type === 'radio')
}

export function isDisabled(element: Element): boolean {
  return element.matches(':disabled, [aria-disabled="true"]')
}

/** Returns true for a control that is already on: pressing it would change nothing or undo something. */
function isAlreadyOn(element: Element): boolean {
  return element.matches(
    '[aria-pressed="true"], [role="tab"][aria-selected="true"], [role="radio"][aria-checked="true"], [aria-current="true"], input[type="radio"]:checked',
  )
}

/** The words of a field's label, without those of the field inside it. */
function readLabel(field: Element): string | undefined {
  const label =
    field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
      ? field.labels?.[0]?.textContent
      : undefined
  return label?.replace(field.textContent, '')
}

export function nameElement(element: Element): string {
  const candidates = [
    element.getAttribute('aria-label'),
    element instanceof HTMLSelectElement ? undefined : element.textContent,
    readLabel(element),
    element.getAttribute('placeholder'),
    element.getAttribute('name'),
    element.getAttribute('value'),
    element.id,
  ]
  const name =
    candidates.map((text) => (text ?? '').replace(/\s+/g, ' ').trim()).find((text) => text !== '') ??
    element.tagName.toLowerCase()
  return name.slice(0, 60)
}

const nextTurn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 0))
const nextFrame = (): Promise<void> =>
  Promise.race([
    new Promise<void>((resolve) => requestAnimationFrame(() => resolve())),
    new Promise<void>((resolve) => setTimeout(resolve, 50)),
  ])

/** Includes values and choices, which are not in the markup. */
function readState(): string {
  const fields = [...document.querySelectorAll('input, textarea, select')].map((field) =>
    field instanceof HTMLInputElement
      ? `${field.value}/${field.checked}`
      : field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
        ? field.value
        : '',
  )
  return [
    ...fields,
    location.hash,
    window.scrollY,
    document.querySelectorAll('details[open], dialog[open]').length,
  ].join('\n')
}

/** Effects that leave no trace in the document. */
let outwardEffects = 0
const countEffect = () => outwardEffects++
document.addEventListener(EFFECT_EVENT, countEffect)
document.addEventListener('submit', countEffect)
window.addEventListener('beforeunload', countEffect)

/** Returns true if an action changes the document; waits a frame or two for handlers. */
export async function changesPage(
  act: () => void,
  isOwnChange: (record: MutationRecord) => boolean = () => false,
): Promise<boolean> {
  const before = readState()
  const effectsBefore = outwardEffects
  let changes = 0
  const observer = new MutationObserver(
    (records) => (changes += records.filter((record) => !isOwnChange(record)).length),
  )
  observer.observe(document, { subtree: true, childList: true, attributes: true, characterData: true })
  act()
  await nextTurn()
  if (changes === 0 && outwardEffects === effectsBefore) await nextFrame()
  changes += observer.takeRecords().length
  observer.disconnect()
  return changes > 0 || outwardEffects > effectsBefore || readState() !== before
}

export function setValue(field: Element, value: string): void {
  if (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement) field.value = value
  if (field instanceof HTMLSelectElement)
    field.selectedIndex =
      field.options.length > 1 ? (field.selectedIndex + 1) % field.options.length : field.selectedIndex
  field.dispatchEvent(new InputEvent('input', { bubbles: true, composed: true, data: value, inputType: 'insertText' }))
  field.dispatchEvent(new Event('change', { bubbles: true, composed: true }))
}

export async function typeIntoFields({ mostActions, end }: Bounds): Promise<Interaction[]> {
  const done: Interaction[] = []
  const seen = new Set<Element>()
  while (done.length < mostActions && performance.now() < end) {
    const field = [...document.querySelectorAll(FIELDS)].find(
      (candidate) =>
        !seen.has(candidate) && isVisible(candidate) && !isDisabled(candidate) && !candidate.hasAttribute('readonly'),
    )
    if (!field) break
    seen.add(field)
    const value = SAMPLES[field instanceof HTMLInputElement ? field.type : ''] ?? 'Hello there'
    done.push({
      action: 'type',
      target: nameElement(field),
      hadEffect: await changesPage(() => setValue(field, value)),
    })
  }
  return done
}

export function press(element: Element): void {
  const options = { bubbles: true, composed: true, cancelable: true, view: window, button: 0 }
  element.dispatchEvent(new PointerEvent('pointerdown', { ...options, pointerId: 1, isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mousedown', options))
  element.dispatchEvent(new PointerEvent('pointerup', { ...options, pointerId: 1, isPrimary: true }))
  element.dispatchEvent(new MouseEvent('mouseup', options))
  if (element instanceof HTMLElement) element.click()
  else element.dispatchEvent(new MouseEvent('click', options))
}

export async function pressButtons({ mostActions, end }: Bounds): Promise<Interaction[]> {
  const done: Interaction[] = []
  const seen = new Set<Element>()
  // A page that re-renders on each click has new elements each time, so pressed ones are known by name.
  const pressedNames = new Map<string, number>()
  const names = (): Map<string, Element[]> =>
    Map.groupBy(
      [...document.querySelectorAll(BUTTONS)].filter(
        (element) => isVisible(element) && !isDisabled(element) && !isAlreadyOn(element),
      ),
      nameElement,
    )
  const wanted = [...names()].map(([name, elements]) => ({ name, count: elements.length }))
  for (const { name, count } of wanted) {
    for (let index = 0; index < count && done.length < mostActions && performance.now() < end; index++) {
      const element = names()
        .get(name)
        ?.find((candidate) => !seen.has(candidate))
      if (!element || (pressedNames.get(name) ?? 0) >= count) break
      seen.add(element)
      pressedNames.set(name, (pressedNames.get(name) ?? 0) + 1)
      done.push({ action: 'click', target: name, hadEffect: await changesPage(() => press(element)) })
    }
  }
  return done
}
