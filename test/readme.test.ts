import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { inspect } from 'node:util'
import { CommanderError, type Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { separateOutFiles } from '../src/cli/options/out-files.ts'
import { buildProgram } from '../src/cli/program.ts'
import { isRecord } from '../src/contract/index.ts'
import { parseSuite } from '../src/import/suite-files/read-yaml.ts'
import * as benchmaker from '../src/index.ts'
import { readBlocks, readCommands } from './walkthrough.ts'

const root = join(import.meta.dirname, '..')
const read = (file: string) => readFileSync(join(root, file), 'utf8')
const pages = ['README.md', ...globSync('docs/**/*.md', { cwd: root })]

/** The fenced block after a `<!-- checked: … -->` comment. */
function checkedBlock(page: string, label: string): string {
  const found = new RegExp(`<!-- checked: ${label}[^>]*-->\\n\`\`\`\\w+\\n(.*?)\`\`\``, 's').exec(read(page))
  if (!found) throw new Error(`${page} has no checked block "${label}"`)
  return found[1]!
}

async function runExample(example: string): Promise<string[]> {
  const printed: string[] = []
  const body = example
    .replace(/^import \{(.*)\} from 'benchmaker'$/m, 'const {$1} = benchmaker')
    .replaceAll('comparison!', 'comparison')
  const AsyncFunction = Object.getPrototypeOf(async () => undefined).constructor
  await new AsyncFunction('benchmaker', 'console', body)(benchmaker, {
    log: (value: unknown) => printed.push(typeof value === 'string' ? value : inspect(value)),
  })
  return printed
}

describe('README.md', () => {
  it('is read in two minutes: both commands, a picture before line 40, at most 120 lines', () => {
    const lines = read('README.md').trimEnd().split('\n')
    expect(lines.length).toBeLessThanOrEqual(120)
    expect(lines.findIndex((line) => line.includes('docs/images/'))).toBeLessThan(40)
    expect(read('README.md')).toContain('npm start')
    expect(read('README.md')).toContain('npm test')
  })
})

describe('docs/library.md', () => {
  it('runs a suite and writes a report', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'benchmaker-library-'))
    const suite = { name: 'S', testCases: [{ id: 'a', prompt: 'x', scoringMethod: 'boolean', expectedOutput: 'yes' }] }
    writeFileSync(join(folder, 'suite.yaml'), JSON.stringify(suite))
    try {
      const example = readBlocks('docs/library.md').find(({ kind }) => kind === 'ts')
      const [report] = await runExample(example!.text.replace('suite.yaml', join(folder, 'suite.yaml')))
      expect(report).toMatch(/demo\/good[^]*demo\/fair/)
    } finally {
      rmSync(folder, { recursive: true })
    }
  })
  it('has an example that prints what its comments say', async () => {
    const example = checkedBlock('docs/library.md', 'runs, and prints')
    const printed = await runExample(example)
    const promised = [...example.matchAll(/^console\.log\(.*\) \/\/ (.*)$/gm)].map(([, comment]) => comment)
    expect(promised.length).toBeGreaterThan(4)
    expect(printed).toEqual(promised)
  })
})

describe.each(pages)('%s', (page) => {
  it('names only paths that exist', () => {
    const text = read(page)
    const inCode = [...text.matchAll(/`((?:src|docs|test|tools|bench|bin|examples)\/[\w./-]*)`/g)].map(
      ([, path]) => path!,
    )
    const pictures = [...text.matchAll(/(?:src|srcset)="([^"]+)"/g)].map(([, path]) => join(dirname(page), path!))
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => join(dirname(page), path!))
    const missing = [...inCode, ...links, ...pictures].filter((path) => !existsSync(join(root, path)))
    expect(missing).toEqual([])
  })

  it('has only commands, options and suites that the program takes', async () => {
    for (const { kind, text } of readBlocks(page)) {
      if (kind === 'sh')
        for (const args of readCommands(text)) expect([args, await refusalOf(args)]).toEqual([args, ''])
      if (kind !== 'yaml') continue
      const document: unknown = parse(text)
      if (isRecord(document) && Array.isArray(document['testCases'])) parseSuite(text, 'suite.yaml')
    }
  })
})

/** Why the program would not even begin with this command; empty if it would. */
async function refusalOf(args: readonly string[]): Promise<string> {
  let complaint = ''
  const terminal = { stdout: { write() {} }, stderr: { write() {} }, columns: 80, colour: false, progress: false }
  const program = buildProgram(terminal, () => {})
  const silence = (command: Command): void => {
    command
      .action(() => {})
      .exitOverride()
      .configureOutput({ writeErr() {}, writeOut() {}, outputError: (text) => (complaint += text) })
    for (const inner of command.commands) silence(inner)
  }
  silence(program)
  const word = args.find((arg) => !arg.startsWith('-'))
  if (word !== undefined && !program.commands.some((command) => command.name() === word)) return `no command ${word}`
  // Help and versions end like errors, but complain of nothing.
  const refused = await program.parseAsync(separateOutFiles(args, program), { from: 'user' }).then(
    () => '',
    (error: unknown) => (error instanceof CommanderError && error.exitCode === 0 ? '' : String(error)),
  )
  return complaint || refused
}
