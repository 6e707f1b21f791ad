import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { afterAll, describe, expect, it } from 'vitest'
import { runProgram } from '../program.ts'
import { guessExtension } from './stdin-file.ts'
import { useTemporaryFolder } from '../../../test/temporary-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-piped-'))
const listLeft = useTemporaryFolder()
const data = ['--data', join(folder, 'data')]
afterAll(() => rmSync(folder, { recursive: true }))

async function pipe(text: string, args: string[], { isTTY = false } = {}) {
  let out = ''
  let err = ''
  const exitCode = await runProgram(args, {
    stdin: Object.assign(Readable.from([Buffer.from(text)]), { isTTY }),
    stdout: { write: (written) => (out += written) },
    stderr: { write: (written) => (err += written) },
    columns: 100,
    colour: false,
    progress: false,
  })
  return { exitCode, out, err }
}

const yaml = `name: Piped
testCases:
  - { id: a, prompt: What is 2 + 2?, scoringMethod: exact-match, expectedOutput: '4' }
`
const csv = 'id,prompt,expectedOutput,scoringMethod\na,What is 2 + 2?,4,exact-match\n'
const line = '{"id":"a","prompt":"What is 2 + 2?","scoringMethod":"exact-match","expectedOutput":"4"}\n'

describe('- is stdin', () => {
  it.each([
    ['YAML', yaml],
    ['JSON', JSON.stringify({ name: 'x', testCases: [JSON.parse(line)] }, null, 2)],
    ['JSON lines', line + line.replace('"a"', '"b"')],
    ['CSV', csv],
  ])('run reads %s, recognised by its content', async (_format, text) => {
    const { exitCode, out, err } = await pipe(text, ['run', '-', '--models', 'demo/good', ...data])
    expect([exitCode, err]).toEqual([0, expect.not.stringContaining('error')])
    expect(out).toContain('demo/good')
  })
  it('check, import and score read it too', async () => {
    expect((await pipe(yaml, ['check', '-', ...data])).out).toContain('Piped · 1 case')
    const imported = await pipe(csv, ['import', '-', ...data])
    expect(imported.out).toContain('What is 2 + 2?')
    expect(imported.err).toContain('benchmaker run -\n')
    const suite = join(folder, 'suite.yaml')
    writeFileSync(suite, yaml)
    const exported = join(folder, 'runs.json')
    await pipe(yaml, ['run', '-', '--models', 'demo/good', '--out', exported, ...data])
    expect((await pipe(readFileSync(exported, 'utf8'), ['import', '-', '--data', join(folder, 'other')])).err).toMatch(
      /^Imported /,
    )
    const answers = JSON.stringify({ runs: [{ id: 'r', results: [{ testCaseId: 'a', modelId: 'm', response: '4' }] }] })
    expect(await pipe(answers, ['score', suite, '-'])).toMatchObject({ out: expect.stringContaining('100.0') })
  })
  it('names stdin in errors, and leaves no file behind', async () => {
    const { exitCode, err } = await pipe(yaml.replace('prompt', 'promt'), ['run', '-', ...data])
    expect([exitCode, err]).toEqual([2, expect.stringMatching(/^error: stdin:3:\d+: testCases\[0\]/)])
    expect(err).not.toContain(tmpdir())
    expect(listLeft()).toEqual([])
  })
  it.each([
    [['run', '-'], '', false, 'error: stdin: is empty\n'],
    [
      ['run', '-'],
      yaml,
      true,
      'error: -: stdin is a terminal\n  Pipe a file into it: cat suite.yaml | benchmaker run -\n',
    ],
    [['score', '-', '-'], yaml, false, 'error: -: stdin can be only one of the files\n'],
    [
      ['check', '-', '--keep-clusters'],
      yaml,
      false,
      'error: --keep-clusters writes into the file of a suite, and - is stdin; name the file\n',
    ],
  ])('%j refuses what it cannot read', async (args, text, isTTY, err) => {
    expect(await pipe(text, [...args], { isTTY })).toEqual({ exitCode: 2, out: '', err })
  })
})

it.each([
  ['question\tanswer\nx\ty\n', '.tsv'],
  ['question,answer\nx,y\n', '.csv'],
  ['name: a, b\ntestCases: []\n', ''],
  ['# a, b\nname: x\n', ''],
  ['PAR1\u0000', ''],
  ['\uFEFF[1]', '.json'],
])('%j is read as %s', (text, extension) => expect(guessExtension(Buffer.from(text))).toBe(extension))
