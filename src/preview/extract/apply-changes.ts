import type { CodeFile } from './code-file.ts'
import type { Block } from './fences.ts'
import { languageOf, recogniseKind } from './recognise-language.ts'

/** A piece of code that takes the place of another one. */
export interface Change {
  /** The file it is for, if the answer says so. */
  name?: string | undefined
  from: string
  to: string
}

const HEADER = /^(?:diff --git |index [0-9a-f]|(?:new|deleted) file mode|--- |\+\+\+ |\\ No newline)/

function nameOfHeader(line: string): string | undefined {
  const [, path] = /^\+\+\+ (?:[ab]\/)?(\S+)/.exec(line) ?? []
  return path === '/dev/null' ? undefined : path
}

/** Reads the hunks of a diff. Their line numbers, which models often get wrong, are not used. */
function readDiff(diff: string): Change[] {
  const changes: Change[] = []
  let name: string | undefined
  let [from, to]: [string[], string[]] = [[], []]
  const end = () => {
    if (from.join('\n') !== to.join('\n')) changes.push({ name, from: from.join('\n'), to: to.join('\n') })
    ;[from, to] = [[], []]
  }
  for (const line of diff.split('\n')) {
    if (line.startsWith('@@') || HEADER.test(line)) {
      end()
      name = nameOfHeader(line) ?? name
    } else if (line.startsWith('-')) from.push(line.slice(1))
    else if (line.startsWith('+')) to.push(line.slice(1))
    else {
      const context = line.startsWith(' ') ? line.slice(1) : line
      from.push(context)
      to.push(context)
    }
  }
  end()
  return changes
}

const SEARCH_BLOCK = /^<{5,} ?SEARCH\b[^\n]*\n([\s\S]*?)^={5,}[ \t]*\n([\s\S]*?)^>{5,} ?REPLACE\b/gm

/** Reads blocks of `<<<<<<< SEARCH`, `=======` and `>>>>>>> REPLACE`. */
function readSearchBlocks(code: string): Change[] {
  return [...code.matchAll(SEARCH_BLOCK)].map(([, from, to]) => ({
    from: from!.replace(/\n$/, ''),
    to: to!.replace(/\n$/, ''),
  }))
}

const REPLACE_THIS = /\b(?:replace|change|find|swap)\b[^\n]*$/i
const WITH_THIS = /^\W*(?:with|by|to|and replace it with|replace (?:it|that|this) with)\b[^\n]*$/i
const REPLACE_IN_LINE = /\b(?:replace|change)\s+`([^`\n]+)`\s+(?:with|by|to)\s+`([^`\n]+)`/gi

/** Reads everything in an answer that changes code it does not repeat; `used` is the code in which it says so. */
export function readChanges(blocks: readonly Block[]): { changes: Change[]; used: Set<string> } {
  const changes: Change[] = []
  const used = new Set<string>()
  for (const [index, { kind, text, info }] of blocks.entries()) {
    if (kind === 'prose') {
      for (const [, from, to] of text.matchAll(REPLACE_IN_LINE)) changes.push({ from: from!, to: to! })
      continue
    }
    if (used.has(text)) continue
    const [before, between, after] = [blocks[index - 1], blocks[index + 1], blocks[index + 2]]
    const isReplaced =
      before?.kind === 'prose' &&
      REPLACE_THIS.test(before.text.trimEnd()) &&
      between?.kind === 'prose' &&
      WITH_THIS.test(between.text.trim()) &&
      after?.kind === 'code'
    const found = isReplaced
      ? [{ from: text, to: after.text }]
      : recogniseKind(languageOf(info, undefined), text) === 'diff'
        ? readDiff(text)
        : readSearchBlocks(text)
    if (found.length === 0) continue
    changes.push(...found)
    used.add(text)
    if (isReplaced) used.add(after.text)
  }
  return { changes, used }
}

const trimLines = (lines: readonly string[]): string[] => {
  const first = lines.findIndex((line) => line.trim() !== '')
  const last = lines.findLastIndex((line) => line.trim() !== '')
  return first < 0 ? [] : lines.slice(first, last + 1)
}

/** The places at which lines stand in a file, whatever their indentation. */
function findLines(lines: readonly string[], wanted: readonly string[]): number[] {
  const places: number[] = []
  for (let start = 0; start + wanted.length <= lines.length; start++)
    if (wanted.every((line, index) => lines[start + index]!.trim() === line.trim())) places.push(start)
  return places
}

const indentOf = (line: string): string => /^[ \t]*/.exec(line)![0]

/** As far to the right as the lines it replaces. */
function indentAs(lines: readonly string[], from: string, to: string): string[] {
  if (from === to) return [...lines]
  return lines.map((line) => (line.startsWith(from) ? to + line.slice(from.length) : line))
}

/** The file with the change; undefined if what it replaces is not there, or more than once. */
function applyChange(code: string, { from, to }: Change): string | undefined {
  const wanted = trimLines(from.split('\n'))
  if (wanted.length === 0) return undefined
  const lines = code.split('\n')
  const places = findLines(lines, wanted)
  if (places.length === 1) {
    const place = places[0]!
    const written = indentAs(trimLines(to.split('\n')), indentOf(wanted[0]!), indentOf(lines[place]!))
    return [...lines.slice(0, place), ...written, ...lines.slice(place + wanted.length)].join('\n')
  }
  const parts = places.length === 0 ? code.split(from) : []
  return parts.length === 2 ? parts.join(to) : undefined
}

const lastPart = (name: string): string => name.replace(/^.*\//, '')

/** Applies changes to the files that they are for, in their order. Of each, the file must have what is replaced once. */
export function applyChanges(
  files: readonly CodeFile[],
  changes: readonly Change[],
): { files: CodeFile[]; applied: number } {
  const changed = files.map((file) => ({ ...file }))
  let applied = 0
  for (const change of changes) {
    const named = changed.filter(({ name }) => change.name !== undefined && lastPart(name) === lastPart(change.name))
    const found = (named.length > 0 ? named : changed).flatMap((file) => {
      const code = applyChange(file.code, change)
      return code === undefined ? [] : [{ file, code }]
    })
    if (found.length !== 1) continue
    found[0]!.file.code = found[0]!.code
    applied++
  }
  return { files: changed, applied }
}
