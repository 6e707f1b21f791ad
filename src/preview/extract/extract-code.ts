import { createAlternativeReader, findRecommended } from './alternatives.ts'
import { applyChanges, readChanges } from './apply-changes.ts'
import { chooseRunnable } from './choose-runnable.ts'
import type { CodeFile, CodeKind, ExtractedCode } from './code-file.ts'
import { splitBlocks, type Block } from './fences.ts'
import { languageOf, recogniseKind, sniffKind } from './recognise-language.ts'
import { readJson, takeTagged, unescapeMarkup, type TaggedCode } from './wrapped-code.ts'

const EXTENSIONS =
  'html?|css|scss|sass|less|styl|mjs|cjs|js|jsx|mts|cts|ts|tsx|vue|svelte|astro|svg|json|md|py|rb|php|go|java|kt|swift|rs|c|cpp|h|cs|sh|sql|toml|ya?ml|txt|env|xml|ejs|erb'
const NAME = `(?:[\\w@.()[\\]$+-]+[\\\\/])*[\\w@()[\\]+-][\\w@.()[\\]+-]*\\.(?:${EXTENSIONS})`
const NAME_IN_TEXT = new RegExp(`(?<![\\w/.:@-])(?:\\.?[\\\\/])?(${NAME})(?![\\w/-])`, 'gi')
const WHOLE_NAME = new RegExp(`^(?:\\.?[\\\\/])?(${NAME})$`, 'i')
const NAMING_COMMENT = new RegExp(
  `^\\s*(?://+|/\\*+|<!--|#|\\{/\\*)\\s*[=*-]*\\s*(?:file(?:name)?|path)?\\s*:?\\s*(?:\\.?[\\\\/])?(${NAME})\\s*[=*-]*\\s*(?:\\*/\\}?|-->)?\\s*$`,
  'i',
)

/** Libraries whose names look like files: "in Vue.js:" does not name a file. */
const LIBRARIES =
  /^(?:vue|node|next|nuxt|react|three|d3|p5|alpine|chart|express|preact|ember|backbone|angular|matter|pixi|babylon|anime|highlight|prism|socket)\.?js$/i

function clean(name: string): string | undefined {
  const path = name.replaceAll('\\', '/').replace(/^\.?\/+/, '')
  const isLibrary = !path.includes('/') && LIBRARIES.test(path.replace('.', '')) && /^(?:[A-Z]|\w+\.js$)/.test(path)
  return isLibrary ? undefined : path
}

