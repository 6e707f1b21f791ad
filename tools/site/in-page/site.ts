/** The documentation's search and menu, in the browser. The index is a script: from a disk nothing can be fetched. */
import { findSections, type Found, type SearchIndex } from './search.ts'

declare global {
  interface Window {
    /** Set by `search-index.js`. */
    benchmakerSearch?: SearchIndex
  }
}

const toRoot = document.documentElement.dataset['root'] ?? ''
const search = document.querySelector<HTMLElement>('.search')!
const input = search.querySelector('input')!
const list = search.querySelector<HTMLElement>('#found')!
const heard = search.querySelector<HTMLElement>('.heard')!
const menu = document.querySelector<HTMLButtonElement>('.menu')!

let loading: Promise<SearchIndex> | undefined

function loadIndex(): Promise<SearchIndex> {
  loading ??= new Promise<SearchIndex>((resolve, reject) => {
    const script = document.createElement('script')
    script.src = `${toRoot}search-index.js`
    script.addEventListener('load', () =>
      window.benchmakerSearch ? resolve(window.benchmakerSearch) : reject(new Error('the index is empty')),
    )
    script.addEventListener('error', () => reject(new Error('search-index.js is missing')))
    document.head.append(script)
  })
  return loading
}

/** Text with the words found in <mark>. */
function markWords(text: string, words: readonly string[]): DocumentFragment {
  const fragment = document.createDocumentFragment()
  const escaped = words.map((word) => word.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  const parts = escaped.length === 0 ? [text] : text.split(new RegExp(`(${escaped.join('|')})`, 'gi'))
  for (const [index, part] of parts.entries()) {
    if (index % 2 === 0) fragment.append(part)
    else fragment.append(Object.assign(document.createElement('mark'), { textContent: part }))
  }
  return fragment
}

function drawFound({ address, page, heading, excerpt, words }: Found, index: number): HTMLElement {
  const link = document.createElement('a')
  link.href = toRoot + address
  link.id = `found-${index}`
  link.tabIndex = -1
  link.setAttribute('role', 'option')
  link.setAttribute('aria-selected', 'false')
  const title = document.createElement('strong')
  title.append(markWords(heading, words))
  link.append(title)
  if (heading !== page) link.append(Object.assign(document.createElement('small'), { textContent: page }))
  const text = document.createElement('span')
  text.append(markWords(excerpt, words))
  link.append(text)
  return link
}

function show(isShown: boolean): void {
  list.hidden = !isShown
  input.setAttribute('aria-expanded', String(isShown))
  if (!isShown) input.removeAttribute('aria-activedescendant')
}

function drawMessage(text: string): void {
  const message = document.createElement('p')
  message.textContent = text
  list.replaceChildren(message)
  heard.textContent = text
}

let lastQuery = ''

async function refresh(): Promise<void> {
  const query = input.value.trim()
  lastQuery = query
  if (query === '') {
    show(false)
    heard.textContent = ''
    return
  }
  try {
    const found = findSections(await loadIndex(), query)
    // A slow index must not show what was asked before.
    if (query !== lastQuery) return
    if (found.length === 0) drawMessage(`Nothing found for “${query}”.`)
    else {
      list.replaceChildren(...found.map(drawFound))
      heard.textContent = `${found.length} ${found.length === 1 ? 'result' : 'results'}`
    }
  } catch (error) {
    drawMessage(`The search does not work: ${error instanceof Error ? error.message : String(error)}.`)
  }
  show(true)
}

function selected(): HTMLElement | null {
  return list.querySelector('[aria-selected=true]')
}

function select(step: number): void {
  const options = [...list.querySelectorAll<HTMLElement>('[role=option]')]
  if (options.length === 0) return
  const now = selected()
  const before = now ? options.indexOf(now) : step > 0 ? -1 : options.length
  const next = options[(before + step + options.length) % options.length]!
  now?.setAttribute('aria-selected', 'false')
  next.setAttribute('aria-selected', 'true')
  next.scrollIntoView({ block: 'nearest' })
  input.setAttribute('aria-activedescendant', next.id)
}

input.addEventListener('input', () => void refresh())
input.addEventListener('focus', () => {
  void loadIndex().catch(() => undefined)
  if (input.value.trim() !== '') void refresh()
})
input.addEventListener('keydown', (event) => {
  if (event.key === 'ArrowDown') select(1)
  else if (event.key === 'ArrowUp') select(-1)
  else if (event.key === 'Enter') (selected() ?? list.querySelector<HTMLElement>('[role=option]'))?.click()
  else if (event.key === 'Escape' && !list.hidden) show(false)
  else return
  event.preventDefault()
})
// A link to a section of this page loads nothing: the list must close itself.
list.addEventListener('click', () => show(false))
document.addEventListener('pointerdown', (event) => {
  if (event.target instanceof Node && !search.contains(event.target)) show(false)
})
search.addEventListener('focusout', (event) => {
  if (!(event.relatedTarget instanceof Node) || !search.contains(event.relatedTarget)) show(false)
})
document.addEventListener('keydown', (event) => {
  if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || event.target === input) return
  event.preventDefault()
  input.focus()
})

menu.addEventListener('click', () => {
  const isOpen = document.body.classList.toggle('menu-open')
  menu.setAttribute('aria-expanded', String(isOpen))
  menu.setAttribute('aria-label', isOpen ? 'Close navigation' : 'Open navigation')
})

// The sidebar is longer than a window.
document.querySelector('#sidebar [aria-current]')?.scrollIntoView({ block: 'nearest' })
