import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { importSuite, importSuiteText } from '../suite-files/recognise-suite.ts'
import { makeParquet } from '../results/testing/parquet-file.ts'
import { lines } from './testing/sample-file.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-rules-'))
afterAll(() => rmSync(folder, { recursive: true }))

async function read(name: string, content: string | Buffer, options: Parameters<typeof importSuite>[1] = {}) {
  const file = join(folder, name)
  writeFileSync(file, content)
  const imported = await importSuite(file, options)
  return { ...imported, warnings: imported.warnings.map((warning) => warning.replaceAll(`${folder}/`, '')) }
}

const questions = (count: number, change: (index: number) => Record<string, unknown> = () => ({})) =>
  Array.from({ length: count }, (_, index) => ({
    id: `q${index}`,
    question: `Who won race ${index}?`,
    answer: `Runner ${index}`,
    ...change(index),
  }))

it.each(['sep=;\r\nFrage;Antwort\r\nHauptstadt von Peru?;Lima\r\n', 'question|answer\nCapital of Peru?|Lima\n'])(
  'separators of spreadsheets are known: %j',
  async (text) => {
    const { suite } = await read('sheet.csv', text)
    expect(suite.testCases.map(({ expectedOutput }) => expectedOutput)).toEqual(['Lima'])
  },
)

it('tests of promptfoo need the prompts of their config', async () => {
  await expect(read('tests.csv', 'language,body,__expected\nFrench,Hello,contains:Bonjour\n')).rejects.toThrow(
    'tests.csv: holds tests of promptfoo (__expected) without the prompts that they are for; import the promptfooconfig.yaml',
  )
})

describe('columns in any language', () => {
  it.each([
    ['Frage', 'Antwort'],
    ['PREGUNTA', 'Respuesta correcta'],
    ['Вопрос', 'Ответ'],
    ['問題', '答え'],
    ['问题', '参考答案'],
    ['سؤال', 'جواب'],
    ['Câu hỏi', 'Đáp án'],
    ['Frage', 'Erwartete Antwort'],
    ['问题', '期望答案'],
  ])('%s and %s', async (question, answer) => {
    const { suite } = await read(
      'named.csv',
      `${question},${answer}\nCapital of France?,Paris\nCapital of Peru?,Lima\n`,
    )
    expect(suite.testCases[0]).toMatchObject({
      prompt: 'Capital of France?',
      scoringMethod: 'text-overlap',
      expectedOutput: 'Paris',
    })
  })
  it('are not an answer because nothing else is: a name beside tests', async () => {
    const rows = [
      { name: 'doubling', description: 'Print twice the number.', examples: { input: ['3'], output: ['6'] } },
    ]
    await expect(read('tests.jsonl', lines(rows))).rejects.toThrow(/the fields are name, description/)
  })
  it('whose names say nothing are read by what is in them, if that is clear', async () => {
    const unnamed = (pairs: [string, string][]) => lines(pairs.map(([yy, xx], nr) => ({ nr, xx, yy })))
    const asked = unnamed([
      ['Hver er höfuðborg Íslands?', 'Reykjavík'],
      ['Hvað heitir höfuðborg Noregs?', 'Osló'],
    ])
    const { suite } = await read('asked.jsonl', asked)
    expect(suite.testCases[0]).toMatchObject({ prompt: 'Hver er höfuðborg Íslands?', expectedOutput: 'Reykjavík' })
    const unclear = unnamed([
      ['alpha', 'beta'],
      ['gamma', 'delta'],
    ])
    await expect(read('unclear.jsonl', unclear)).rejects.toThrow(/the fields are nr, xx(?:,| and) yy/)
  })
})

