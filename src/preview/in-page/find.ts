import { isBox, isDisabled, findAll } from './elements.ts'

/** Finds what a scripted test names, and reads what people see of it. Runs in the driver's world. */

/** As `PageTarget` in the contract. */
export type Target =
  | string
  | {
      css?: string | undefined
      role?: string | undefined
      text?: string | undefined
      label?: string | undefined
      nth?: number | undefined
    }

/** The elements that have a role without saying so. */
const ROLES: Record<string, string> = {
  button: 'button, input[type="button"], input[type="submit"], input[type="reset"], summary',
  link: 'a[href]',
  heading: 'h1, h2, h3, h4, h5, h6',
  textbox:
    'input:not([type]), input[type="text"], input[type="email"], input[type="tel"], input[type="url"], input[type="search"], input[type="password"], textarea, [contenteditable="true"], [contenteditable=""]',
  searchbox: 'input[type="search"]',
  spinbutton: 'input[type="number"]',
  slider: 'input[type="range"]',
  checkbox: 'input[type="checkbox"]',
  switch: 'input[type="checkbox"]',
  radio: 'input[type="radio"]',
  combobox: 'select:not([multiple])',
  listbox: 'select[multiple]',
  option: 'option',
  list: 'ul, ol',
  listitem: 'li',
  img: 'img, svg',
  dialog: 'dialog',
  navigation: 'nav',
  main: 'main',
  banner: 'body > header',
  contentinfo: 'body > footer',
  form: 'form',
  table: 'table',
  row: 'tr',
  cell: 'td',
  columnheader: 'th',
  article: 'article',
  progressbar: 'progress',
  status: 'output',
}

const isField = (element: Element): element is HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement =>
  element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement || element instanceof HTMLSelectElement

/** False for what is cut off by what it is inside of, such as a closed accordion, or lies where no scrolling leads. */
function isWithinReach(element: Element): boolean {
  let { left, top, right, bottom } = element.getBoundingClientRect()
  for (let around = element.parentElement; around; around = around.parentElement) {
    if (around === document.body || around === document.documentElement) break
    const { overflowX, overflowY } = getComputedStyle(around)
    const box = around.getBoundingClientRect()
    if (/hidden|clip/.test(overflowX)) [left, right] = [Math.max(left, box.left), Math.min(right, box.right)]
    if (/hidden|clip/.test(overflowY)) [top, bottom] = [Math.max(top, box.top), Math.min(bottom, box.bottom)]
  }
  const { scrollWidth } = document.documentElement
  return (
    right - left > 0 &&
    bottom - top > 0 &&
    right + scrollX > 0 &&
    bottom + scrollY > 0 &&
    left + scrollX < Math.max(scrollWidth, innerWidth)
  )
}

/** True if a person sees it, or could by scrolling. A switch is seen if its label is, and a choice if its list is. */
function isSeen(element: Element): boolean {
  if (element instanceof HTMLOptionElement) {
    const list = element.closest('select')
    return list !== null && isSeen(list)
  }
  if (isBox(element) && [...(element.labels ?? [])].some(isSeen)) return true
  return element.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && isWithinReach(element)
}

const PATTERN = /^\/(.*)\/([imsu]*)$/s

const tidy = (text: string | null | undefined): string => (text ?? '').replace(/\s+/g, ' ').trim()

/** With what is inside of custom elements, after what is around them. */
function readShownText(element: HTMLElement): string {
  const roots = [element, ...element.querySelectorAll('*')].flatMap(({ shadowRoot }) => shadowRoot ?? [])
  const inside = roots.flatMap(({ childNodes }) =>
    [...childNodes].map((node) => {
      if (node instanceof HTMLElement) return /^(?:style|script)$/i.test(node.tagName) ? '' : readShownText(node)
      return node instanceof Comment ? '' : (node.textContent ?? '')
    }),
  )
  return [element.innerText, ...inside].join(' ')
}

/** What it says to people; of a field, what is in it. */
function readElementText(element: Element): string {
  if (element instanceof HTMLSelectElement) return tidy(element.selectedOptions[0]?.text)
  if (isField(element)) return isBox(element) ? '' : element.value
  return tidy(element instanceof HTMLElement ? readShownText(element) : element.textContent)
}

function namesOf(element: Element): string[] {
  const labelled = element.getAttribute('aria-labelledby')?.split(/\s+/) ?? []
  return [
    readElementText(element),
    element.getAttribute('aria-label'),
    labelled.map((id) => document.getElementById(id)?.textContent ?? '').join(' '),
    ...(isField(element) ? [...(element.labels ?? [])].map((label) => label.textContent) : []),
    element.getAttribute('title'),
    element.getAttribute('alt'),
    element.getAttribute('placeholder'),
  ]
    .map(tidy)
    .filter((name) => name !== '')
}

/** Those called so; if there are none, those whose name has the words in it. */
function named(elements: Element[], words: string, read: (element: Element) => string[]): Element[] {
  const [, source, flags] = PATTERN.exec(words) ?? []
  if (source !== undefined) {
    const pattern = new RegExp(source, flags)
    return elements.filter((element) => read(element).some((name) => pattern.test(name)))
  }
  const wanted = tidy(words).toLowerCase()
  const lower = (element: Element): string[] => read(element).map((name) => name.toLowerCase())
  const same = elements.filter((element) => lower(element).includes(wanted))
  return same.length > 0 ? same : elements.filter((element) => lower(element).some((name) => name.includes(wanted)))
}

