const FENCE = /^[ \t]*((?:[-*+>]\s+|\d+[.)]\s+)?)(`{3,}|~{3,})[ \t]*([^`]*)$/
const SCRIPT_INFO = /^(?:m?js|javascript|jsx|ts|tsx|typescript)\b/i
const TEXT_ELEMENTS = ['script', 'style', 'textarea', 'pre', 'template', 'xmp']

/** Pairs fences like brackets: for the line of each that opens with a language, the line that closes it. */
function pairFences(lines: string[]): Map<number, number> {
  const pairs = new Map<number, number>()
  const open: { index: number; prefix: string; marker: string }[] = []
  for (const [index, line] of lines.entries()) {
    const [, prefix = '', marker = '', info = ''] = FENCE.exec(line) ?? []
    if (marker === '') continue
    if (info.trim() !== '') {
      open.push({ index, prefix, marker })
      continue
    }
    const last = open.at(-1)
    // In a comment the closing fence has a star before it, as the opening one has.
    if (!last || !marker.startsWith(last.marker) || (prefix !== '' && prefix !== last.prefix)) continue
    pairs.set(last.index, index)
    open.pop()
  }
  return pairs
}

/** True if a script ends in a template literal or a comment. */
function endsInText(code: string): boolean {
  const depths: number[] = []
  let braces = 0
  let isTemplate = false
  const tokens = /\\[\s\S]|\/\/[^\n]*|\/\*[\s\S]*?(?:\*\/|$)|'(?:\\.|[^'\\\n])*'|"(?:\\.|[^"\\\n])*"|`|\$\{|[{}]/g
  const inTemplate = /\\[\s\S]|`|\$\{/g
  for (let position = 0; position < code.length;) {
    const pattern = isTemplate ? inTemplate : tokens
    pattern.lastIndex = position
    const found = pattern.exec(code)
    if (!found) break
    const [token] = found
    position = pattern.lastIndex
    if (token.startsWith('/*') && (token.length < 4 || !token.endsWith('*/'))) return true
    if (token === '`') isTemplate = !isTemplate
    else if (token === '${' && isTemplate) {
      depths.push(braces)
      isTemplate = false
    } else if (token === '{') braces++
    else if (token === '}') {
      if (depths.at(-1) === braces) {
        depths.pop()
        isTemplate = true
      } else braces--
    }
  }
  return isTemplate || depths.length > 0
}

/** True if code stops in the middle: in a template literal, a comment, a script or a text field, or before the end of its page. */
function isCutOff(code: string, info: string): boolean {
  if (SCRIPT_INFO.test(info)) return endsInText(code)
  const count = (pattern: string): number => code.match(new RegExp(pattern, 'gi'))?.length ?? 0
  if (TEXT_ELEMENTS.some((name) => count(`<${name}[\\s>]`) > count(`</${name}\\s*>`))) return true
  return /<!doctype\s+html|<html[\s>]/i.test(code) && !/<\/html\s*>\s*(?:<!--[^>]*-->\s*)?$/i.test(code)
}

/**
 * Says where a fence ends that has samples in fences of their own, such as the Markdown that a page shows. Undefined if the code before
 * the first sample could be all of it, or if the code without the samples never comes to an end: the answer forgot to close the fence.
 */
function findEndAfterSamples(
  lines: string[],
  pairs: ReadonlyMap<number, number>,
  { start, sample, info }: { start: number; sample: number; info: string },
): number | undefined {
  const end = pairs.get(start)
  if (end === undefined || end < sample) return undefined
  if (!isCutOff(lines.slice(start + 1, sample).join('\n'), info)) return undefined
  const own: string[] = []
  for (let index = start + 1; index < end; index++) {
    const sampleEnd = pairs.get(index)
    if (sampleEnd === undefined) own.push(lines[index]!)
    else index = sampleEnd
  }
  return isCutOff(own.join('\n'), info) ? undefined : end
}

/** A part of an answer: prose, or the inside of a code fence. */
export interface Block {
  kind: 'prose' | 'code'
  text: string
  /** The text after the opening fence: `html`, `tsx title="App.tsx"`. */
  info: string
  /** False if the answer never closes the fence. */
  isClosed: boolean
}

interface OpenFence {
  marker: string
  indent: number
  info: string
  lines: string[]
  /** The number of open fences inside a Markdown fence. */
  depth: number
  /** The index of its line. */
  start: number
  /** The index of the line that closes it if it has samples in fences of their own; 'none' if the first of them is no sample. */
  end?: number | 'none'
}

