import { mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync, lstatSync, readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { stringify } from 'yaml'
import fc from 'fast-check'
import { afterAll, describe, expect, it } from 'vitest'
import { keepClusters, nameClusters } from './keep-clusters.ts'
import { importSuite } from './recognise-suite.ts'
import { parseSuite } from './read-yaml.ts'
import { writeClusters } from './write-clusters.ts'

const folder = mkdtempSync(join(tmpdir(), 'clusters-'))
afterAll(() => rmSync(folder, { recursive: true }))

const clusters = new Map([
  ['a', 'a'],
  ['1.50', 'a'],
])

describe('writeClusters', () => {
  it('writes a line after the id of a case, and leaves comments, order and layout as they are', () => {
    const text = `# Ours
name: S
testCases: # all
- id: a   # first
  prompt: "x"

- prompt: >-
    y
  # Written as a number.
  id: 1.50
  scoringMethod:  exact-match
  expectedOutput: yes
-   {id: c, prompt: z}
`
    expect(writeClusters(text, 's.yaml', clusters)).toBe(`# Ours
name: S
testCases: # all
- id: a   # first
  cluster: a
  prompt: "x"

- prompt: >-
    y
  # Written as a number.
  id: 1.50
  cluster: a
  scoringMethod:  exact-match
  expectedOutput: yes
-   {id: c, prompt: z}
`)
    expect(writeClusters(text, 's.yaml', new Map([['c', 'no: c']]))).toContain(
      '-   {id: c, cluster: "no: c", prompt: z}\n',
    )
  })

  it('keeps line breaks of Windows, and writes at the end of a file without one', () => {
    const text = 'testCases:\r\n  - prompt: x\r\n    id: a\r\n  - prompt: y\r\n    id: "1.50"'
    expect(writeClusters(text, 's.yaml', clusters)).toBe(
      'testCases:\r\n  - prompt: x\r\n    id: a\r\n    cluster: a\r\n  - prompt: y\r\n    id: "1.50"\r\n    cluster: a',
    )
  })

  it('writes JSON as the fields around are written', () => {
    const cases = [
      { id: 'a', prompt: 'x' },
      { prompt: 'y', id: '1.50' },
    ]
    for (const indent of [0, 2, '\t']) {
      const text = JSON.stringify({ name: 'S', testCases: cases }, null, indent)
      const written = writeClusters(text, 's.json', clusters)
      expect(JSON.parse(written)).toEqual({
        name: 'S',
        testCases: cases.map((testCase) => ({ ...testCase, cluster: 'a' })),
      })
      if (indent !== 0) expect(written.split('\n')).toHaveLength(text.split('\n').length + 2)
    }
  })

  it('refuses what it cannot write without changing anything else', () => {
    const aliased = 'testCases:\n  - &one {id: a, prompt: x}\n  - *one\n'
    expect(() => writeClusters(aliased, 's.yaml', clusters)).toThrow(/^s\.yaml:3:5: the case is an alias \(\*one\)/)
    expect(() => writeClusters('testCases:\n  - id: a\n', 's.yaml', clusters)).toThrow(
      /^s\.yaml: the clusters cannot be/,
    )
    const named = 'testCases:\n  - id: a\n    cluster: ""\n  - id: "1.50"\n'
    expect(() => writeClusters(named, 's.yaml', clusters)).toThrow(/write cluster: into its cases yourself/)
  })

  it('reads back as the same suite with these clusters, whatever ids and names are', () => {
    const text = fc
      .string({ unit: 'binary', minLength: 1, maxLength: 12 })
      .filter((id) => id.trim() !== '' && !/\{\{|\}\}/.test(id) && id.isWellFormed())
    const ids = fc.uniqueArray(text, { minLength: 2, maxLength: 5 })
    fc.assert(
      fc.property(ids, text, fc.boolean(), (caseIds, cluster, isJson) => {
        const suite = { name: 'S', testCases: caseIds.map((id) => ({ id, prompt: 'x', scoringMethod: 'none' })) }
        const before = isJson ? JSON.stringify(suite, null, 2) : stringify(suite)
        let written: string
        try {
          written = writeClusters(before, 's', new Map([[caseIds[1]!, cluster]]))
        } catch (error) {
          // An id over several lines.
          expect(String(error)).toMatch(/cannot be written/)
          return
        }
        expect(parseSuite(written, 's').suite.testCases.map((testCase) => testCase.cluster)).toEqual(
          caseIds.map((_, index) => (index === 1 ? cluster : undefined)),
        )
      }),
      { numRuns: 300 },
    )
  })
})

describe('keepClusters', () => {
  const templates = [['a', 'b']]
  const suite =
    '\uFEFFname: S\ntestCases:\n  - {id: a, prompt: x, scoringMethod: none}\n  - {id: b, prompt: y, scoringMethod: none}\n'

  it('names a cluster after its first case, and keeps the byte order mark and a link', async () => {
    const [file, link] = [join(folder, 'suite.yaml'), join(folder, 'link.yaml')]
    writeFileSync(file, suite)
    symlinkSync(file, link)
    await keepClusters(link, 'suite', templates)
    expect(lstatSync(link).isSymbolicLink()).toBe(true)
    expect(readFileSync(file, 'utf8').startsWith('\uFEFFname: S')).toBe(true)
    expect((await importSuite(file)).suite.testCases.map(({ cluster }) => cluster)).toEqual(['a', 'a'])
    expect([
      ...nameClusters([
        ['c', 'd'],
        ['e', 'f'],
      ]).values(),
    ]).toEqual(['c', 'c', 'e', 'e'])
    expect(readdirSync(folder).toSorted()).toEqual(['link.yaml', 'suite.yaml'])
  })

  it('refuses tables and configs of promptfoo, and says what to do', async () => {
    await expect(keepClusters('t.csv', 'csv', templates)).rejects.toThrow(
      /this is a table; .* import t\.csv --out suite\.yaml/,
    )
    await expect(keepClusters('p.yaml', 'promptfoo', templates)).rejects.toThrow(/this is a promptfoo config/)
  })
})
