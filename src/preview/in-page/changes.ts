import { findAll, listRoots } from './elements.ts'
import { EFFECT_EVENT } from './reports.ts'

/** Watches what an action changes on a page, apart from its pixels. */

/** Effects that leave no trace in the document, by kind: `dialog`, `sound`. */
let effects: string[] = []
document.addEventListener(EFFECT_EVENT, (event) =>
  effects.push(event instanceof CustomEvent && typeof event.detail === 'string' ? event.detail : 'effect'),
)
document.addEventListener('submit', (event) => {
  // A page that handles its forms itself shows what it does with them.
  setTimeout(() => event.defaultPrevented || effects.push('submit'))
})
window.addEventListener('beforeunload', () => effects.push('leaves'))

/** Values and choices, which are not in the markup. */
function readValues(): string {
  const fields = findAll('input, textarea, select').map((field) =>
    field instanceof HTMLInputElement
      ? `${field.value}/${field.checked}`
      : field instanceof HTMLTextAreaElement || field instanceof HTMLSelectElement
        ? field.value
        : '',
  )
  return [...fields, document.querySelectorAll('details[open], dialog[open]').length].join('\n')
}

interface State {
  values: string
  title: string
  hash: string
  scroll: string
  focused: Element | null
}

const readState = (): State => ({
  values: readValues(),
  title: document.title,
  hash: location.hash,
  scroll: `${window.scrollX} ${window.scrollY}`,
  focused: document.activeElement,
})

/** What an action changed, as far as the document tells. */
export interface Changes {
  /** What anyone would notice, in a word each: `title`, `sound`. */
  noticed: string[]
  /** Anything in the document or a field changed, seen or not. */
  isChanged: boolean
  /** Something changed that is further up or down the page. */
  isElsewhere: boolean
}

let before: State | undefined
let target: Element | undefined
let changed: Node[] = []
let changes = 0
const observer = new MutationObserver(note)

const MOST_NOTED = 500

function note(records: MutationRecord[]): void {
  for (const record of records) {
    changes++
    if (changed.length < MOST_NOTED)
      changed.push(...(record.addedNodes.length > 0 ? record.addedNodes : [record.target]))
  }
}

export function beginWatch(used: Element | undefined): void {
  endWatch()
  effects = []
  changed = []
  changes = 0
  target = used
  before = readState()
  for (const root of listRoots())
    observer.observe(root, { subtree: true, childList: true, attributes: true, characterData: true })
}

function isOutsideScreen(node: Node): boolean {
  const element = node instanceof Element ? node : node.parentElement
  if (!element?.isConnected || element === document.body || element === document.documentElement) return false
  if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return false
  const { top, bottom, width, height } = element.getBoundingClientRect()
  return width > 1 && height > 1 && (bottom <= 0 || top >= innerHeight)
}

/** Focus that goes elsewhere than to what was used. */
function isFocusMoved(now: Element | null): boolean {
  if (!before || now === before.focused || now === null || now === document.body) return false
  return !target || (now !== target && !now.contains(target) && !target.contains(now))
}

export function readChanges(): Changes {
  note(observer.takeRecords())
  const now = readState()
  const noticed = new Set(effects)
  if (before && now.title !== before.title) noticed.add('title')
  if (before && now.scroll !== before.scroll) noticed.add('scroll')
  if (isFocusMoved(now.focused)) noticed.add('focus')
  return {
    noticed: [...noticed],
    isChanged: changes > 0 || noticed.size > 0 || now.values !== before?.values || now.hash !== before.hash,
    isElsewhere: changed.some(isOutsideScreen),
  }
}

export function endWatch(): void {
  observer.disconnect()
}
