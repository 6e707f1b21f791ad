/** The pages that answer one question each: their runs are made, and print what the pages say. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { z } from 'zod'
import { runProgram } from '../src/cli/program.ts'

const place = z.number().int()
const taskSchema = z.object({
  tasks: z.tuple([
    z.object({
      problemMatcher: z.object({
        pattern: z.object({ regexp: z.string(), file: place, line: place, column: place, message: place }),
      }),
    }),
  ]),
})

const root = join(import.meta.dirname, '..')
let folder = ''
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'questions-'))))
afterEach(() => rmSync(folder, { recursive: true, force: true }))

async function runCommand(command: string): Promise<string> {
  let printed = ''
  const sink = { write: (text: string) => (printed += text) }
  const quiet = { write: () => undefined }
  const args = command
    .split(/\s+/)
    .slice(1)
    .map((arg) => (arg === 'suite.yaml' ? join(folder, arg) : arg.startsWith('examples/') ? join(root, arg) : arg))
  const terminal = { stdout: sink, stderr: quiet, columns: 1000, colour: false, progress: false }
  await runProgram([...args, '--data', join(folder, 'data')], terminal)
  return printed
}

it.each(['cheaper-model', 'same-model', 'just-the-prompt'])('docs/%s.md prints what it says', async (page) => {
  const text = readFileSync(join(root, `docs/${page}.md`), 'utf8')
  const suite = /<!-- checked: suite.yaml -->\n```yaml\n(.*?)```/s.exec(text)?.[1]
  if (suite !== undefined) writeFileSync(join(folder, 'suite.yaml'), suite)
  let printed = ''
  let checked = 0
  for (const [, kind, block] of text.matchAll(/```(sh|text)\n(.*?)```/gs)) {
    if (kind === 'sh') for (const command of block!.trim().split('\n')) printed = await runCommand(command)
    else
      for (const line of block!.trim().split('\n')) {
        expect(printed).toContain(line)
        checked++
      }
  }
  expect(checked).toBeGreaterThan(0)
})

it('the task for VS Code in docs/continuous-integration.md marks the place of what is wrong with a suite', async () => {
  const text = readFileSync(join(root, 'docs/continuous-integration.md'), 'utf8')
  const json = [...text.matchAll(/```json\n(.*?)```/gs)]
    .map(([, block]) => block!)
    .find((block) => block.includes('tasks'))
  const { pattern } = taskSchema.parse(JSON.parse(json!)).tasks[0]!.problemMatcher
  const file = join(folder, 'suite.yaml')
  writeFileSync(file, 'name: S\ntestCases:\n  - { prompt: p, scoringMethod: boolean, weight: -1 }\n')
  let printed = ''
  const terminal = {
    stdout: { write: () => undefined },
    stderr: { write: (some: string) => (printed += some) },
    columns: 80,
    colour: false,
    progress: false,
  }
  await runProgram(['run', file, '--models', 'demo/good', '--data', join(folder, 'data')], terminal)
  const found = printed.split('\n').flatMap((line) => new RegExp(pattern.regexp).exec(line) ?? [])
  expect([found[pattern.file], found[pattern.line], found[pattern.column], found[pattern.message]]).toEqual([
    file,
    '3',
    expect.stringMatching(/^\d+$/),
    'testCases[0].weight: must be greater than 0',
  ])
})
