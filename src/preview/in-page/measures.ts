import { nameElement } from './elements.ts'

/** How far the page scrolls sideways, in pixels, and the element that reaches furthest. */
export interface SidewaysScroll {
  by: number
  element: string
}

const MOST_SCANNED = 5000

const isClipped = (element: Element): boolean => /hidden|clip/.test(getComputedStyle(element).overflowX)

export function measureSideways(): SidewaysScroll | undefined {
  const root = document.scrollingElement
  const by = root ? root.scrollWidth - root.clientWidth : 0
  if (!root || by <= 1 || isClipped(document.documentElement) || (document.body && isClipped(document.body)))
    return undefined
  let furthest: Element | undefined
  let edge = root.clientWidth
  for (const element of [...document.querySelectorAll('body *')].slice(0, MOST_SCANNED)) {
    const right = element.getBoundingClientRect().right + window.scrollX
    if (right > edge + 1) {
      edge = right
      furthest = element
    }
  }
  const tag = furthest?.tagName.toLowerCase() ?? 'page'
  const name = furthest ? nameElement(furthest).slice(0, 30) : ''
  return { by, element: name === '' || name === tag ? `<${tag}>` : `<${tag}> ${JSON.stringify(name)}` }
}

/** How many elements of a kind are left among their neighbours, from the first try to the last. */
const KEPT = [50, 20, 8, 4]

/**
 * Leaves out elements that repeat among their neighbours, such as rows of a table, until the page has no more than this many:
 * a check of every element would take minutes. Only in a page that nobody looks at any more. Returns how many are left out.
 */
export function thinOut(most: number): number {
  const count = (): number => document.querySelectorAll('*').length
  const before = count()
  for (const kept of KEPT) {
    if (count() <= most) break
    for (const parent of document.querySelectorAll('body, body *')) {
      if (parent.childElementCount <= kept) continue
      const seen = new Map<string, number>()
      for (const child of Array.from(parent.children)) {
        const kind = `${child.tagName} ${child.getAttribute('class') ?? ''}`
        const number = (seen.get(kind) ?? 0) + 1
        seen.set(kind, number)
        if (number > kept) child.remove()
      }
    }
  }
  return before - count()
}