describe('rows that cannot be used', () => {
  it('are named and left out', async () => {
    const { suite, warnings, dataset } = await read(
      'one.jsonl',
      lines(questions(40, (index) => (index === 7 ? { answer: null } : {}))),
    )
    expect(suite.testCases).toHaveLength(39)
    expect(warnings).toEqual(['one.jsonl:8: left out: has no answer'])
    expect(dataset).toMatchObject({ rows: 40, leftOut: 1 })
  })
  it('refuse the file if they are more than 5 %', async () => {
    const rows = questions(40, (index) => (index < 3 ? { answer: '' } : {}))
    await expect(read('three.jsonl', lines(rows))).rejects.toThrow(
      /3 of 40 rows cannot be used, more than 5 %.*--recipe.*--map.*three\.jsonl:1: has no answer/s,
    )
  })
  it('are also lines that are no rows', async () => {
    const broken = lines(questions(30)).replace('"id":"q7"', '"id":q7')
    expect((await read('broken.jsonl', broken)).warnings).toEqual([
      expect.stringMatching(/^broken\.jsonl:8:\d+: left out: is not JSON/),
    ])
    const table = ['question,answer', ...questions(30).map(({ question, answer }) => `${question},${answer}`)]
    table[4] = 'Who, of all, won?,Ann,x'
    const { warnings, dataset } = await read('fields.csv', table.join('\n'))
    expect(warnings).toEqual(['fields.csv:5: left out: has 5 fields where the header has 2'])
    expect(dataset).toMatchObject({ rows: 30, leftOut: 1 })
    await expect(read('broken.jsonl', broken.split('\n').slice(5, 9).join('\n'))).rejects.toThrow(
      /broken\.jsonl:3:\d+: is not JSON/,
    )
  })
  it('one in a small file is left out too, but not two, nor one of a few', async () => {
    const odd = (rows: number, wrong: number) =>
      lines(questions(rows, (index) => (index < wrong ? { answer: null } : {})))
    expect((await read('small.jsonl', odd(10, 1))).suite.testCases).toHaveLength(9)
    await expect(read('small.jsonl', odd(10, 2))).rejects.toThrow(/2 of 10 rows cannot be used/)
    await expect(read('few.jsonl', odd(3, 1))).rejects.toThrow(/1 of 3 rows cannot be used/)
  })
  it('are those whose key is none of the options', async () => {
    const rows = Array.from({ length: 30 }, (_, index) => ({
      question: `Which is ${index}?`,
      choices: ['red', 'blue', 'green'],
      answer: index === 4 ? 9 : index % 3,
    }))
    const { warnings } = await read('keys.json', JSON.stringify(rows))
    expect(warnings).toEqual(['keys.json: row 5: left out: its answer "9" is none of its 3 options'])
  })
  it('are those whose label is a number without a meaning', async () => {
    const rows = [1, 2, 1].map((label, index) => ({ text: `Headline ${index}`, label }))
    await expect(read('labels.jsonl', lines(rows))).rejects.toThrow(/the file does not say what it means/)
  })
  it.each([
    ['two texts', { sentence1: 'Ann left.', sentence2: 'Bo came.' }],
    ['a text under input', { input: 'I cooked.' }],
    ['a question alone', { question: 'Is it so?' }],
  ])('also beside %s', async (_, fields) => {
    const rows = [0, 1, 0].map((label) => ({ ...fields, label }))
    await expect(read('numbers.jsonl', lines(rows))).rejects.toThrow(/the file does not say what it means/)
  })
  it('are those whose tests write to a program', async () => {
    const rows = [{ id: 0, question: 'Read n and print it.', input_output: '{"inputs": ["3"], "outputs": ["3"]}' }]
    await expect(read('apps.jsonl', lines(rows))).rejects.toThrow(/stdin/)
  })
  it('are those that need an image', async () => {
    await expect(read('images.jsonl', lines(questions(3, () => ({ image: 'a.png' }))))).rejects.toThrow(
      /needs its image/,
    )
  })
})

describe('what the dataset says about its rows', () => {
  it('is kept: id, category, difficulty, split and cluster', async () => {
    const { suite } = await read(
      'facts.jsonl',
      lines(questions(2, () => ({ subject: 'sport', level: 3, split: 'test', cluster: 'races' }))),
    )
    expect(suite.testCases[0]).toMatchObject({
      id: 'q0',
      cluster: 'races',
      metadata: { category: 'sport', difficulty: '3', split: 'test' },
    })
  })
  it('a repeated id gets a number, with a note', async () => {
    const { suite, warnings } = await read('twice.jsonl', lines(questions(3, () => ({ id: 'same' }))))
    expect(suite.testCases.map(({ id }) => id)).toEqual(['same', 'same-2', 'same-3'])
    expect(warnings).toEqual(['twice.jsonl: 2 rows had the id of another row; a number was added to it'])
  })
  it.each([
    ['unused.jsonl', lines(questions(2, () => ({ explanation: 'x', url: 'y' })))],
    ['unused.csv', 'id,question,answer,explanation,url\na,Who won?,Ann,x,y\nb,Who lost?,Bo,x,y\n'],
  ])('columns that are not used are named: %s', async (name, text) => {
    expect((await read(name, text)).warnings).toEqual([`${name}: not used: "explanation", "url"`])
  })
  it('text is literal', async () => {
    const { suite } = await read(
      'literal.jsonl',
      lines([{ question: String.raw`Who is {{char}} in $\frac{{1}}{{x}}$ \{{a}}?`, answer: '{{user}}' }]),
    )
    expect(suite.testCases[0]).toMatchObject({
      prompt: String.raw`Who is {{char}} in $\frac{{1}}{{x}}$ \{{a}}?`,
      expectedOutput: '{{user}}',
    })
  })
  it('a system prompt of a row stays with it', async () => {
    const { suite } = await read('system.jsonl', lines(questions(1, () => ({ system: 'You are a referee.' }))))
    expect(suite.testCases[0]!.messages).toEqual([
      { role: 'system', content: 'You are a referee.' },
      { role: 'user', content: 'Who won race 0?' },
    ])
  })
})

