import type { AnswerStyle } from '../../contract/index.ts'

const count = (text: string, pattern: RegExp) => text.match(pattern)?.length ?? 0

/** Counts what a reader may take for quality: length, and Markdown headers, list items, bold passages and code blocks. */
export function measureStyle(response: string): AnswerStyle {
  const blocks = response.match(/^```[\s\S]*?^```/gm) ?? []
  // What is inside a code block is code: a comment there is no header.
  const prose = blocks.reduce((text, block) => text.replace(block, ''), response)
  return {
    length: response.length,
    headers: count(prose, /^ {0,3}#{1,6} +\S/gm),
    listItems: count(prose, /^\s*(?:[-*+]|\d+[.)]) +\S/gm),
    bold: count(prose, /\*\*[^*\n]+\*\*|__[^_\n]+__/g),
    codeBlocks: blocks.length,
  }
}
