import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runProgram } from '../src/cli/program.ts'

const root = join(import.meta.dirname, '..')

export interface Block {
  kind: string
  text: string
}

/** The fenced blocks of a page, in order. */
export function readBlocks(page: string): Block[] {
  const text = readFileSync(join(root, page), 'utf8')
  return [...text.matchAll(/^ *```(\w+)\n([^]*?)^ *```$/gm)].map(([, kind, block]) => ({ kind: kind!, text: block! }))
}

/** The commands of a block of ours, without comments, each with its words. */
export function readCommands(text: string): string[][] {
  const lines = text
    .replaceAll(/^cat >.*<<'END'\n[^]*?^END$/gm, '')
    .replaceAll(/\\\n\s*/g, ' ')
    .split('\n')
  return lines.flatMap((line) => {
    const words = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([whole, a, b, c]) => ({
      whole,
      word: a ?? b ?? c!,
    }))
    const end = words.findIndex(({ whole }) => /^(?:#.*|\||>|2>|&&|;|<)$/.test(whole))
    const [name, ...args] = (end < 0 ? words : words.slice(0, end)).map(({ word }) => word)
    return /^(?:\.\/bin\/)?benchmaker$/.test(name ?? '') ? [args] : []
  })
}

interface Walk {
  columns: number
  /** A model that needs a key or a server, and what answers in its place. */
  standIns?: Readonly<Record<string, string>>
  /** The name of the file that the next YAML block of the page is saved as. */
  yamlFile?: string
}

/** Ids, times, versions and how long an answer took differ from run to run, and with them the width of columns. */
function mask(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\d{8}-\d{6}-\w{4}/g, 'RUN')
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'TIME')
        .replaceAll(/[\d.,]+ m?s\b/g, 'DURATION')
        .replaceAll(/^\[\d+:\d\d\]/g, '[CLOCK]')
        .replaceAll(/\bNode \d+\.\d+\.\d+/g, 'Node')
        .replaceAll(/\s+/g, ' ')
        .trim(),
    )
}

/** The lines of the page with those that it leaves out (`…`) filled in from what was printed. */
function fillIn(shown: string[], printed: string[]): string[] {
  const filled: string[] = []
  for (const [index, line] of shown.entries()) {
    if (line !== '…') filled.push(line)
    else {
      const next = shown[index + 1]
      const end = next === undefined ? printed.length : printed.indexOf(next, filled.length)
      filled.push(...printed.slice(filled.length, Math.max(end, filled.length)))
    }
  }
  return filled
}

/** Runs a block as a shell would: files are written by the shell, our own commands in this process. */
async function runBlock(text: string, folder: string, { columns, standIns = {} }: Walk): Promise<string> {
  let printed = ''
  const sink = { write: (part: string) => (printed += part) }
  for (const [script] of text.matchAll(/^cat >.*<<'END'\n[^]*?^END$/gm))
    execFileSync('sh', ['-c', script], { cwd: folder })
  for (const args of readCommands(text)) {
    const named = args.map((word) =>
      Object.entries(standIns).reduce((name, [model, standIn]) => name.replaceAll(model, standIn), word),
    )
    const exitCode = await runProgram(named, { stdout: sink, stderr: sink, columns, colour: false, progress: false })
    expect([named.join(' '), exitCode, printed]).toEqual([named.join(' '), 0, printed])
  }
  return printed
}

/**
 * Does what a page says, from top to bottom, in an empty folder with an empty home: every command runs, and what it prints is
 * what the block after it shows.
 */
export async function walkThrough(page: string, walk: Walk): Promise<number> {
  const before = { folder: process.cwd(), home: process.env['BENCHMAKER_HOME'] }
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-walk-'))
  process.chdir(folder)
  process.env['BENCHMAKER_HOME'] = join(folder, 'data')
  const exported = new Set<string>()
  let compared = 0
  try {
    const blocks = readBlocks(page)
    for (const [index, { kind, text }] of blocks.entries()) {
      if (kind === 'yaml' && walk.yamlFile !== undefined) writeFileSync(join(folder, walk.yamlFile), text)
      if (kind !== 'sh') continue
      for (const [, name] of text.matchAll(/^export (\w+)=/gm)) {
        exported.add(name!)
        process.env[name!] = 'sk-nobody'
      }
      const printed = mask(await runBlock(text, folder, walk))
      const next = blocks[index + 1]
      if (next?.kind !== 'text') continue
      const shown = mask(next.text)
      // What commands before the shown one printed may be left out.
      const seen = printed.slice(Math.max(0, printed.indexOf(shown[0]!)))
      expect(seen.join('\n')).toBe(fillIn(shown, seen).join('\n'))
      compared++
    }
  } finally {
    for (const name of exported) process.env[name] = ''
    process.chdir(before.folder)
    if (before.home === undefined) delete process.env['BENCHMAKER_HOME']
    else process.env['BENCHMAKER_HOME'] = before.home
    rmSync(folder, { recursive: true, force: true })
  }
  return compared
}