describe('how a file is read can be chosen', () => {
  it('by a recipe', async () => {
    const { dataset } = await read('choose.jsonl', lines(questions(2)), { recipe: 'guess' })
    expect(dataset?.recipe).toBe('guess')
  })
  it.each([
    [{ recipe: 'nope' }, /no recipe "nope"; use none, or one of instructions, code/],
    [{ recipe: 'none' }, /no line has a prompt/],
    [{ recipe: 'maths', map: { prompt: 'question' } }, /two readings of one file/],
    [{ recipe: 'instructions' }, /has no prompt|has no instruction_id_list/],
  ])('%j is refused', async (options, message) => {
    await expect(read('refused.jsonl', lines(questions(2)), options)).rejects.toThrow(message)
  })
  it('a spreadsheet is refused with what to do', async () => {
    await expect(read('table.xlsx', 'PK')).rejects.toThrow(/save the sheet as CSV/)
  })
})

describe('other files', () => {
  const table = makeParquet([
    { name: 'question', values: ['Who won?', 'Who lost?'] },
    { name: 'answer', values: ['Ann', 'Bo'] },
    { name: 'wins', values: [2n, 1n] },
  ])
  it('Parquet is read, from disk and as the web app sends it', async () => {
    const { suite } = await read('rows.parquet', table)
    expect(suite.testCases).toMatchObject([
      { prompt: 'Who won?', expectedOutput: 'Ann' },
      { prompt: 'Who lost?', expectedOutput: 'Bo' },
    ])
    const sent = await importSuiteText('', 'rows.parquet', { base64: table.toString('base64') })
    expect(sent.suite['testCases']).toEqual(suite.testCases)
  })
  it('Parquet with named columns', async () => {
    const { suite } = await read('rows.parquet', table, {
      map: { prompt: 'Say: {{question}}', expectedOutput: 'wins' },
    })
    expect(suite.testCases[0]).toMatchObject({ prompt: 'Say: Who won?', expectedOutput: '2' })
  })
  it('YAML with rows, from disk and as the web app sends it', async () => {
    const text = 'questions:\n  - question: Who won?\n    answer: Ann\n  - question: Who lost?\n    answer: Bo\n'
    const { suite, dataset } = await read('rows.yaml', text)
    expect(dataset).toMatchObject({ recipe: 'facts', rows: 2 })
    expect(suite.testCases[0]).toMatchObject({ prompt: 'Who won?', expectedOutput: 'Ann' })
    expect((await importSuiteText(text, 'rows.yml')).suite['testCases']).toEqual(suite.testCases)
    await expect(read('rows.yaml', text, { recipe: 'none' })).rejects.toThrow(/not a suite Benchmaker can read/)
    await expect(read('other.yaml', 'a: 1\nb: two\n')).rejects.toThrow(/not a suite Benchmaker can read/)
    expect((await read('rows.yaml', text, { recipe: 'guess' })).dataset?.recipe).toBe('guess')
  })
  it('gzip is unpacked', async () => {
    const { suite } = await read('packed.jsonl.gz', gzipSync(lines(questions(2))))
    expect(suite).toMatchObject({ name: 'packed', testCases: [{ prompt: 'Who won race 0?' }, {}] })
  })
})

it('a file that Git LFS keeps elsewhere is refused with what to do', async () => {
  const pointer = 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a2146\nsize 12345\n'
  await expect(read('pointer.jsonl', pointer)).rejects.toThrow(/git lfs pull/)
})

describe('answers that are more than a short text', () => {
  it('a range is accepted whole', async () => {
    const { suite } = await read(
      'range.csv',
      'problem,answer,topic\nHow many live there?,"120,000 (acceptable range: anything between 118,800 and 121,200)",Places\nWho leads it?,Ann Lee,Places\nWho won?,Bo,Places\n',
    )
    expect(suite.testCases[0]).toMatchObject({ scoringMethod: 'math', expectedOutput: '120000', tolerance: 0.010001 })
  })
  it('long ones in Chinese are for a judge, as in other languages', async () => {
    const long =
      '这是一个很长的解释，它包括了很多方面的内容，需要逐一说明，因此不能只看一个词，而要看整个回答是否合理。'
    const { dataset } = await read('long.jsonl', lines([{ question: '为什么？', answer: long }]))
    expect(dataset?.scoringMethods).toEqual(['llm-judge'])
  })
  it('how alike two texts are is no label', async () => {
    const rows = [0.8, 3.4, 5].map((label) => ({ sentence1: 'Ann runs.', sentence2: 'Bo runs.', label }))
    await expect(read('alike.jsonl', lines(rows))).rejects.toThrow(/label is a number/)
  })
  it('a column that names options is no key if it says what somebody chose', async () => {
    const rows = [1, 2].map((n) => ({ question: `Who is ${n}?`, options: ['Ann', 'Bo'], model_answer: 'A' }))
    const { dataset } = await read('chosen.jsonl', lines(rows))
    expect(dataset?.scoringMethods).toEqual(['none'])
  })
})
