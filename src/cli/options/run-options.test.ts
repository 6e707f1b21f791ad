import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import type { Suite } from '../../contract/index.ts'
import {
  addEngineOptions,
  addGateOptions,
  addRunOptions,
  readParameters,
  selectCases,
  type RunOptions,
} from './run-options.ts'

function parse(...args: string[]): RunOptions {
  const command = addGateOptions(addEngineOptions(addRunOptions(new Command())))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parse(args, { from: 'user' })
  return command.opts<RunOptions>()
}

describe('the options of run', () => {
  it('are read with their types and defaults', () => {
    expect(
      parse(
        '--models',
        'a, b',
        '--judge',
        'j',
        '--temperature',
        '0',
        '--max-tokens',
        '10',
        '--out',
        'a.json',
        '--out',
        'b.html',
      ),
    ).toMatchObject({
      models: ['a', 'b'],
      judge: ['j'],
      temperature: 0,
      maxTokens: 10,
      out: ['a.json', 'b.html'],
      repeat: 1,
      allowMissing: 0,
    })
  })
  it('add up when they are repeated', () => {
    expect(
      parse('--models', 'a,b', '--models', 'c', '--judge', 'j', '--judge', 'k', '--filter', 'x', '--filter', 'y'),
    ).toMatchObject({ models: ['a', 'b', 'c'], judge: ['j', 'k'], filter: ['x', 'y'] })
  })
  it.each([
    ['--repeat', '0'],
    ['--repeat', '1.5'],
    ['--repeat', 'x'],
    ['--temperature', '3'],
    ['--temperature', ''],
    ['--top-p', '-1'],
    ['--concurrency', '0'],
    ['--timeout', '0'],
    ['--max-cost', '-1'],
    ['--max-cost', 'NaN'],
    ['--fail-under', '101'],
    ['--models', 'a,,b'],
    ['--limit', '0'],
    ['--max-tokens', 'Infinity'],
  ])('%s %j is refused', (flag, value) => expect(() => parse(flag, value)).toThrow(/argument/))
  it('give only the parameters that were set', () =>
    expect(readParameters(parse('--top-p', '0.5', '--benchmark-mode'))).toEqual({ topP: 0.5, benchmarkMode: true }))
})

describe('choosing cases', () => {
  const testCase = { prompt: '?', scoringMethod: 'boolean', weight: 1 }
  const suite: Suite = {
    name: 'S',
    testCases: [
      { ...testCase, id: 'a', metadata: { category: 'maths' } },
      { ...testCase, id: 'b', metadata: { tags: ['quick', 'json'] } },
      { ...testCase, id: 'c' },
    ],
  }
  const ids = (options: Parameters<typeof selectCases>[1]) => selectCases(suite, options).testCases.map(({ id }) => id)

  it('goes by id, category or tag, and by number', () => {
    expect(ids({})).toEqual(['a', 'b', 'c'])
    expect(ids({ filter: ['maths', 'json'] })).toEqual(['a', 'b'])
    expect(ids({ filter: ['c'] })).toEqual(['c'])
    expect(ids({ limit: 2 })).toEqual(['a', 'b'])
  })
  it('refuses a filter that nothing fits', () =>
    expect(() => ids({ filter: ['nope'] })).toThrow(/no test case has the id, category or tag nope/))
})
