import type { CodeFile } from '../extract/code-file.ts'
import { stripText } from '../extract/recognise-language.ts'
import { compileModule, isScriptKind, type ScriptKind } from './compile-script.ts'
import { readHtml } from './read-html.ts'

/** Further back, too little would be left of what the model wrote last. */
const MOST_LINES = 80
/** Each try compiles the file, and the page has seconds. */
const MOST_TRIES = 15
const MOST_CHARACTERS = 200_000

const TOKEN = /=>|[{}()[\]]|<\/[\w.-]*\s*>|<(?=>)|<[A-Za-z][\w.-]*|\/>|>/g

const CLOSERS: Record<string, string> = { '{': '}', '(': ')', '[': ']' }

interface OpenPart {
  /** What closes it. */
  closer: string
  /** True between `<div` and `>`. */
  isTag: boolean
}

/** What would close everything that is open at the end of a piece of code; undefined in the middle of a tag or a text. */
function findClosers(code: string, hasMarkup: boolean): string | undefined {
  const bare = stripText(code)
  const open: OpenPart[] = []
  for (const { 0: token, index } of bare.matchAll(TOKEN)) {
    const top = open.at(-1)
    if (token in CLOSERS) open.push({ closer: CLOSERS[token]!, isTag: false })
    else if (token === '}' || token === ')' || token === ']') {
      if (top?.closer !== token) return undefined
      open.pop()
    } else if (!hasMarkup || token === '=>') continue
    else if (token.startsWith('</')) {
      if (top?.closer.replaceAll(/\s/g, '') === token.replaceAll(/\s/g, '')) open.pop()
    } else if (token.startsWith('<')) {
      // A type parameter follows a name: `useState<string>`.
      if (!/[\w)\]]/.test(bare[index - 1] ?? '')) open.push({ closer: `</${token.slice(1)}>`, isTag: true })
    } else if (top?.isTag) {
      if (token === '/>') open.pop()
      else top.isTag = false
    }
  }
  if (open.some(({ isTag }) => isTag)) return undefined
  return open
    .toReversed()
    .map(({ closer }) => closer)
    .join('')
}

/** The longest beginning of a script that compiles once what is open in it is closed. */
async function closeScript(
  file: Pick<CodeFile, 'name' | 'code'> & { kind: ScriptKind },
): Promise<{ code: string; lines: number } | undefined> {
  if (file.code.length > MOST_CHARACTERS) return undefined
  const lines = file.code.trimEnd().split('\n')
  let tries = 0
  const hasMarkup = file.kind === 'jsx' || file.kind === 'tsx'
  for (let kept = lines.length; kept > Math.max(0, lines.length - MOST_LINES); kept--) {
    const start = lines.slice(0, kept).join('\n')
    const closers = findClosers(start, hasMarkup)
    if (closers === undefined) continue
    if (++tries > MOST_TRIES) return undefined
    const code = `${start}\n${closers}`
    if (!('problem' in (await compileModule({ ...file, code })))) return { code, lines: kept }
  }
  return undefined
}

const describeCut = (name: string, kept: number, all: number): string =>
  `The answer ends in the middle of ${name}: its code is shown up to line ${kept} of ${all}.`

const countLines = (code: string): number => code.trimEnd().split('\n').length

/** Closes the script in which a page ends; what browsers close themselves stays as it is. */
async function closePage(file: CodeFile): Promise<{ file: CodeFile; problem?: string }> {
  const { code, name } = file
  const last = readHtml(code).tags.at(-1)
  const all = countLines(code)
  const isInScript = last?.name === 'script' && !/<\/script\s*>\s*$/i.test(code.slice(last.start, last.end))
  if (last && isInScript && last.end >= code.trimEnd().length) {
    const from = code.indexOf('>', last.start) + 1
    const kind = /babel|jsx/i.test(last.attributes.get('type') ?? '') ? 'jsx' : 'js'
    const script = await closeScript({ name, kind, code: code.slice(from) })
    const closed = `${code.slice(0, from)}${script?.code ?? ''}\n</script>`
    const kept = countLines(code.slice(0, from)) + (script ? script.lines - 1 : 0)
    return { file: { ...file, code: closed }, problem: describeCut(name, kept, all) }
  }
  const isWhole = !/<html\b/i.test(code) || /<\/(?:html|body)\s*>/i.test(code)
  return isWhole ? { file } : { file, problem: describeCut(name, all, all) }
}

/**
 * The last file of an answer that ends within its code, up to where it compiles. A model that only forgot the fence after
 * its code gets it unchanged.
 */
export async function closeCutFile(file: CodeFile): Promise<{ file: CodeFile; problem?: string }> {
  if (file.kind === 'html') return closePage(file)
  if (!isScriptKind(file.kind)) return { file }
  const script = { name: file.name, kind: file.kind, code: file.code }
  if (!('problem' in (await compileModule(script)))) return { file }
  const closed = await closeScript(script)
  if (!closed) return { file }
  return {
    file: { ...file, code: closed.code },
    problem: describeCut(file.name, closed.lines, countLines(file.code)),
  }
}
