import { toRgb } from './find.ts'

/** Reads the blocks of text on a page: each element that has text of its own, with the box of that text. */

const MOST_BLOCKS = 400

interface Block {
  text: string
  left: number
  top: number
  width: number
  height: number
  colour: number[]
}

/** What is written inside a line, such as a bold word, belongs to the block around it. */
const isInLine = (element: Element): boolean =>
  getComputedStyle(element).display.startsWith('inline') && element.parentElement !== null

function holderOf(text: Node): Element | undefined {
  let holder = text.parentElement ?? undefined
  while (holder && isInLine(holder) && !holder.matches('button, a[href], input'))
    holder = holder.parentElement ?? undefined
  return holder
}

const isShown = (element: Element): boolean =>
  element.checkVisibility({ opacityProperty: true, visibilityProperty: true }) &&
  !element.closest('script, style, noscript, template')

export function readBlocks(): { blocks: Block[]; width: number; height: number } {
  const groups = new Map<Element, { texts: string[]; range: DOMRect[]; first: Element }>()
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  while (walker.nextNode() && groups.size < MOST_BLOCKS) {
    const node = walker.currentNode
    const text = node.textContent?.replace(/\s+/g, ' ') ?? ''
    const [parent, holder] = [node.parentElement, holderOf(node)]
    if (text.trim() === '' || !parent || !holder || !isShown(parent)) continue
    const range = document.createRange()
    range.selectNodeContents(node)
    const group = groups.get(holder) ?? { texts: [], range: [], first: parent }
    group.texts.push(text)
    group.range.push(range.getBoundingClientRect())
    groups.set(holder, group)
  }
  const { scrollWidth, scrollHeight } = document.documentElement
  const blocks = [...groups.values()].map(({ texts, range, first }) => {
    const left = Math.min(...range.map((box) => box.left)) + scrollX
    const top = Math.min(...range.map((box) => box.top)) + scrollY
    return {
      text: texts.join('').trim(),
      left,
      top,
      width: Math.max(...range.map((box) => box.right)) + scrollX - left,
      height: Math.max(...range.map((box) => box.bottom)) + scrollY - top,
      colour: toRgb(getComputedStyle(first).color) ?? [0, 0, 0],
    }
  })
  return {
    blocks: blocks.filter(({ width, height }) => width > 0 && height > 0),
    width: Math.max(1, scrollWidth),
    height: Math.max(1, scrollHeight),
  }
}
