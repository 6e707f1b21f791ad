/** Makes one picture of a page that is longer than the screen. */

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
export function waitUntilDrawn(): Promise<void> {
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

/** One screenful of a page. */
interface Slice {
  /** How far down the page it begins. */
  top: number
  /** In base 64. */
  png: string
}

/**
 * Puts screenfuls together to one picture of the whole page, in base 64. Runs in the document around the page. A frame as tall as
 * the page would be simpler, but then everything in the page that is "as tall as the screen" would be as tall as the page.
 */
export async function stackSlices(slices: readonly Slice[], width: number, height: number): Promise<string> {
  const canvas = document.createElement('canvas')
  canvas.width = width
  canvas.height = height
  const pen = canvas.getContext('2d')!
  for (const { top, png } of slices) {
    const image = new Image()
    image.src = `data:image/png;base64,${png}`
    await image.decode()
    pen.drawImage(image, 0, top)
  }
  const address = canvas.toDataURL('image/png')
  return address.slice(address.indexOf(',') + 1)
}
