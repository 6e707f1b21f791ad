import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { importSuite, type ReadingOptions } from './recognise-suite.ts'
import { writeSuite } from './write-suite.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-suite-clusters-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function read(name: string, text: string, options: ReadingOptions = {}) {
  writeFileSync(join(folder, name), text)
  const { suite, warnings } = await importSuite(join(folder, name), options)
  return { suite, warnings, clusters: suite.testCases.map(({ cluster }) => cluster) }
}

describe('the clusters of an imported suite', () => {
  it('are the column cluster of CSV, also one that a prompt uses', async () => {
    const csv = 'prompt,scoringMethod,expectedOutput,cluster\nAbout {{cluster}},boolean,x, apples \ny,boolean,x,\n'
    const { suite, clusters, warnings } = await read('s.csv', csv)
    expect(clusters).toEqual(['apples', undefined])
    expect(suite.testCases[0]!.prompt).toBe('About  apples ')
    expect(warnings).toEqual([])
    const mapped = 'q,family\nx,7\ny,7\nz,\n'
    expect((await read('m.csv', mapped, { map: { prompt: 'q', cluster: 'family' } })).clusters).toEqual([
      '7',
      '7',
      undefined,
    ])
  })

  it('are a field of JSON lines, whatever its type; null and nothing are none', async () => {
    const rows = [{ cluster: 7 }, { cluster: true }, { cluster: 'k' }, { cluster: null }, { cluster: ' ' }, {}]
    const text = rows
      .map((row, index) => JSON.stringify({ prompt: `p${index}`, scoringMethod: 'none', ...row }))
      .join('\n')
    const expected = ['7', 'true', 'k', undefined, undefined, undefined]
    expect((await read('s.jsonl', text)).clusters).toEqual(expected)
    const asked = text.replaceAll('"prompt"', '"doc.q"').replaceAll('cluster', 'family')
    expect(
      (await read('m.jsonl', asked, { map: { prompt: 'doc.q', cluster: 'family' } })).clusters.slice(0, 4),
    ).toEqual(expected.slice(0, 4))
  })

  it('are names in YAML too where they look like numbers or booleans', async () => {
    const yaml =
      'name: S\ntestCases:\n' +
      ['1.50', 'true', '007', 'no']
        .map((name, index) => `  - {id: c${index}, prompt: x, scoringMethod: none, cluster: ${name}}\n`)
        .join('')
    expect((await read('s.yaml', yaml)).clusters).toEqual(['1.50', 'true', '007', 'no'])
    await expect(
      read('e.yaml', 'name: S\ntestCases: [{id: a, prompt: x, scoringMethod: none, cluster: [1]}]\n'),
    ).rejects.toThrow(/testCases\[0\]\.cluster/)
  })

  it('come from the metadata and variables of a promptfoo config', async () => {
    const config = `prompts: ['Say {{word}}']
providers: [openai:gpt-4o]
tests:
  - {vars: {word: a}, metadata: {cluster: 7}, assert: [{type: contains, value: a}]}
  - {vars: {word: b, cluster: k}, assert: [{type: contains, value: b}]}
  - {vars: {word: c}, assert: [{type: contains, value: c}]}
`
    expect((await read('promptfooconfig.yaml', config)).clusters).toEqual(['7', 'k', undefined])
  })

  it('are kept by formats that have only the cases', async () => {
    const suite = {
      name: 'S',
      clusterBy: 'topic',
      testCases: [
        { id: 'a', prompt: 'x', scoringMethod: 'none', metadata: { topic: 'k' } },
        { id: 'b', prompt: 'y', scoringMethod: 'none', cluster: 'own', metadata: { topic: 'k' } },
        { id: 'c', prompt: 'z', scoringMethod: 'none' },
      ],
    }
    for (const format of ['csv', 'jsonl'])
      expect((await read(`w.${format}`, writeSuite(suite, format))).clusters).toEqual(['k', 'own', undefined])
    expect((await read('w.yaml', writeSuite(suite, 'yaml'))).suite.clusterBy).toBe('topic')
  })
})
