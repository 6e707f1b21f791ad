import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { importSuite } from './recognise-suite.ts'

const SUITE =
  'name: S\ntestCases:\n  - { id: a, prompt: "{{v}}?", vars: { v: V }, scoringMethod: exact-match, expectedOutput: x }\n'
const CSV = 'prompt,scoringMethod\n?,boolean\n'
const JSONL = '{"id":"a","prompt":"?","scoringMethod":"boolean"}\n{"id":"b","prompt":"?","scoringMethod":"boolean"}\n'
/** A file of another kind, of which no error repeats more than a character. */
const SHADOW = 'root:$6$canary:19000:0:99999:7:::\ndaemon:*:19000:0:99999:7:::\n'
const PROMPTFOO =
  "prompts: ['Say {{a}}']\nproviders: [openai:gpt-4.1]\ntests: [{ vars: { a: 1 }, assert: [{ type: contains, value: x }] }]\n"

let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'benchmaker-import-'))
})
afterAll(async () => rm(folder, { recursive: true }))

async function importText(name: string, text: string) {
  await writeFile(join(folder, name), text)
  return importSuite(join(folder, name))
}

describe('a suite is recognised', () => {
  it.each<[string, string, string]>([
    ['s.yaml', SUITE, 'suite'],
    ['s.json', '{"name":"S","testCases":[{"id":"a","prompt":"?","scoringMethod":"boolean"}]}', 'suite'],
    ['s.txt', SUITE, 'suite'],
    ['s.csv', CSV, 'csv'],
    ['s.tsv', CSV.replaceAll(',', '\t'), 'csv'],
    ['csv', CSV, 'csv'],
    ['s.jsonl', JSONL, 'jsonl'],
    ['s.ndjson', JSONL, 'jsonl'],
    ['lines', JSONL, 'jsonl'],
    ['p.yaml', PROMPTFOO, 'promptfoo'],
    ['p.json', '{"prompts":"Say","tests":[{"assert":[{"type":"contains","value":"x"}]}]}', 'promptfoo'],
  ])('%s as %3$s', async (name, text, format) => {
    const imported = await importText(name, text)
    expect(imported.format).toBe(format)
    expect(imported.suite.testCases.length).toBeGreaterThan(0)
  })
  it('variables are filled whatever the file', async () => {
    expect((await importText('v.yaml', SUITE)).suite.testCases[0]?.prompt).toBe('V?')
    await expect(importText('w.yaml', SUITE.replace('{{v}}', '{{w}}'))).rejects.toThrow(
      /w\.yaml:3:14: testCases\[0\]\.prompt: \{\{w\}\} has no value/,
    )
  })
  it('a folder stands for the promptfoo config in it, with its models', async () => {
    await mkdir(join(folder, 'config'))
    await mkdir(join(folder, 'empty'))
    await writeFile(join(folder, 'config', 'promptfooconfig.yaml'), PROMPTFOO)
    expect(await importSuite(join(folder, 'config'))).toMatchObject({
      format: 'promptfoo',
      suggestedModels: ['openai/gpt-4.1'],
    })
    await expect(importSuite(join(folder, 'empty'))).rejects.toThrow(/is a folder without a promptfooconfig\.yaml/)
  })
  it.each<[string, string, RegExp]>([
    [
      'u.yaml',
      'colour: red\nsize: 5\n',
      /u\.yaml: is not a suite Benchmaker can read: its fields are colour, size\nLooked for:\n {2}a suite: .*\n {2}a promptfoo config: .*\n {2}CSV .*\n {2}JSON lines/,
    ],
    ['a list of passwords', SHADOW, /its fields are not those of a suite\nLooked for/],
    ['s.csv', SHADOW, /s\.csv:1:1: needs a column prompt and a column scoringMethod\. Columns are id/],
    ['p.csv', 'canary\n', /p\.csv:1:1: needs a column prompt and a column scoringMethod\. Columns/],
    ['s.jsonl', SHADOW, /s\.jsonl:1:1: is not JSON: Unexpected token 'r'$/],
    ['v.jsonl', '{"root:$6$canary":1}', /v\.jsonl: no line has a prompt\. Name/],
    ['d.yaml', '$6$canary: 1\n$6$canary: 2\n', /d\.yaml:2:1: /],
    ['l.json', '[{"id":"a"}]', /it is a list of 1; put the cases under testCases/],
    ['r.json', '{"runs":[]}', /it contains runs, not a suite/],
    ['t.txt', 'just words', /it is plain text/],
    ['x.xlsx', '', /x\.xlsx: Excel files are not read; save the sheet as CSV/],
    ['promptfooconfig.js', '', /code is not run; write the config as YAML or JSON/],
    ['b.yaml', 'a: [', /b\.yaml:1:5: /],
  ])('%s is refused with what was looked for', async (name, text, message) => {
    await expect(importText(name, text)).rejects.toThrow(message)
    await expect(importText(name, text)).rejects.not.toThrow(/canary/)
  })
  it('reports a missing file', async () => {
    await expect(importSuite(join(folder, 'none.yaml'))).rejects.toThrow(/none\.yaml: there is no such file/)
  })
})
