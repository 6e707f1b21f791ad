import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { runCli } from '../../testing/run-cli.ts'

let folder: string
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'eval-yaml-'))))
afterEach(() => rmSync(folder, { recursive: true }))

const suite = (method: string) =>
  JSON.stringify({
    name: 'Caps',
    passAt: 0.5,
    testCases: [{ id: 'a', prompt: 'Capital of France?', scoringMethod: method, expectedOutput: 'Paris' }],
  })

describe('benchmaker import --out eval.yaml', () => {
  it('writes a benchmark with its rows, which is read back', async () => {
    writeFileSync(join(folder, 'suite.json'), suite('boolean'))
    mkdirSync(join(folder, 'caps'))
    const out = join(folder, 'caps', 'eval.yaml')
    const written = await runCli(['import', join(folder, 'suite.json'), '--out', out, '--json'])
    expect(written).toMatchObject({ exitCode: 0 })
    expect(JSON.parse(written.out)).toMatchObject({ wrote: [out, join(folder, 'caps', 'test.jsonl')], cases: 1 })
    expect(written.err).toContain('an eval.yaml has no place for passAt')
    expect(readFileSync(join(folder, 'caps', 'test.jsonl'), 'utf8')).toBe(
      '{"id":"a","input":"Capital of France?","target":"Paris"}\n',
    )
    const read = await runCli(['import', out, '--json'])
    expect(JSON.parse(read.out)).toMatchObject({
      name: 'Caps',
      testCases: [{ id: 'a', prompt: 'Capital of France?', scoringMethod: 'boolean', expectedOutput: 'Paris' }],
    })
  })

  it('writes nothing of a suite that it cannot say', async () => {
    writeFileSync(join(folder, 'suite.json'), suite('exact-match'))
    const out = join(folder, 'eval.yaml')
    const { exitCode, err } = await runCli(['import', join(folder, 'suite.json'), '--out', out])
    expect([exitCode, existsSync(out)]).toEqual([2, false])
    expect(err).toContain('a: is scored by exact-match, and an eval.yaml knows multiple-choice')
  })
})
