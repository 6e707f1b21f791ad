const FENCE = /^[ \t]*((?:[-*+>]\s+|\d+[.)]\s+)?)(`{3,}|~{3,})[ \t]*([^`]*)$/
const SCRIPT_INFO = /^(?:m?js|javascript|jsx|ts|tsx|typescript)\b/i
const TEXT_ELEMENTS = ['script', 'style', 'textarea', 'pre', 'template', 'xmp']

/** Pairs fences like brackets: for the line of each that opens with a language, the line that closes it. */
export function pairFences(lines: string[]): Map<number, number> {
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
function isUnfinished(code: string, info: string): boolean {
  if (SCRIPT_INFO.test(info)) return endsInText(code)
  const count = (pattern: string): number => code.match(new RegExp(pattern, 'gi'))?.length ?? 0
  if (TEXT_ELEMENTS.some((name) => count(`<${name}[\\s>]`) > count(`</${name}\\s*>`))) return true
  return /<!doctype\s+html|<html[\s>]/i.test(code) && !/<\/html\s*>\s*(?:<!--[^>]*-->\s*)?$/i.test(code)
}

/**
 * Says where a fence ends that has samples in fences of their own, such as the Markdown that a page shows. Undefined if the code before
 * the first sample could be all of it, or if the code without the samples never comes to an end: the answer forgot to close the fence.
 */
export function findEndAfterSamples(
  lines: string[],
  pairs: ReadonlyMap<number, number>,
  { start, sample, info }: { start: number; sample: number; info: string },
): number | undefined {
  const end = pairs.get(start)
  if (end === undefined || end < sample) return undefined
  if (!isUnfinished(lines.slice(start + 1, sample).join('\n'), info)) return undefined
  const own: string[] = []
  for (let index = start + 1; index < end; index++) {
    const sampleEnd = pairs.get(index)
    if (sampleEnd === undefined) own.push(lines[index]!)
    else index = sampleEnd
  }
  return isUnfinished(own.join('\n'), info) ? undefined : end
}
