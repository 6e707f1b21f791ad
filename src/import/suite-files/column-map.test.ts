import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { previewTable } from './preview-table.ts'
import { importSuite, importSuiteText } from './recognise-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-map-'))
afterAll(() => rmSync(folder, { recursive: true }))

const short = (text: string) => text.replaceAll(`${folder}/`, '')

async function read(name: string, text: string, map?: Record<string, string>) {
  const file = join(folder, name)
  writeFileSync(file, text)
  try {
    const { suite, warnings, format } = await importSuite(file, { map })
    return { testCases: suite.testCases, warnings: warnings.map(short), format }
  } catch (error) {
    throw new Error(short(String(error)), { cause: error })
  }
}

const QA = { prompt: 'question', expectedOutput: 'answer' }
const CSV = 'nr,question,answer,topic\n7,"2+2?",4,maths\n8,Capital of Peru?,Lima,places\n'
const LINES =
  '{"nr": 7, "question": "2+2?", "answer": 4.0, "topic": "maths", "hints": ["add"]}\n{"nr": 8, "question": "Capital of Peru?", "answer": "Lima", "topic": null}\n'

describe('a table with other column names', () => {
  it('is read from CSV', async () => {
    const { testCases, warnings } = await read('a.csv', CSV, { ...QA, id: 'nr', category: 'topic' })
    expect(testCases).toMatchObject([
      {
        id: '7',
        prompt: '2+2?',
        expectedOutput: '4',
        scoringMethod: 'exact-match',
        partial: false,
        metadata: { category: 'maths' },
      },
      { id: '8', prompt: 'Capital of Peru?', expectedOutput: 'Lima' },
    ])
    expect(warnings).toEqual([
      'a.csv: no scoringMethod: answers must equal the expected output (exact-match); for another method use --map scoringMethod=…',
    ])
  })
  it('is read from JSON lines, numbers as they are written', async () => {
    const { testCases, warnings } = await read('a.jsonl', LINES, { ...QA, id: 'nr', scoringMethod: 'boolean' })
    expect(testCases).toMatchObject([
      { id: '7', prompt: '2+2?', expectedOutput: '4.0', scoringMethod: 'boolean', vars: { topic: 'maths' } },
      { id: '8', prompt: 'Capital of Peru?', expectedOutput: 'Lima', scoringMethod: 'boolean' },
    ])
    expect(warnings).toEqual(['a.jsonl: the field "hints" is a list or an object and not used'])
  })
  it('is read from a list of JSON objects, also from fields inside', async () => {
    const text = JSON.stringify([{ doc: { question: 'Q?' }, target: ['a'], 'odd.name': 1 }])
    const { testCases, format } = await read('a.json', text, {
      prompt: 'doc.question',
      expectedOutput: 'target',
      weight: 'odd.name',
      scoringMethod: 'json-match',
    })
    expect(format).toBe('json')
    expect(testCases).toMatchObject([{ id: 'item-1', prompt: 'Q?', expectedOutput: '["a"]', weight: 1 }])
  })
  it('without an expected output collects the answers', async () => {
    const { testCases, warnings } = await read('b.csv', 'q,z\nHello?,1\n', { prompt: 'q' })
    expect(testCases).toMatchObject([{ prompt: 'Hello?', scoringMethod: 'none', vars: { z: '1' } }])
    expect(warnings).toContain(
      'b.csv: no scoringMethod and no expectedOutput: answers are collected, not scored (none)',
    )
  })
  it('uses the named column even if another has the name of the field', async () => {
    const { testCases, warnings } = await read('c.csv', 'prompt,question,scoringMethod\nold,new,none\n', {
      prompt: 'question',
    })
    expect(testCases).toMatchObject([{ prompt: 'new' }])
    expect(warnings).toContain('c.csv:1:1: column "prompt" is not used: question is the prompt')
  })
  it('may use a column twice', async () => {
    const { testCases } = await read('d.csv', 'word,x\nRome,1\n', { prompt: 'word', expectedOutput: 'word' })
    expect(testCases).toMatchObject([{ prompt: 'Rome', expectedOutput: 'Rome' }])
  })
})

