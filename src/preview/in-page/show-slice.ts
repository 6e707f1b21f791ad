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
export async function showSlice(top: number): Promise<number> {
  if (top === 0) restoreElements()
  else unpinElements()
  window.scrollTo({ top, behavior: 'instant' })
  await waitUntilDrawn()
  return window.scrollY
}
