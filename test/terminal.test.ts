import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import stringWidth from 'fast-string-width'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runProgram } from '../src/cli/program.ts'
import type { CellResult, RunResult, Suite } from '../src/contract/index.ts'

// What the terminal prints, exactly: `vitest run test/terminal.test.ts -u` writes the files anew; read what changed.

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-terminal-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** A screen. */
const MOST_LINES = 40

const makeSuite = (name: string, cases: number, systemPrompt?: string): Suite => ({
  name,
  ...(systemPrompt !== undefined && { systemPrompt }),
  testCases: Array.from({ length: cases }, (_, index) => ({
    id: `case-${String(index + 1).padStart(2, '0')}`,
    prompt: `What is ${index + 20} + ${(index * 7919) % 10_000}, which the shop asks for every morning?`,
    expectedOutput: String(index + 20 + ((index * 7919) % 10_000)),
    scoringMethod: 'numeric-tolerance',
    weight: 1,
  })),
})

/** An answer that is wrong, right, refused for its words, or not there; the same each time. */
type Answer = 'right' | 'wrong' | 'wordy' | 'error' | 'none'
const skilled =
  (skill: number, seed = 0) =>
  (index: number): Answer =>
    (index * 37 + skill * 11 + seed) % 100 < skill ? 'right' : 'wrong'

function makeRun(id: string, suite: Suite, models: Record<string, (index: number) => Answer>, day = 1): RunResult {
  return {
    id,
    models: Object.keys(models),
    status: 'completed',
    startedAt: Date.UTC(2026, 10, day, 14, 3),
    testSuiteName: suite.name,
    testSuiteSnapshot: suite,
    results: Object.entries(models).flatMap(([modelId, answerOf]) =>
      suite.testCases.flatMap(({ id: testCaseId, expectedOutput = '' }, index): CellResult[] => {
        const answer = answerOf(index)
        if (answer === 'none') return []
        if (answer === 'error')
          return [{ testCaseId, modelId, outcome: 'error', error: 'acme.test returned error 429' }]
        const isRight = answer === 'right'
        const response = isRight
          ? expectedOutput
          : answer === 'wordy'
            ? `The sum is ${expectedOutput}, as every morning.`
            : `About ${Number(expectedOutput) + index + 1}, I think.`
        return [{ testCaseId, modelId, outcome: 'ok', response, score: { score: isRight ? 1 : 0 } }]
      }),
    ),
  }
}

const sums = makeSuite('Sums', 60)
const skills = [96, 90, 84, 78, 72, 66, 58, 50]
const fails = skilled(0)
const runs = [
  makeRun('base', sums, Object.fromEntries(skills.map((skill) => [`acme/model-${skill}`, skilled(skill)]))),
  makeRun('three', makeSuite('Four', 4), { 'acme/a': skilled(90), 'acme/b': skilled(50), 'acme/c': skilled(10) }, 2),
  makeRun('old', sums, { 'acme/small': skilled(60) }, 3),
  makeRun('new', makeSuite('Sums', 60, 'Be exact.'), { 'acme/small': skilled(85, 3) }, 4),
  makeRun(
    'gaps',
    sums,
    {
      'acme/large': skilled(90),
      'acme/small': (index) => (index % 20 === 3 ? 'error' : skilled(60)(index)),
      'acme/huge': () => 'error',
    },
    5,
  ),
  makeRun('broken', makeSuite('Broken', 12), { 'acme/large': fails, 'acme/small': fails }, 6),
  makeRun(
    'wordy',
    makeSuite('Wordy', 12),
    { 'acme/large': () => 'wordy', 'acme/small': (index) => (index < 3 ? 'error' : 'wordy') },
    7,
  ),
  makeRun('refused', makeSuite('Refused', 12), { 'acme/large': () => 'error', 'acme/small': () => 'error' }, 8),
]

beforeAll(async () => {
  writeFileSync(join(folder, 'runs.json'), JSON.stringify({ runs }))
  const sink = { write: () => undefined }
  const quiet = { stdout: sink, stderr: sink, columns: 80, colour: false, progress: false }
  expect(await runProgram(['import', join(folder, 'runs.json'), '--data', join(folder, 'data')], quiet)).toBe(0)
})

/** What changes most with the width. */
const commands = ['show base', 'show base --failed', 'show gaps', 'compare old new', 'list']

const otherCommands = [
  'show base --output quiet',
  'show base --pairs',
  'show base --failed --model acme/model-96',
  'show base --case case-16 --model acme/model-50',
  'show three',
  'show broken',
  'show wordy',
  'show refused',
  'compare base:acme/model-96 base:acme/model-50',
  'trend Sums',
  'show bas --output quiet',
  'show base --case case-1',
  'export base --format cvs',
]

const writeColour = (code: string) => `<${code}>`

it.each([
  ['60', { columns: 60 }],
  ['80', { columns: 80 }],
  ['100', { columns: 100 }],
  ['120', { columns: 120 }],
  ['80-ascii', { columns: 80, isAscii: true }],
  ['80-colour', { columns: 80, colour: true }],
])('%s: fits its width and a screen, and prints what the file shows', async (name, look) => {
  let all = ''
  for (const command of name === '80' ? [...commands, ...otherCommands] : commands) {
    let printed = ''
    const sink = { write: (text: string) => (printed += text) }
    const terminal = { stdout: sink, stderr: sink, colour: false, progress: false, ...look }
    await runProgram([...command.split(' '), '--data', join(folder, 'data')], terminal)
    // eslint-disable-next-line no-control-regex
    const text = printed.replaceAll(/\u001b\[(\d+)m/g, (_, code: string) => writeColour(code))
    const lines = text.replaceAll(/<\d+>/g, '').trimEnd().split('\n')
    for (const line of lines)
      if (!line.startsWith('error:')) expect([line, stringWidth(line) <= look.columns]).toEqual([line, true])
    if (!command.includes('--pairs')) expect([command, lines.length <= MOST_LINES]).toEqual([command, true])
    if (name.endsWith('ascii')) expect(text).toMatch(/^[\x20-\x7e\n]*$/)
    all += `$ benchmaker ${command}\n${text.trimEnd()}\n\n`
  }
  await expect(all).toMatchFileSnapshot(`terminal/${name}.txt`)
})