/** Reads the name after an opening fence: `html index.html`, `tsx title="src/App.tsx"`, `js:src/main.js`, or only a name. */
export function nameFromInfo(info: string): string | undefined {
  if (info.length > 200) return undefined
  const attribute = /(?:title|file|filename|path|name)\s*[=:]\s*["']?([^"'\s}]+)["']?/i.exec(info)?.[1]
  const [word = '', ...others] = info.split(/\s+/)
  const behindColon = /^[\w+#-]+:(.+)$/.exec(word)?.[1]
  for (const candidate of [attribute, behindColon, word, ...others]) {
    const found = candidate && WHOLE_NAME.exec(candidate.replace(/^[`"'({[]+|[`"')}\]:,]+$/g, ''))?.[1]
    if (found) return clean(found)
  }
  return undefined
}

/** Reads the name from the last line before a fence: a heading, a bold or quoted name, "Save this as index.html:". */
export function nameFromProse(prose: string): string | undefined {
  const line = prose.trimEnd().split('\n').at(-1)?.trim() ?? ''
  if (line === '' || line.length > 120) return undefined
  const names = new Set([...line.matchAll(NAME_IN_TEXT)].map(([, name]) => name!))
  const [name, ...others] = names
  if (name === undefined || others.length > 0) return undefined
  const around = line.replace(name, '')
  const isHeading = /^(?:#{1,6}\s|\*\*|__|`|\d+[.)]|[-*+]\s|file\b|filename\b)/i.test(line) || /^[\W_]*$/.test(around)
  const isLead = line.endsWith(':') || line.endsWith(':**') || line.endsWith('`')
  return isHeading || isLead ? clean(name) : undefined
}

/** Reads the name from a line that is only a comment with a name: `// src/App.jsx`, `<!-- index.html -->`. */
export function nameFromComment(line: string): string | undefined {
  const name = line.length < 200 ? NAMING_COMMENT.exec(line)?.[1] : undefined
  return name === undefined ? undefined : clean(name)
}

/** Splits code that contains several files, each under a comment with its name; `undefined` if it does not. */
function splitNamedParts(code: string): { name: string; code: string }[] | undefined {
  const lines = code.split('\n')
  const starts = lines.flatMap((line, index) => {
    const name = nameFromComment(line)
    return name === undefined ? [] : [{ name, index }]
  })
  const before = lines.slice(0, starts[0]?.index ?? 0).join('')
  if (new Set(starts.map(({ name }) => name)).size < 2 || before.trim() !== '') return undefined
  return starts.map(({ name, index }, part) => ({ name, code: lines.slice(index, starts[part + 1]?.index).join('\n') }))
}

const WHOLE_PAGE = /(?:<!doctype\s+html[^>]*>\s*)?<html\b[\s\S]*?(?:<\/html\s*>|$)/i
const PAGE_START = /<!doctype\s+html[^>]*>[\s\S]*$/i
const WHOLE_SVG = /<svg\b[\s\S]*?(?:<\/svg\s*>|$)/i
const MARKUP_LINE =
  /^[ \t]*<(?:!--|template|script|style|div|main|section|header|nav|form|body|head|link|article|canvas|table|ul|button|h1)\b/im
const SCRIPT_LINE =
  /^(?:import\s+[\w{*'"]|export\s+(?:default|const|function)|(?:async\s+)?function\s+\w+\s*\(|(?:const|let|var)\s+[\w{[]+[^\n]*=|'use client'|"use client"|class\s+\w+\s*(?:extends\s+[\w.]+\s*)?\{)/m

/** Cuts the prose after the last line that ends as code does. */
function cutTrailingProse(text: string): string {
  const lines = text.trimEnd().split('\n')
  let end = lines.length
  while (end > 1 && !/[>};),\]{(`]\s*(?:\/\/.*)?$/.test(lines[end - 1]!)) end--
  return lines.slice(0, end).join('\n')
}

/** Finds code without a fence: a whole page, an SVG, or text that starts with a line of markup or script. */
function findUnfencedCode(text: string, isComplete: boolean): string | undefined {
  const page = WHOLE_PAGE.exec(text)?.[0] ?? PAGE_START.exec(text)?.[0]
  if (page !== undefined) return page
  const markup = MARKUP_LINE.exec(text)
  const script = SCRIPT_LINE.exec(text)
  const start = Math.min(markup?.index ?? Infinity, script?.index ?? Infinity)
  const svg = WHOLE_SVG.exec(text)
  if (svg && svg.index < start) return svg[0]
  if (start === Infinity) return undefined
  const code = isComplete ? cutTrailingProse(text.slice(start)) : text.slice(start)
  return sniffKind(code) === undefined ? undefined : code
}

const OPENED = /^\s*<(think|thinking|reasoning|thought)>[\s\S]*?(?:<\/\1>|$)/i
const LAST_CLOSED = /^[\s\S]*(?:<\/(?:think|thinking|reasoning|thought)>|◁\/think▷)/i

/** A fence, or markup at the start of a line. */
const HAS_CODE = /^[ \t]*(?:`{3}|~{3}|<[!a-z])/im

/**
 * Removes a reasoning model's thoughts, closed or not. Some servers cut off the opening tag: then everything up to the last closing one
 * is thought, unless no code comes after it.
 */
function removeThoughts(answer: string): string {
  const rest = answer.replace(OPENED, '')
  const answered = rest.replace(LAST_CLOSED, '')
  return HAS_CODE.test(answered) ? answered : rest
}

type Piece = Omit<CodeFile, 'name' | 'isNamed'> & { name: string | undefined; alternative?: string | undefined }

const MADE_UP_NAMES: Record<CodeKind, [stem: string, extension: string]> = {
  html: ['index', 'html'],
  css: ['style', 'css'],
  js: ['script', 'js'],
  ts: ['script', 'ts'],
  jsx: ['App', 'jsx'],
  tsx: ['App', 'tsx'],
  vue: ['App', 'vue'],
  svelte: ['App', 'svelte'],
  svg: ['image', 'svg'],
  json: ['data', 'json'],
  diff: ['change', 'diff'],
  other: ['other', 'txt'],
}

const WEB_KINDS = new Set<CodeKind>(['html', 'css', 'js', 'ts', 'jsx', 'tsx', 'vue', 'svelte', 'svg'])

/** Marks an excerpt of a file that the answer has in full: "// ... rest of the code stays the same". */
const EXCERPT_SIGN =
  /(?:\/\/|\/\*|<!--|#)\s*(?:\.{3}|…)|(?:existing|rest of|other|remaining|previous)[\w\s]{0,30}(?:code|same|unchanged|here|remains?)\b/i

/** Removes a last line of one or two backticks: the next token may make it a fence. */
function removeHalfFence(answer: string): string {
  return answer.replace(/\n[ \t]*(?:`{1,2}|~{1,2})$/, '\n')
}

function readPiece(block: Block, prose: string, isClosed: boolean): Piece[] {
  const parts = nameFromInfo(block.info) === undefined ? splitNamedParts(block.text) : undefined
  if (parts)
    return parts.map(({ name, code }, index) => {
      const language = languageOf('', name)
      return {
        name,
        language,
        kind: recogniseKind(language, code),
        code,
        isComplete: isClosed || index < parts.length - 1,
      }
    })
  const firstLine = block.text.trimStart().split('\n', 1)[0]!
  const nameInAnswer = nameFromInfo(block.info) ?? nameFromComment(firstLine) ?? nameFromProse(prose)
  const kindByFence = recogniseKind(languageOf(block.info, undefined), block.text)
  const kindByName = nameInAnswer === undefined ? kindByFence : recogniseKind(languageOf('', nameInAnswer), block.text)
  // "Add this to index.html:" above a piece of CSS names where it goes, not what it is.
  const contradicts =
    nameInAnswer !== undefined &&
    kindByFence !== kindByName &&
    kindByFence !== 'other' &&
    nameFromInfo(block.info) === undefined &&
    !isScriptPair(kindByFence, kindByName)
  const name = contradicts ? undefined : nameInAnswer
  const language = languageOf(block.info, name)
  return [{ name, language, kind: recogniseKind(language, block.text), code: block.text, isComplete: isClosed }]
}

function isScriptPair(one: CodeKind, other: CodeKind): boolean {
  const scripts = new Set<CodeKind>(['js', 'jsx', 'ts', 'tsx'])
  return scripts.has(one) && scripts.has(other)
}

function readPieces(answer: string): Piece[] {
  const blocks = splitBlocks(answer)
  const pieces: Piece[] = []
  const markdown: string[] = []
  const readAlternative = createAlternativeReader()
  let alternative: string | undefined
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'prose') alternative = readAlternative(block.text)
    if (block.kind === 'prose' || block.text.trim() === '') continue
    const before = blocks[index - 1]
    if (/^(?:markdown|md|mdx)\b/i.test(block.info)) markdown.push(block.text)
    else {
      const prose = before?.kind === 'prose' ? before.text : ''
      for (const piece of readPiece(block, prose, block.isClosed)) pieces.push({ ...piece, alternative })
    }
  }
  // The whole answer may be inside a Markdown fence; a README beside real code is only a README.
  if (!pieces.some(({ kind }) => WEB_KINDS.has(kind))) pieces.push(...markdown.flatMap(readPieces))
  return pieces
}

/** A piece with a name or a language that the answer gives outside of a fence. */
function readTagged({ name, language, code, isComplete }: TaggedCode): Piece {
  const named = name === undefined ? undefined : nameFromInfo(name)
  const known = languageOf(language, named)
  return { name: named, language: known, kind: recogniseKind(known, code), code, isComplete }
}

const EXPORTED =
  /^export\s+default\s+(?:async\s+)?(?:function|class)\s+([A-Z]\w*)|^export\s+default\s+(?:memo\(|forwardRef\(|React\.\w+\()?([A-Z]\w*)|^export\s+(?:async\s+)?(?:const|function|class)\s+([A-Z]\w*)/m

/** Names a piece without a name after the component in it, if another piece imports that: `import Rating from './Rating'`. */
function nameByImport(files: CodeFile[]): CodeFile[] {
  const taken = new Set(files.map(({ name }) => name))
  return files.map((file) => {
    const [, one, two, three] = file.isNamed ? [] : (EXPORTED.exec(file.code) ?? [])
    const component = one ?? two ?? three
    if (component === undefined) return file
    const imported = new RegExp(`from\\s+['"][./@~][^'"]*\\b${component}(?:\\.\\w+)?['"]`)
    const name = `${component}${/\.\w+$/.exec(file.name)?.[0] ?? ''}`
    if (taken.has(name) || !files.some((other) => other !== file && imported.test(other.code))) return file
    taken.add(name)
    return { ...file, name }
  })
}

/** Gives each piece a unique name; of two with the same name the later one wins, unless it is an excerpt. */
function nameFiles(pieces: Piece[], notes: string[]): CodeFile[] {
  const files: CodeFile[] = []
  const taken = new Set(pieces.flatMap(({ name }) => name ?? []))
  for (const { name, alternative: _alternative, ...piece } of pieces) {
    if (name === undefined) {
      const [stem, usual] = MADE_UP_NAMES[piece.kind]
      const extension = /^s[ac]ss$/.test(piece.language) ? piece.language : usual
      let made = `${stem}.${extension}`
      for (let number = 2; taken.has(made); number++) made = `${stem}-${number}.${extension}`
      taken.add(made)
      files.push({ name: made, isNamed: false, ...piece })
      continue
    }
    const earlier = files.findIndex((file) => file.name === name)
    const file = { name, isNamed: true, ...piece }
    if (earlier < 0) files.push(file)
    else if (EXCERPT_SIGN.test(piece.code) || piece.code.length < files[earlier]!.code.length / 2)
      notes.push(`${name} appears again in part; the complete earlier version is used.`)
    else {
      files.splice(earlier, 1)
      files.push(file)
      notes.push(`${name} appears more than once; the last version is used.`)
    }
  }
  return files
}

interface Chosen {
  pieces: Piece[]
  alternatives?: string[]
  alternative?: number
}

/** The pieces of one of several alternatives, each of which can run by itself; all pieces if there are none. */
function chooseAlternative(pieces: Piece[], text: string, asked: number | undefined): Chosen {
  const runsAlone = (title: string): boolean =>
    'runs' in
    chooseRunnable(
      nameFiles(
        pieces.filter(({ alternative }) => alternative === title),
        [],
      ),
      '',
      [],
    )
  const titles = [...new Set(pieces.flatMap(({ alternative }) => alternative ?? []))].filter(runsAlone)
  if (titles.length < 2) return { pieces }
  const alternative = asked !== undefined && asked < titles.length ? asked : findRecommended(titles, text)
  const others = new Set(titles.filter((_title, index) => index !== alternative))
  return {
    pieces: pieces.filter((piece) => piece.alternative === undefined || !others.has(piece.alternative)),
    alternatives: titles,
    alternative,
  }
}

/** A follow-up that changes parts of the page before it, as the whole page; undefined if it stands for itself. */
function continuePage(own: ExtractedCode, text: string, earlier: readonly string[]): ExtractedCode | undefined {
  const [last] = earlier.slice(-1)
  const base = last === undefined ? undefined : extractCode(last, { isComplete: true, earlier: earlier.slice(0, -1) })
  if (!base?.runs) return undefined
  const { entry } = base.runs
  const { changes, used } = readChanges(splitBlocks(text))
  const others = own.files.filter(({ code, kind }) => !used.has(code) && kind !== 'diff')
  if (others.some(({ name, code }) => name === entry || /<html\b/i.test(code))) return undefined
  const parts = others.filter(({ name, isNamed }) => isNamed && base.files.some((file) => file.name === name))
  if (changes.length === 0 && (parts.length === 0 || parts.length < others.length)) return undefined
  const { files, applied } = applyChanges(base.files, changes)
  if (applied === 0 && parts.length === 0) return undefined
  const named = others.filter(({ isNamed }) => isNamed)
  const all = [...files.filter(({ name }) => named.every((file) => file.name !== name)), ...named]
  const notes =
    applied === 0
      ? ['The answer has only some of the files; the others are those of the turn before.']
      : [`${applied} of ${changes.length} changes in the answer were made to the page of the turn before.`]
  return { files: all, notes, isComplete: true, ...chooseRunnable(all, text, notes) }
}

/**
 * Extracts all code from a model's answer, complete or still arriving, and decides what runs. `earlier`: its answers to the turns
 * before, of which a complete answer may change only parts. `alternative`: which of several to take instead of the recommended one. Never throws; deterministic.
 */
export function extractCode(
  answer: string,
  {
    isComplete,
    earlier = [],
    alternative: asked,
  }: { isComplete: boolean; earlier?: readonly string[] | undefined; alternative?: number | undefined } = {
    isComplete: true,
  },
): ExtractedCode {
  const text = unescapeMarkup(removeThoughts(isComplete ? answer : removeHalfFence(answer)))
  const notes: string[] = []
  const tagged = takeTagged(text)
  const pieces = [...tagged.pieces.map(readTagged), ...readPieces(tagged.rest)]
  if (!pieces.some(({ kind }) => WEB_KINDS.has(kind))) pieces.push(...readJson(text).map(readTagged))
  if (!pieces.some(({ kind }) => WEB_KINDS.has(kind))) {
    const outside = splitBlocks(text)
      .filter(({ kind }) => kind === 'prose')
      .map((block) => block.text)
      .join('\n')
    const code = findUnfencedCode(outside, isComplete)
    if (code !== undefined)
      pieces.push({ name: undefined, language: '', kind: recogniseKind('', code), code, isComplete })
  }
  const { pieces: chosen, ...choice } = chooseAlternative(pieces, text, asked)
  if (choice.alternatives)
    notes.push(
      `The answer offers ${choice.alternatives.length} alternatives; “${choice.alternatives[choice.alternative!]}” is shown.`,
    )
  const files = nameByImport(nameFiles(chosen, notes))
  for (const { name, language, kind } of files)
    if (kind === 'other' && (language === 'less' || name.endsWith('.less')))
      notes.push(`${name} is in Less, which is not compiled here; the page runs without it.`)
  const own: ExtractedCode = { files, notes, isComplete, ...choice, ...chooseRunnable(files, text, notes) }
  return (isComplete ? continuePage(own, text, earlier) : undefined) ?? own
}
