import fc from 'fast-check'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Papa from 'papaparse'
import { describe, expect, it } from 'vitest'
import { loadCsvSuite, parseCsvSuite } from './read-csv.ts'

const parse = (text: string) => parseCsvSuite(text, 'folder/suite.csv')
const HEADER = 'id,prompt,expectedOutput,scoringMethod'

describe('a suite from CSV', () => {
  it('is named like its file and has a case a row, with metadata, weight and pass mark', () => {
    const { suite, warnings } = parse(
      `${HEADER},weight,passAt,category,difficulty,tags\na,"Say ""x"", please",x,exact-match,2.5,0.7,facts,easy,one; two\n`,
    )
    expect(suite).toEqual({
      name: 'suite',
      testCases: [
        {
          id: 'a',
          prompt: 'Say "x", please',
          expectedOutput: 'x',
          scoringMethod: 'exact-match',
          weight: 2.5,
          passAt: 0.7,
          metadata: { category: 'facts', difficulty: 'easy', tags: ['one', 'two'] },
        },
      ],
    })
    expect(warnings).toEqual([])
  })
  it('other columns are variables, options go to the methods that have them', () => {
    const { suite } = parse(
      'prompt,scoringMethod,expectedOutput,tolerance,answer,choices,negate,city\n' +
        '{{city}}?,numeric-tolerance,1.50,0.1,last,,,Rome\n' +
        '{{tolerance}} {{city}}?,multiple-choice,B,forty-two,,red; green,,Oslo\n' +
        '{{city}}?,boolean,no,,,,TRUE,Bonn',
    )
    expect(suite.testCases).toMatchObject([
      { id: 'row-1', prompt: 'Rome?', expectedOutput: '1.50', tolerance: 0.1, answer: 'last', vars: { city: 'Rome' } },
      { id: 'row-2', prompt: 'forty-two Oslo?', choices: ['red', 'green'] },
      { id: 'row-3', prompt: 'Bonn?', negate: true },
    ])
  })
  it('an object is read as an option', () => {
    const { suite } = parse('prompt,scoringMethod,schema\n?,json-schema,"{""type"":""object""}"')
    expect(suite.testCases[0]).toMatchObject({ schema: { type: 'object' } })
  })
  it.each([
    ['BOM', `\uFEFF${HEADER}\na,?,x,exact-match`],
    ['CRLF', `${HEADER}\r\na,?,x,exact-match\r\n`],
    ['semicolons', `${HEADER.replaceAll(',', ';')}\na;?;x;exact-match`],
    ['tabs', `${HEADER.replaceAll(',', '\t')}\na\t?\tx\texact-match`],
    ['empty lines and columns', `\n${HEADER},,\n\na,?,x,exact-match,,\n,,,,\n`],
    ['quoted everything', `"id","prompt","expectedOutput","scoringMethod"\n"a","?","x","exact-match"`],
  ])('reads %s', (_, text) => {
    expect(parse(text).suite.testCases).toEqual([
      { id: 'a', prompt: '?', expectedOutput: 'x', scoringMethod: 'exact-match', weight: 1 },
    ])
  })
  it.each<[string, string, RegExp]>([
    [
      'a bad weight',
      `${HEADER},weight\na,?,x,exact-match,heavy`,
      /^folder\/suite\.csv:2:19: column "weight": testCases\[0\]\.weight: must be a number/,
    ],
    [
      'a missing expected output',
      `${HEADER}\n"a","two\nlines",x,exact-match\nb,?,,exact-match`,
      /^folder\/suite\.csv:4:5: column "expectedOutput": .*needs an expected output/,
    ],
    [
      'the same id twice',
      `${HEADER}\na,?,x,boolean\na,?,x,boolean`,
      /^folder\/suite\.csv:3:1: column "id": .*used twice/,
    ],
    ['an unknown method', `${HEADER}\na,?,x,vibes`, /^folder\/suite\.csv:2:7: .*no scoring method "vibes"/],
    ['no method', `${HEADER}\na,?,x,`, /^folder\/suite\.csv:2:1: .*give a scoringMethod/],
    [
      'a bad option',
      `${HEADER},tolerance\na,?,5,numeric-tolerance,much`,
      /^folder\/suite\.csv:2:25: column "tolerance": /,
    ],
    [
      'an unknown variable',
      `${HEADER}\na,{{b}},x,boolean`,
      /^folder\/suite\.csv:2:3: column "prompt": .*\{\{b\}\} has no value/,
    ],
    [
      'too many fields',
      `${HEADER}\na,well, well,x,exact-match`,
      /^folder\/suite\.csv:2:16: has 5 fields where the header has 4; put text with a comma/,
    ],
    [
      'too few fields',
      `${HEADER}\na,?`,
      /^folder\/suite\.csv:2:3: has 2 fields where the header has 4; "expectedOutput" and what follows is missing/,
    ],
    [
      'an open quote',
      `${HEADER}\na,?,x,boolean\nb,"open,x,boolean\nc,?,x,boolean`,
      /^folder\/suite\.csv:3:3: a quote is opened and never closed/,
    ],
    ['text after a quote', `${HEADER}\na,"?" well,x,boolean`, /^folder\/suite\.csv:2:6: .*quote/],
    [
      'the same column twice',
      'prompt,id,prompt,scoringMethod\n',
      /^folder\/suite\.csv:1:11: columns 1 and 3 are both named "prompt"/,
    ],
    ['a column without a name', 'prompt,,scoringMethod\n', /^folder\/suite\.csv:1:8: column 2 has no name/],
    [
      'no prompt',
      'question,scoringMethod\n?,boolean',
      /^folder\/suite\.csv:1:1: needs a column prompt; it has question, scoringMethod/,
    ],
    ['no cases', HEADER, /has a header but no test cases/],
    ['nothing', '\n\n', /is empty/],
    ['UTF-16', 'i\0d\0,\0', /UTF-16/],
  ])('refuses %s with its line and column', (_, text, message) => expect(() => parse(text)).toThrow(message))

  it('warns of a column that nothing uses, most of all a misspelt one', () => {
    expect(parse(`${HEADER},Expected_Output,colour\na,?,x,boolean,y,red`).warnings).toEqual([
      'folder/suite.csv:1:40: column "Expected_Output" is not a field of a test case; did you mean expectedOutput?',
      'folder/suite.csv:1:56: column "colour" is not a field of a test case and no prompt or expectedOutput uses {{colour}}',
    ])
  })
  it('an option may be filled only in the rows whose method has it', () => {
    const rows = ['a,?,x,boolean,true,', 'b,?,1,numeric-tolerance,,0.5', 'c,?,x,exact-match, ,']
    const { suite, warnings } = parse(`${HEADER},negate,tolerance\n${rows.join('\n')}`)
    expect(warnings).toEqual([])
    expect(suite.testCases).toMatchObject([{ negate: true }, { tolerance: 0.5 }, { id: 'c' }])
    for (const testCase of suite.testCases) expect(testCase).not.toHaveProperty('vars')
  })
  it('warns of an option in a row whose method does not have it', () => {
    const rows = ['a,?,x,exact-match,0.5', 'b,?,1,numeric-tolerance,0.5']
    expect(parse(`${HEADER},tolerance\n${rows.join('\n')}`).warnings).toEqual([
      'folder/suite.csv:1:40: column "tolerance" is not an option of exact-match and is ignored there',
    ])
  })
  it('a column that a prompt uses is a variable, also where it is empty', () => {
    const rows = ['a,Say {{answer}}.,x,exact-match,', 'b,?,1,numeric-tolerance,last']
    const { suite } = parse(`${HEADER},answer\n${rows.join('\n')}`)
    expect(suite.testCases).toMatchObject([{ prompt: 'Say .' }, { answer: 'last' }])
  })
  it('a column named __proto__ is a variable like any other', () => {
    expect(parse(`${HEADER},__proto__\na,{{__proto__}},x,boolean,mine`).suite.testCases[0]?.prompt).toBe('mine')
  })
  it('any text survives the way through a CSV file, and errors name its line', () => {
    const texts = fc
      .string({ unit: 'grapheme', minLength: 1 })
      .filter((text) => text.trim() !== '' && !text.includes('\0') && !text.includes('{{'))
    fc.assert(
      fc.property(texts, texts, (prompt, expectedOutput) => {
        const rows = [
          { id: 'a', prompt, expectedOutput, scoringMethod: 'exact-match' },
          { id: 'b', prompt, expectedOutput: '', scoringMethod: 'exact-match' },
        ]
        const good = Papa.unparse(rows.slice(0, 1), { quotes: true })
        expect(parse(good).suite.testCases[0]).toMatchObject({ prompt, expectedOutput })
        const line = `${good}\r\n`.split(/\r\n|\n|\r/).length
        const text = Papa.unparse(rows, { quotes: true })
        const [before, after] = [text.slice(0, text.lastIndexOf('"b"')), text.slice(text.lastIndexOf('"b"'))]
        expect(before.split(/\r\n|\n|\r/)).toHaveLength(line)
        const lines = after.slice(0, after.lastIndexOf('"","exact-match"')).split(/\r\n|\n|\r/)
        expect(() => parse(text)).toThrow(
          `folder/suite.csv:${line + lines.length - 1}:${lines.at(-1)!.length + 1}: column "expectedOutput"`,
        )
      }),
    )
  })
  it('says that a file in another encoding is to be saved as UTF-8', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'benchmaker-csv-'))
    await writeFile(join(folder, 'latin1.csv'), Buffer.from(`${HEADER}\na,caf\xe9?,x,boolean`, 'latin1'))
    await writeFile(join(folder, 'utf16.csv'), Buffer.from(`\uFEFF${HEADER}\na,?,x,boolean`, 'utf16le'))
    await expect(loadCsvSuite(join(folder, 'latin1.csv'))).rejects.toThrow(/not UTF-8/)
    await expect(loadCsvSuite(join(folder, 'utf16.csv'))).rejects.toThrow(/UTF-8/)
    await rm(folder, { recursive: true })
  })
})