const labelsOf = (field: Element): string[] => namesOf(field).filter((name) => name !== readElementText(field))

/** What can say these words at all: reading what each element shows takes long. */
function mayBeCalled(element: Element, words: string): boolean {
  if (PATTERN.test(words)) return true
  const text = isField(element) ? element.value : element.textContent
  return (
    tidy(text).toLowerCase().includes(words) ||
    element.matches('[aria-label], [aria-labelledby], [title], [alt], [placeholder]')
  )
}

function listCandidates({ css, role, text, label }: Exclude<Target, string>): Element[] {
  const selectors = [
    css,
    role === undefined ? undefined : [...(ROLES[role] ? [ROLES[role]] : []), `[role="${role}"]`].join(', '),
    label === undefined ? undefined : 'input, textarea, select, [contenteditable], [role]',
  ].filter((selector) => selector !== undefined)
  const [first = 'body *', ...others] = selectors
  const words = tidy(text).toLowerCase()
  const found = findAll(first).filter(
    (element) =>
      // Another role than its kind has.
      (role === undefined || (element.getAttribute('role') ?? role) === role) &&
      (text === undefined || mayBeCalled(element, words)),
  )
  return others.length === 0 ? found : found.filter((element) => others.every((selector) => element.matches(selector)))
}

/** The elements of a target that are to be seen, in the order of the page. */
export function findTargets(target: Target): Element[] {
  const wanted = typeof target === 'string' ? { css: target } : target
  const { css, role, text, label, nth } = wanted
  let found = listCandidates(wanted).filter(isSeen)
  if (label !== undefined) found = named(found, label, labelsOf)
  if (text !== undefined) {
    found = named(found, text, namesOf)
    // Of what is around it, everything says the same.
    if (css === undefined && role === undefined && label === undefined)
      found = found.filter((element) => !found.some((other) => other !== element && element.contains(other)))
  }
  if (nth === undefined) return found
  const one = found.at(nth > 0 ? nth - 1 : nth)
  return one ? [one] : []
}

/** Red, green, blue and opacity of a colour in any notation, 0 to 255; undefined for anything else. */
export function toRgb(colour: string): number[] | undefined {
  if (!CSS.supports('color', colour) || /^(?:inherit|initial|unset|revert.*|currentcolor)$/i.test(colour.trim()))
    return undefined
  const context = new OffscreenCanvas(1, 1).getContext('2d')
  if (!context) return undefined
  context.fillStyle = colour
  context.fillRect(0, 0, 1, 1)
  return [...context.getImageData(0, 0, 1, 1).data]
}

/** A colour in any notation as #rrggbb or #rrggbbaa. */
function toHex(colour: string): string | undefined {
  const rgb = toRgb(colour)
  if (!rgb) return undefined
  const [red = 0, green = 0, blue = 0, alpha = 255] = rgb
  const parts = alpha === 255 ? [red, green, blue] : [red, green, blue, alpha]
  return `#${parts.map((part) => part.toString(16).padStart(2, '0')).join('')}`
}

/** Which facts of an element are asked for besides the usual ones. */
export interface Question {
  of?: Target | undefined
  attributes: string[]
  style: string[]
  /** Other elements, whose places are compared with its own. */
  others: Target[]
  colours: string[]
}

function boxOf(element: Element | undefined) {
  if (!element) return undefined
  const { left, top, right, bottom, width, height } = element.getBoundingClientRect()
  return { left, top, right, bottom, width, height }
}

/** Styles are read from a declaration by name: of custom properties too. */
function readStyle(element: Element, names: readonly string[]): Record<string, string> {
  const style = getComputedStyle(element)
  return Object.fromEntries(
    names.map((name) => {
      const seen = style.getPropertyValue(name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)).trim()
      return [name, toHex(seen) ?? seen]
    }),
  )
}

/** What is to be seen of an element, and of the page. */
export function observe({ of, attributes, style, others, colours }: Question) {
  const found = of === undefined ? [] : findTargets(of)
  const [first] = found
  const focused = document.activeElement
  return {
    title: document.title,
    count: found.length,
    texts: found.slice(0, 200).map(readElementText),
    colours: Object.fromEntries(colours.map((colour) => [colour, toHex(colour) ?? null])),
    others: others.map((target) => boxOf(findTargets(target)[0]) ?? null),
    ...(first && {
      element: {
        text: readElementText(first),
        value: isField(first) ? first.value : null,
        checked: isBox(first)
          ? first.checked
          : ['aria-checked', 'aria-pressed', 'aria-selected'].some((name) => first.getAttribute(name) === 'true'),
        disabled: isDisabled(first),
        focused: focused !== null && (first === focused || first.contains(focused)) && focused !== document.body,
        attributes: Object.fromEntries(attributes.map((name) => [name, first.getAttribute(name)])),
        style: readStyle(first, style),
        box: boxOf(first),
      },
    }),
  }
}
