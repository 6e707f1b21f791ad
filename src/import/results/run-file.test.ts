import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import type { RunKind } from '../../contract/index.ts'
import { containsRuns, parseRunFile } from './run-file.ts'

const parse = (value: unknown) => parseRunFile(typeof value === 'string' ? value : JSON.stringify(value), 'runs.json')
const result = { testCaseId: 'a', modelId: 'm', response: 'x', score: { score: 0.5 } }
const run = (fields: object = {}) => ({ id: 'r', models: ['m'], results: [result], ...fields })

describe('a file of runs', () => {
  it('keeps every field, also those of later versions', () => {
    const full = run({
      kind: 'suite',
      seriesId: 's',
      parameters: {
        temperature: 0,
        topP: 1,
        maxTokens: 10,
        frequencyPenalty: 0,
        presencePenalty: 0,
        benchmarkMode: true,
      },
      status: 'completed',
      later: { more: 1 },
      results: [
        {
          ...result,
          toolCalls: [{ name: 'f', arguments: { a: 1 } }],
          rating: { rating: 0.5 },
          score: {
            score: 1,
            checks: [{ scoringMethod: 'boolean', weight: 1, score: 1 }],
            judges: [{ judgeModelId: 'j', score: 1, reasoning: 'fine', later: 1 }],
          },
        },
      ],
    })
    expect(parse({ runs: [full], scores: { m: { mean: 'ignored' } } })).toEqual([full])
  })
  it.each<[Record<string, unknown>, RunKind]>([
    [{}, 'suite'],
    [{ kind: 'page', versions: { importedFrom: 'Inspect' } }, 'page'],
    [{ testSuiteName: 'Code Arena: regression suite', testSuiteId: 'code-arena' }, 'suite'],
    [{ testSuiteSnapshot: { name: 'x', testCases: [{ id: 'page', metadata: { codeArena: {} } }] } }, 'page'],
    [{ testSuiteId: 'playground:suite-1' }, 'playground'],
    [{ versions: { importedFrom: 'Inspect' } }, 'imported'],
  ])('%j is of the kind %s, also if it was exported before runs had a kind', (more, kind) => {
    expect(parse({ runs: [run(more)] })[0]?.kind).toBe(kind)
  })
  it.each<[unknown, RegExp]>([
    ['', /runs\.json: is empty/],
    ['{', /runs\.json: is not JSON/],
    [[], /runs\.json: the document: /],
    [{ runs: [] }, /runs\.json: runs: has no runs/],
    [{ runs: [run({ id: '' })] }, /runs\.0\.id/],
    [{ runs: [run({ results: [{ ...result, score: { score: 2 } }] })] }, /runs\.0\.results\.0\.score\.score/],
    [{ runs: [run({ startedAt: 8.7e15 })] }, /runs\.0\.startedAt/],
    [{ runs: [run({ results: [{ ...result, cachedAt: 8.7e15 }] })] }, /runs\.0\.results\.0\.cachedAt/],
    [{ runs: [run({ results: [{ ...result, latencyMs: 1e300 }] })] }, /runs\.0\.results\.0\.latencyMs/],
    [{ runs: [run({ results: [{ ...result, cost: 2e6 }] })] }, /runs\.0\.results\.0\.cost/],
    [
      { runs: [run({ results: [{ ...result, score: { score: 1, judges: 5 } }] })] },
      /runs\.0\.results\.0\.score\.judges/,
    ],
    [
      {
        runs: [
          run({
            results: [{ ...result, score: { score: 1, judges: [{ judgeModelId: 'j', score: 'x', reasoning: '' }] } }],
          }),
        ],
      },
      /runs\.0\.results\.0\.score\.judges\.0\.score/,
    ],
    [
      { runs: [run({ results: [{ ...result, score: { score: 1, comparisons: [null] } }] })] },
      /runs\.0\.results\.0\.score\.comparisons\.0/,
    ],
    [
      {
        runs: [
          run({
            results: [
              {
                ...result,
                score: { score: 1, style: { length: 1, headers: -1, listItems: 0, bold: 0, codeBlocks: 0 } },
              },
            ],
          }),
        ],
      },
      /runs\.0\.results\.0\.score\.style\.headers/,
    ],
    [{ runs: [run({ results: [{ ...result, outcome: 'great' }] })] }, /runs\.0\.results\.0\.outcome/],
    [{ runs: [run({ results: [result, result] })] }, /run r has two results of m on test case "a"/],
    [{ runs: [run(), run()] }, /two runs have the id "r"/],
  ])('%j is refused', (value, message) => expect(() => parse(value)).toThrow(message))
  it('__proto__ as a key changes no prototype', () => {
    const [read] = parse('{"runs":[{"id":"r","models":[],"results":[],"__proto__":{"polluted":true}}]}')
    expect(Reflect.get({}, 'polluted')).toBeUndefined()
    expect(Object.getPrototypeOf(read)).toBe(Object.prototype)
  })
})

describe('a JSON file', () => {
  const folder = mkdtempSync(join(tmpdir(), 'benchmaker-run-file-'))
  afterAll(() => rmSync(folder, { recursive: true, force: true }))
  const contains = (text: string, name = 'a.json') => {
    writeFileSync(join(folder, name), text)
    return containsRuns(join(folder, name))
  }
  const runs = JSON.stringify([run()])

  it.each([
    ['as it is written', `{"runs": ${runs}, "scores": {}}`],
    ['with its keys in another order', `{"comparisons": [{"runs": 3}], "cost": null, "runs": ${runs}}`],
    ['after much else', `{"comparisons": "${'x'.repeat(3_000_000)}", "runs": ${runs}}`],
    ['after many blanks', `${' \n'.repeat(500)}{${' '.repeat(500)}"runs"${' '.repeat(500)}: ${runs}}`],
    ['after a byte order mark', `\uFEFF{"runs": ${runs}}`],
    ['cut off', `{"runs": [{"id": "r", "models`],
    ['without any', '{"runs": []}'],
  ])('contains runs %s', async (_how, text) => {
    expect(await contains(text)).toBe(true)
  })

  it.each([
    ['a suite', '{"name": "s", "testCases": [{"id": "a", "metadata": {"runs": []}}]}'],
    ['a number of runs', '{"name": "s", "runs": 3}'],
    ['a list', `[${runs}]`],
    ['runs deeper in it', `{"results": {"runs": ${runs}}}`],
    ['no JSON', 'runs: []'],
  ])('does not contain runs if it is %s', async (_what, text) => {
    expect(await contains(text)).toBe(false)
  })

  it('is named so', async () => {
    expect(await contains(`{"runs": ${runs}}`, 'a.yaml')).toBe(false)
    expect(await containsRuns(join(folder, 'none.json'))).toBe(false)
  })
})
