import { toText, noteEffect, report, type PreviewMessage } from './reports.ts'
import { watchListeners } from './listeners.ts'
import { watchTimers } from './timers.ts'
import { askForStorage, tellStorage, type StoredItems } from './kept-storage.ts'
import { LATE_SCRIPT } from './late-script.ts'

/** Storage that lasts as long as the page: the real one throws in a page without an origin. */
function createStorage(items: Map<string, string>): Storage {
  const methods: Storage = {
    get length() {
      return items.size
    },
    clear: () => items.clear(),
    getItem: (key) => items.get(String(key)) ?? null,
    key: (index) => [...items.keys()][index] ?? null,
    removeItem: (key) => void items.delete(String(key)),
    setItem: (key, value) => void items.set(String(key), String(value)),
  }
  // Pages also write `localStorage.theme = 'dark'`.
  return new Proxy(methods, {
    get: (target, key) => (typeof key === 'string' && !(key in target) ? items.get(key) : Reflect.get(target, key)),
    set(_target, key, value) {
      items.set(String(key), String(value))
      return true
    },
    has: (target, key) => key in target || items.has(String(key)),
    deleteProperty: (_target, key) => items.delete(String(key)) || true,
    ownKeys: () => [...items.keys()],
    getOwnPropertyDescriptor: (target, key) =>
      typeof key === 'string' && items.has(key)
        ? { value: items.get(key), configurable: true, enumerable: true, writable: true }
        : Reflect.getOwnPropertyDescriptor(target, key),
  })
}

function replaceCookie(): void {
  const cookies = new Map<string, string>()
  Object.defineProperty(document, 'cookie', {
    configurable: true,
    get: () => [...cookies].map(([name, value]) => `${name}=${value}`).join('; '),
    set(text: unknown) {
      const [pair = '', ...attributes] = String(text).split(';')
      const [name = '', ...value] = pair.split('=')
      const isExpired = attributes.some((attribute) => /^\s*(?:max-age=(?:0|-)|expires=.*1970)/i.test(attribute))
      if (isExpired) cookies.delete(name.trim())
      else cookies.set(name.trim(), value.join('=').trim())
    },
  })
}

function replaceStorage(): void {
  const kept = askForStorage()
  const stores = new Map(['localStorage', 'sessionStorage'].map((name) => [name, new Map(kept[name])]))
  for (const [name, items] of stores)
    Object.defineProperty(window, name, { configurable: true, value: createStorage(items) })
  tellStorage((): StoredItems => Object.fromEntries([...stores].map(([name, items]) => [name, [...items]])))
  replaceCookie()
}

/** Serves the files of the answer that a page requests while it runs; to the browser they would come from the network. */
const TYPES: Record<string, string> = {
  json: 'application/json',
  svg: 'image/svg+xml',
  html: 'text/html',
  css: 'text/css',
  csv: 'text/csv',
  js: 'text/javascript',
  ts: 'text/javascript',
}

function findAnswerFile(address: string): { text: string; type: string } | undefined {
  const files: Record<string, string> | undefined = Reflect.get(window, 'previewFiles')
  if (!files || !URL.canParse(address, location.href)) return undefined
  const { origin, pathname } = new URL(address, location.href)
  if (origin !== new URL(location.href).origin) return undefined
  const wanted = pathname.slice(1)
  const names = Object.keys(files)
  const name =
    names.find((file) => file === wanted) ??
    names.find((file) => file.endsWith(`/${wanted}`) || wanted.endsWith(`/${file}`))
  const text = name === undefined ? undefined : files[name]
  return text === undefined ? undefined : { text, type: TYPES[wanted.replace(/^.*\./, '')] ?? 'text/plain' }
}

function serveWorkers(): void {
  const { Worker: OriginalWorker } = window
  window.Worker = class Worker extends OriginalWorker {
    constructor(address: string | URL, options?: WorkerOptions) {
      const file = findAnswerFile(String(address))
      super(file ? URL.createObjectURL(new Blob([file.text], { type: 'text/javascript' })) : address, options)
    }
  }
}

function serveRequests(): void {
  const { fetch: fetchFromNetwork } = window
  window.fetch = async (request, options) => {
    const file = findAnswerFile(request instanceof Request ? request.url : String(request))
    return file
      ? new Response(file.text, { headers: { 'content-type': file.type } })
      : fetchFromNetwork.call(window, request, options)
  }
}

function serveAnswerFiles(): void {
  serveWorkers()
  serveRequests()
}

/** Shows another page of the answer in place of this one. The window stays, so what the old page left running is ended. */
function endTimers(): void {
  const last = Number(setTimeout(() => undefined))
  for (let id = Math.max(0, last - 10_000); id <= last; id++) {
    clearTimeout(id)
    cancelAnimationFrame(id)
  }
}

/** Returns false if the answer has no such page. */
function openPage(href: string): boolean {
  const pages: Record<string, string> | undefined = Reflect.get(window, 'previewPages')
  if (!pages) return false
  const [path = '', hash = ''] = href.split('#')
  const wanted = path.replace(/\?.*$/, '').replace(/^(?:\.{0,2}\/)+/, '')
  const name = Object.keys(pages).find(
    (page) => page === wanted || page.endsWith(`/${wanted}`) || wanted.endsWith(`/${page}`),
  )
  const html = name === undefined ? undefined : pages[name]
  if (html === undefined) return false
  endTimers()
  document.open()
  document.write(html)
  document.close()
  window.scrollTo(0, 0)
  if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  return true
}

/** For pages that paint nothing or are not visible. */
const LATEST_MS = 200