describe('a field put together from several columns', () => {
  const map = { prompt: String.raw`{{context}}\n\nQ: {{question}}`, expectedOutput: 'answer', cluster: 'story' }
  it.each([
    ['t.csv', 'story,context,question,answer\n1,"Ann ran, {{x}}.",Who ran?,Ann\n'],
    ['t.jsonl', '{"story":"1","context":"Ann ran, {{x}}.","question":"Who ran?","answer":"Ann"}\n'],
    ['t.json', '[{"story":"1","context":"Ann ran, {{x}}.","question":"Who ran?","answer":"Ann"}]'],
  ])('%s: its text is literal', async (name, text) => {
    const { testCases } = await read(name, text, { prompt: map.prompt, expectedOutput: 'answer' })
    expect(testCases).toMatchObject([{ prompt: 'Ann ran, {{x}}.\n\nQ: Who ran?', expectedOutput: 'Ann' }])
  })
  it('names a column that is not there', async () => {
    await expect(read('u.csv', 'q,a\nx,y\n', { prompt: '{{q}} {{hint}}', expectedOutput: 'a' })).rejects.toThrow(
      /no column "hint" \(for prompt\)/,
    )
  })
  it('text that looks like a variable stays as it is', async () => {
    const { testCases } = await read('v.jsonl', '{"q":"Say {{char}}","char":"x","a":"{{user}}"}\n', {
      prompt: 'q',
      expectedOutput: 'a',
    })
    expect(testCases).toMatchObject([{ prompt: 'Say {{char}}', expectedOutput: '{{user}}' }])
  })
})

describe('what is wrong is named, with what there is', () => {
  it.each<[string, string, Record<string, string> | undefined, RegExp]>([
    [
      'e.csv',
      CSV,
      { prompt: 'frage', expectedOutput: 'antwort' },
      /e\.csv: there is no column "frage" \(for prompt\), "antwort" \(for expectedOutput\); the columns are "nr", "question", "answer", "topic"\./,
    ],
    ['e.jsonl', LINES, { prompt: 'frage' }, /no column "frage" \(for prompt\); the columns are "nr", "question"/],
    ['e.csv', CSV, { ...QA, scoringMethod: 'nope' }, /no column "nope" \(for scoringMethod\).*one of exact-match/],
    [
      'e.csv',
      'nr,colour\n1,red\n',
      undefined,
      /needs a column prompt and a column scoringMethod.*--map prompt=nr,expectedOutput=colour/s,
    ],
    ['e.jsonl', '{"nr":1,"hue":2}\n', undefined, /no line has a prompt; the fields are nr, hue.*--map/],
    ['e.json', '[{"colour": "?"}]', undefined, /it is a list of 1.*--map prompt=question/],
    ['e.yaml', 'name: S', QA, /only for CSV, JSON lines and lists/],
    [
      'f.jsonl',
      '{"question": "a"}\n{"q": "b"}\n',
      { prompt: 'question' },
      /f\.jsonl:2: has no "question"; its fields are q/,
    ],
    ['g.csv', 'q,a\nx,\n', { prompt: 'q', expectedOutput: 'a' }, /g\.csv:2:3: column "a": .*needs an expected output/],
  ])('%s', async (name, text, map, message) => {
    await expect(read(name, text, map)).rejects.toThrow(message)
  })
})

describe('a preview of a table', () => {
  it.each([
    ['p.csv', CSV],
    ['p.jsonl', LINES],
    ['pasted', CSV],
    [
      'p.json',
      JSON.stringify(
        LINES.trim()
          .split('\n')
          .map((line) => JSON.parse(line) as unknown),
      ),
    ],
  ])('%s has its columns, first rows and a guess', async (name, text) => {
    const preview = await previewTable(text, name)
    expect(preview?.columns.slice(0, 4)).toEqual(['nr', 'question', 'answer', 'topic'])
    expect(preview?.rows[1]).toMatchObject({ nr: '8', question: 'Capital of Peru?', answer: 'Lima' })
    expect(preview?.guess).toEqual({ prompt: 'question', expectedOutput: 'answer', category: 'topic' })
  })
  it('is not there for other files', async () => {
    expect(await previewTable('name: S\ntestCases: []\n', 's.yaml')).toBeUndefined()
    expect(await previewTable('just a sentence', 'pasted')).toBeUndefined()
  })
  it('is enough to import with: the web app gives the same suite as the terminal', async () => {
    const { suite } = await importSuiteText(CSV, 'a.csv', { map: QA })
    const { testCases } = await read('a.csv', CSV, QA)
    expect(JSON.parse(JSON.stringify(suite['testCases']))).toEqual(JSON.parse(JSON.stringify(testCases)))
  })
})
