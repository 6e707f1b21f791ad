import { LATE_SCRIPT } from './late-script.ts'

/** For pages that paint nothing or are not visible. */
const LATEST_MS = 200

function load(): void {
  for (const waiting of document.querySelectorAll<HTMLScriptElement>(`script[type="${LATE_SCRIPT}"]`)) {
    const script = document.createElement('script')
    script.crossOrigin = 'anonymous'
    script.src = waiting.src
    waiting.replaceWith(script)
  }
}

export function loadLateScripts(): void {
  new PerformanceObserver((list) => {
    if (list.getEntriesByName('first-contentful-paint').length > 0) load()
  }).observe({ type: 'paint', buffered: true })
  window.addEventListener('load', () => setTimeout(load, LATEST_MS))
}