/** Not one of the page's timers, which are watched. */
const { setTimeout: setOwnTimeout } = window

function load(): void {
  for (const waiting of document.querySelectorAll<HTMLScriptElement>(`script[type="${LATE_SCRIPT}"]`)) {
    const script = document.createElement('script')
    script.crossOrigin = 'anonymous'
    script.src = waiting.src
    waiting.replaceWith(script)
  }
}

function loadLateScripts(): void {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) load()
  }).observe({ type: 'paint', buffered: true })
  window.addEventListener('load', () => setOwnTimeout(load, LATEST_MS))
}

/** The first script of every preview: provides what a page without an origin lacks, and reports what happens in it. */

replaceStorage()
// It only throws in a page without an origin; pages ask whether there is one.
Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
serveAnswerFiles()
watchTimers()
watchListeners()

/** The origin in its address; to its scripts it has none. */
const ownOrigin = new URL(location.href).origin

const LEVELS: PreviewMessage['level'][] = ['debug', 'log', 'info', 'warn', 'error']
for (const level of LEVELS) {
  const original = console[level]
  console[level] = (...values: unknown[]) => {
    report('console', level, values.map(toText).join(' '))
    original.apply(console, values)
  }
}

/** A grey box instead of a blocked image, in the size that its address or attributes give. */
function showPlaceholder(image: HTMLImageElement): void {
  const [, width = 600, height = 400] = /(?:\/|=)(\d{2,4})(?:x|\/)(\d{2,4})/.exec(image.src) ?? []
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="100%" height="100%" fill="#c9ccd1"/></svg>`
  image.removeAttribute('srcset')
  image.src = `data:image/svg+xml,${encodeURIComponent(svg)}`
}

/** What only the network has is not the page's fault; the policy reports it as blocked. */
function isOnNetwork(address: string): boolean {
  return /^(?:https?:)?\/\//i.test(address.trim()) && !address.startsWith(ownOrigin)
}

/** How Chromium, Firefox and Safari say that a request was not answered; every request is blocked here. */
const NOT_ANSWERED = /^(?:Failed to fetch|NetworkError when attempting to fetch resource\.|Load failed)$/

window.addEventListener(
  'error',
  (event) => {
    const { target } = event
    if (event instanceof ErrorEvent) {
      report(
        'error',
        'error',
        event.error instanceof Error ? `${toText(event.error)} (line ${event.lineno})` : event.message,
      )
    } else if (target instanceof HTMLImageElement && /^https?:/.test(target.src)) {
      showPlaceholder(target)
    } else if (
      target instanceof Element &&
      !(target instanceof HTMLImageElement) &&
      !(target instanceof SVGImageElement)
    ) {
      const address = target.getAttribute('src') ?? target.getAttribute('href') ?? ''
      if (!isOnNetwork(address)) report('error', 'error', `${toText(target)} could not be loaded: ${address}`)
    }
  },
  true,
)
window.addEventListener('unhandledrejection', ({ reason }) => {
  if (reason instanceof TypeError && NOT_ANSWERED.test(reason.message)) return
  report('error', 'error', `Unhandled rejection: ${toText(reason)}`)
})
document.addEventListener('securitypolicyviolation', (event) =>
  report('blocked', 'warn', `${event.blockedURI.replace(ownOrigin, '')} (${event.effectiveDirective})`),
)

function reportDialog(text: string, kind = 'dialog'): void {
  report('console', 'info', text)
  noteEffect(kind)
}

// Dialogs and windows are blocked in the frame; the page gets the default answer.
window.alert = (text?: unknown) => reportDialog(`alert: ${toText(text)}`)
window.confirm = (text) => {
  reportDialog(`confirm: ${toText(text)} (answered yes)`)
  return true
}
window.prompt = (text, proposed) => {
  reportDialog(`prompt: ${toText(text)} (answered ${toText(proposed ?? '')})`)
  return proposed ?? ''
}
window.print = () => reportDialog('print', 'print')
window.open = (url) => {
  reportDialog(`The window for ${toText(url ?? '')} is not opened.`, 'window')
  return null
}

// Links to pages outside the answer would only show an error page.
document.addEventListener('click', (event) => {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
  const href = link?.getAttribute('href')
  if (href !== null && href !== undefined && !href.startsWith('#')) noteEffect('link')
  if (
    event.defaultPrevented ||
    !link ||
    href === null ||
    href === undefined ||
    href.startsWith('#') ||
    /^(?:javascript|blob|data):/i.test(href)
  )
    return
  event.preventDefault()
  if (openPage(href)) return
  report('console', 'info', `The link to ${href} is not followed.`)
})

// A page without an origin cannot change its address; routers work without it.
for (const name of ['pushState', 'replaceState'] as const) {
  const original = history[name].bind(history)
  history[name] = (state: unknown, unused: string, url?: string | URL | null) => {
    try {
      original(state, unused, url)
    } catch {
      original(state, unused)
    }
  }
}

// Pages that focus a field when they load would take the keyboard from whoever is typing in the app.
if (window.parent !== window && 'userActivation' in navigator)
  for (const prototype of [HTMLElement.prototype, SVGElement.prototype]) {
    const { focus } = prototype
    prototype.focus = function focusOnceUsed(options) {
      if (navigator.userActivation.hasBeenActive) focus.call(this, options)
    }
  }

loadLateScripts()

// Not every browser has a header that blocks these. A frame inside the page still has them: see `previewHeaders`.
for (const name of ['RTCPeerConnection', 'webkitRTCPeerConnection', 'RTCDataChannel', 'WebTransport'])
  Reflect.deleteProperty(window, name)
