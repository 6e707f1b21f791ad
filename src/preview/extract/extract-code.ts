import { chooseRunnable } from './choose-runnable.ts'
import type { CodeFile, CodeKind, ExtractedCode } from './code-file.ts'
import { splitBlocks, type Block } from './fences.ts'
import { nameFromComment, nameFromInfo, nameFromProse, splitNamedParts } from './file-names.ts'
import { languageOf, recogniseKind } from './recognise-language.ts'
import { removeThoughts } from './thoughts.ts'
import { findUnfencedCode } from './unfenced-code.ts'
import { readJson, takeTagged, unescapeMarkup, type TaggedCode } from './wrapped-code.ts'

type Piece = Omit<CodeFile, 'name' | 'isNamed'> & { name: string | undefined }

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
  for (const [index, block] of blocks.entries()) {
    if (block.kind === 'prose' || block.text.trim() === '') continue
    const before = blocks[index - 1]
    if (/^(?:markdown|md|mdx)\b/i.test(block.info)) markdown.push(block.text)
    else pieces.push(...readPiece(block, before?.kind === 'prose' ? before.text : '', block.isClosed))
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
  for (const { name, ...piece } of pieces) {
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

/** Extracts all code from a model's answer, complete or still arriving, and decides what runs. Never throws; deterministic. */
export function extractCode(
  answer: string,
  { isComplete }: { isComplete: boolean } = { isComplete: true },
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
  const files = nameByImport(nameFiles(pieces, notes))
  for (const { name, language, kind } of files)
    if (kind === 'other' && (language === 'less' || name.endsWith('.less')))
      notes.push(`${name} is in Less, which is not compiled here; the page runs without it.`)
  return { files, notes, isComplete, ...chooseRunnable(files, text, notes) }
}
