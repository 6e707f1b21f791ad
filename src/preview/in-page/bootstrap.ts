/** The first script of every preview: provides what a page without an origin lacks, and reports what happens in it. */
import { serveAnswerFiles } from './answer-files.ts'
import { loadLateScripts } from './load-late-scripts.ts'
import { openPage } from './other-pages.ts'
import { describe, noteEffect, report, type PreviewMessage } from './reports.ts'
import { replaceStorage } from './storage.ts'
import { watchTimers } from './timers.ts'

replaceStorage()
serveAnswerFiles()
watchTimers()

/** The origin in its address; to its scripts it has none. */
const ownOrigin = new URL(location.href).origin

const LEVELS: PreviewMessage['level'][] = ['debug', 'log', 'info', 'warn', 'error']
for (const level of LEVELS) {
  const original = console[level]
  console[level] = (...values: unknown[]) => {
    report('console', level, values.map(describe).join(' '))
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
        event.error instanceof Error ? `${describe(event.error)} (line ${event.lineno})` : event.message,
      )
    } else if (target instanceof HTMLImageElement && /^https?:/.test(target.src)) {
      showPlaceholder(target)
    } else if (
      target instanceof Element &&
      !(target instanceof HTMLImageElement) &&
      !(target instanceof SVGImageElement)
    ) {
      const address = target.getAttribute('src') ?? target.getAttribute('href') ?? ''
      if (!isOnNetwork(address)) report('error', 'error', `${describe(target)} could not be loaded: ${address}`)
    }
  },
  true,
)
window.addEventListener('unhandledrejection', ({ reason }) => {
  if (reason instanceof TypeError && NOT_ANSWERED.test(reason.message)) return
  report('error', 'error', `Unhandled rejection: ${describe(reason)}`)
})
document.addEventListener('securitypolicyviolation', (event) =>
  report('blocked', 'warn', `${event.blockedURI.replace(ownOrigin, '')} (${event.effectiveDirective})`),
)

function reportDialog(text: string): void {
  report('console', 'info', text)
  noteEffect()
}

// Dialogs and windows are blocked in the frame; the page gets the default answer.
window.alert = (text?: unknown) => reportDialog(`alert: ${describe(text)}`)
window.confirm = (text) => {
  reportDialog(`confirm: ${describe(text)} (answered yes)`)
  return true
}
window.prompt = (text, proposed) => {
  reportDialog(`prompt: ${describe(text)} (answered ${describe(proposed ?? '')})`)
  return proposed ?? ''
}
window.print = () => reportDialog('print')
window.open = (url) => {
  reportDialog(`The window for ${describe(url ?? '')} is not opened.`)
  return null
}

// Links to pages outside the answer would only show an error page.
document.addEventListener('click', (event) => {
  const link = event.composedPath().find((target) => target instanceof HTMLAnchorElement)
  const href = link?.getAttribute('href')
  if (href !== null && href !== undefined && !href.startsWith('#')) noteEffect()
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
