import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../src/cli/program.ts'

const page = readFileSync(join(import.meta.dirname, '../docs/tutorial.md'), 'utf8')
const before = { folder: process.cwd(), home: process.env['BENCHMAKER_HOME'] }
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-tutorial-'))

beforeAll(() => {
  process.chdir(folder)
  process.env['BENCHMAKER_HOME'] = join(folder, 'data')
})
afterAll(() => {
  process.chdir(before.folder)
  if (before.home === undefined) delete process.env['BENCHMAKER_HOME']
  else process.env['BENCHMAKER_HOME'] = before.home
  rmSync(folder, { recursive: true, force: true })
})

/** Each block of commands, with the block of output that follows it. */
function readSteps(): { commands: string; output: string }[] {
  const blocks = [...page.matchAll(/^```(\w+)\n([^]*?)^```$/gm)].map(([, kind, text]) => ({ kind, text: text! }))
  return blocks.flatMap(({ kind, text }, index) => {
    if (kind !== 'sh') return []
    const next = blocks[index + 1]
    return [{ commands: text, output: next?.kind === 'text' ? next.text : '' }]
  })
}

/** Runs the lines as a shell would: files are written by the shell, our own commands in this process, 100 columns wide. */
async function runCommands(commands: string): Promise<string> {
  let printed = ''
  const sink = { write: (text: string) => (printed += text) }
  for (const [part, line] of commands.matchAll(/^cat >.*<<'END'\n[^]*?^END$|^(.+)$/gm)) {
    if (line === undefined) execFileSync('sh', ['-c', part], { cwd: folder })
    else {
      const [name, ...args] = [...line.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(([, a, b, c]) => a ?? b ?? c!)
      expect(name).toBe('benchmaker')
      const exitCode = await runProgram(args, {
        stdout: sink,
        stderr: sink,
        columns: 100,
        colour: false,
        progress: false,
      })
      expect([line, exitCode, printed]).toEqual([line, 0, printed])
    }
  }
  return printed
}

/** Ids, times and how long an answer took differ from run to run, and with them the width of columns. */
function mask(text: string): string[] {
  return text
    .trim()
    .split('\n')
    .map((line) =>
      line
        .replaceAll(/\d{8}-\d{6}-\w{4}/g, 'RUN')
        .replaceAll(/\d{4}-\d\d-\d\d \d\d:\d\d UTC/g, 'TIME')
        .replaceAll(/[\d.,]+ m?s\b/g, 'DURATION')
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

it('shows what its commands print, in order, in an empty folder', async () => {
  const steps = readSteps()
  expect(steps.length).toBeGreaterThan(5)
  for (const { commands, output } of steps) {
    const printed = mask(await runCommands(commands))
    expect(printed.join('\n')).toBe(fillIn(mask(output), printed).join('\n'))
  }
})