const OPENING = /^([ \t]*(?:[-*+>]\s+|\d+[.)]\s+)?)(`{3,}|~{3,})[ \t]*([^`]*)$/
/** An opening fence after prose on the same line: "Here it is: ```html". */
const OPENING_AFTER_PROSE = /^(`{3,})(\w+)[ \t]*$/
const BARE_FENCE = /^[ \t]*(`{3,}|~{3,})[ \t]*$/
/** A closing fence after code on the same line: "</html>```". */
const CLOSING_AFTER_CODE = /[>};)][ \t]*(`{3,})$/
const MARKDOWN = /^(?:markdown|md|mdx)\b/i
const KNOWN_INFO =
  /^(?:html?|css|scss|less|js|javascript|jsx|tsx?|typescript|vue|svelte|svg|xml|json|bash|sh|shell|diff|python|py|sql|php|text|plaintext|yaml|toml|markdown|md)\b/i

function closes(line: string, { marker }: OpenFence): boolean {
  const [, fence = ''] = BARE_FENCE.exec(line) ?? []
  return fence.startsWith(marker)
}

function removeIndent(line: string, indent: number): string {
  let index = 0
  while (index < indent && (line[index] === ' ' || line[index] === '\t')) index++
  return line.slice(index)
}

function openFence(line: string, start: number): { fence: OpenFence; prose: string } | undefined {
  const plain = OPENING.exec(line)
  if (plain) {
    const [, indent = '', marker = '', info = ''] = plain
    return { fence: { marker, indent: indent.length, info: info.trim(), lines: [], depth: 0, start }, prose: '' }
  }
  const ticks = line.indexOf('`')
  const behind = ticks > 0 ? OPENING_AFTER_PROSE.exec(line.slice(ticks)) : null
  if (!behind) return undefined
  const prose = line.slice(0, ticks)
  const [, marker = '', info = ''] = behind
  return KNOWN_INFO.test(info) ? { fence: { marker, indent: 0, info, lines: [], depth: 0, start }, prose } : undefined
}

/**
 * Splits an answer at its code fences. Follows CommonMark (backticks or tildes, closed by a fence at least as long) and what models
 * write: a fence with a language inside an unclosed block starts a new block unless it is a sample in the text of a page, fences inside
 * a Markdown block nest, and a fence can share its line with text.
 */
export function splitBlocks(answer: string): Block[] {
  const blocks: Block[] = []
  let prose: string[] = []
  let open: OpenFence | undefined

  const endProse = (): void => {
    if (prose.some((line) => line.trim() !== ''))
      blocks.push({ kind: 'prose', text: prose.join('\n'), info: '', isClosed: true })
    prose = []
  }
  const endCode = (isClosed: boolean): void => {
    if (open) blocks.push({ kind: 'code', text: open.lines.join('\n'), info: open.info, isClosed })
    open = undefined
  }
  const begin = (line: string, index: number): boolean => {
    const opened = openFence(line, index)
    if (!opened) return false
    if (opened.prose !== '') prose.push(opened.prose)
    endProse()
    open = opened.fence
    return true
  }

  const lines = answer.replaceAll('\r\n', '\n').split('\n')
  const pairs = pairFences(lines)
  for (const [index, line] of lines.entries()) {
    if (!open) {
      if (!begin(line, index)) prose.push(line)
      continue
    }
    if (typeof open.end === 'number' && index < open.end) {
      open.lines.push(removeIndent(line, open.indent))
      continue
    }
    const isMarkdown = MARKDOWN.test(open.info)
    const inner = OPENING.exec(line)?.[3]?.trim() ?? ''
    if (closes(line, open)) {
      if (open.depth === 0) endCode(true)
      else {
        open.depth--
        open.lines.push(line)
      }
    } else if (isMarkdown && inner !== '') {
      open.depth++
      open.lines.push(line)
    } else if (inner !== '' && line.includes(open.marker)) {
      open.end ??= findEndAfterSamples(lines, pairs, { start: open.start, sample: index, info: open.info }) ?? 'none'
      if (open.end === 'none' && KNOWN_INFO.test(inner)) {
        endCode(false)
        begin(line, index)
      } else open.lines.push(removeIndent(line, open.indent))
    } else {
      const [, fence = ''] = line.includes('```') ? (CLOSING_AFTER_CODE.exec(line.trimEnd()) ?? []) : []
      const isLast = !isMarkdown && fence.startsWith(open.marker)
      open.lines.push(removeIndent(isLast ? line.trimEnd().slice(0, -fence.length) : line, open.indent))
      if (isLast) endCode(true)
    }
  }
  endProse()
  endCode(false)
  return blocks
}
