import { describe, expect, it } from 'vitest'
import { parseCsvSuite } from '../../../import/suite-files/read-csv.ts'
import { parseSuite } from '../../../import/suite-files/read-yaml.ts'
import { nameFormat, readImportProblems, sortByLine } from './import-places.ts'

function problemsOf(fileName: string, text: string, parse: (text: string, fileName: string) => unknown) {
  try {
    parse(text, fileName)
  } catch (error) {
    if (error instanceof Error) return readImportProblems(error.message, { fileName, text })
  }
  throw new Error('The text was read without an error.')
}

describe('problems of an import', () => {
  it('have line, column and the text of the line in suite files', () => {
    const text =
      'name: S\ntestCases:\n  - id: a\n    prompt: p\n    scoringMethod: exact-match\n    expectedOutput: x\n    weight: -1\n'
    expect(problemsOf('my suite (1).yaml', text, parseSuite)).toEqual([
      { line: 7, column: 5, message: expect.stringContaining('must be greater than 0'), excerpt: 'weight: -1' },
    ])
  })

  it('have the line in CSV files', () => {
    const [problem] = problemsOf(
      'cases.csv',
      'id,prompt,scoringMethod,expectedOutput\na,p,exact-match,\n',
      parseCsvSuite,
    )
    expect(problem).toMatchObject({ line: 2, message: expect.stringContaining('exact-match needs an expected output') })
  })

  it('keep messages without a place as they are', () => {
    expect(
      readImportProblems('suite.yaml: is no suite\nLooked for:\n\n  CSV', { fileName: 'suite.yaml', text: '' }),
    ).toEqual([{ message: 'is no suite' }, { message: 'Looked for:' }, { message: '  CSV' }])
  })

  it('are sorted in file order', () => {
    expect(
      sortByLine([{ message: 'x' }, { line: 9, message: 'b' }, { line: 7, message: 'a' }, { message: 'y' }]).map(
        ({ message }) => message,
      ),
    ).toEqual(['a', 'b', 'x', 'y'])
  })

  it('names the formats for users', () => {
    expect(nameFormat('promptfoo')).toBe('promptfoo config')
    expect(nameFormat('new-one')).toBe('new-one')
  })
})

it('names what the web app has, not a flag of the terminal', () => {
  const say = (message: string) => readImportProblems(message, { fileName: 'a.csv', text: '' })[0]?.message
  expect(
    say("a.csv: needs a column prompt. Name other columns, for example with --map 'prompt=my q,expectedOutput=b'"),
  ).toBe('needs a column prompt. Name other columns, with “Choose columns”')
  expect(say('a.csv: no line has a prompt. Name them with --map prompt=q,expectedOutput=a')).toBe(
    'no line has a prompt. Name them with “Choose columns”',
  )
})
