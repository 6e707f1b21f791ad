import { describe, expect, it } from 'vitest'
import { describeOthers, filesBeside, findMain, findSuiteFiles, listOthers, readGiven } from './given-files.ts'

describe('the file to read among several', () => {
  it.each([
    [['a/promptfooconfig.yaml', 'promptfooconfig.json', 'x.csv'], 'promptfooconfig.json'],
    [['f/prompts.txt', 'f/promptfooconfig.yaml', 'f/other/promptfooconfig.yaml'], 'f/promptfooconfig.yaml'],
    [['f/promptfooconfig.json', 'f/promptfooconfig.yaml'], 'f/promptfooconfig.yaml'],
    [['f/promptfooconfig.claude.yaml', 'f/a.csv'], 'f/promptfooconfig.claude.yaml'],
    [['node_modules/x/promptfooconfig.yaml', 'suite.yaml'], 'suite.yaml'],
    [['suite.yaml', 'b.csv'], 'suite.yaml'],
    [[], undefined],
  ])('of %j is %s', (paths, main) => {
    expect(findMain(paths)).toBe(main)
  })
})

describe('the files that are suites of their own', () => {
  it.each([
    [
      ['b.yaml', 'a.csv', 'notes.md'],
      ['a.csv', 'b.yaml'],
    ],
    [
      ['suites/2.json', 'suites/10.json', 'suites/data/x.csv', 'suites/.hidden.json'],
      ['suites/2.json', 'suites/10.json'],
    ],
    [['suite.yaml', 'picture.png'], []],
    [['suite.yaml', 'data/x.csv'], []],
    [['f/promptfooconfig.yaml', 'f/tests.csv'], []],
    [[], []],
  ])('among %j are %j', (paths, found) => {
    expect(findSuiteFiles(paths)).toEqual(found)
  })
})

describe('the files sent with a config', () => {
  it('are those below its folder that it can name', () => {
    const paths = [
      'f/promptfooconfig.yaml',
      'f/prompts/a.txt',
      'f/pictures/a.png',
      'f/.env',
      'f/.git/config.yaml',
      'f/node_modules/x/y.json',
      'f/tool.exe',
      'other/secret.txt',
    ]
    const files = paths.map((path) => ({ path }))
    expect(filesBeside('f/promptfooconfig.yaml', files).map(({ path }) => path)).toEqual([
      'prompts/a.txt',
      'pictures/a.png',
    ])
  })
  it('are read as text, pictures as base64', async () => {
    const given = [
      { path: 'f/promptfooconfig.yaml', file: new File(['prompts: [a.txt]'], 'promptfooconfig.yaml') },
      { path: 'f/a.txt', file: new File(['Hello'], 'a.txt') },
      { path: 'f/p.png', file: new File([new Uint8Array([137, 80])], 'p.png') },
    ]
    expect(await readGiven(given)).toEqual({
      fileName: 'promptfooconfig.yaml',
      text: 'prompts: [a.txt]',
      files: [
        { path: 'a.txt', text: 'Hello' },
        { path: 'p.png', base64: 'iVA=' },
      ],
    })
    expect(await readGiven(given.slice(1, 2))).toEqual({ fileName: 'a.txt', text: 'Hello' })
    await expect(readGiven([])).rejects.toThrow('There is no file in that folder.')
  })
  it('are refused if they are too many for one request', async () => {
    const file = new File(['x'], 'a.txt')
    const given = [
      { path: 'promptfooconfig.yaml', file },
      ...Array.from({ length: 501 }, (_, index) => ({ path: `${index}.txt`, file })),
    ]
    await expect(readGiven(given)).rejects.toThrow(/501 files with 501 B; at most 500 files.*benchmaker import/)
  })
})

it('files that are not read as suites are named, the first five of many', () => {
  const given = ['s/a.yaml', 's/b.yaml', 's/notes.md', 's/.git/config', 's/data/x.csv'].map((path) => ({ path }))
  const others = listOthers(given, ['s/a.yaml', 's/b.yaml'])
  expect(others).toEqual(['s/notes.md', 's/data/x.csv'])
  expect(describeOthers(others)).toBe(
    'Not read as suites: s/notes.md and s/data/x.csv. To import one of them, drop it by itself.',
  )
  expect(describeOthers(['1', '2', '3', '4', '5', '6', '7'])).toMatch(/: 1, 2, 3, 4, 5 and 2 more\./)
})
