import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { runRequestSchema, type Suite } from '../../contract/index.ts'
import { addEngineOptions, addGateOptions, addRunOptions, type RunOptions } from './run-options.ts'
import { readRunRequest } from './run-request.ts'

function parse(...args: string[]): RunOptions {
  const command = addGateOptions(addEngineOptions(addRunOptions(new Command())))
    .exitOverride()
    .configureOutput({ writeErr: () => {} })
  command.parse(args, { from: 'user' })
  return command.opts<RunOptions>()
}

describe('the options of run', () => {
  it('say how many runs the methodology recommends for each kind of scoring (section 9)', () => {
    const help = addRunOptions(new Command()).helpInformation().replaceAll(/\s+/g, ' ')
    expect(help).toContain('run it n times as a series; with a judge 3 to 5 (default: 1)')
  })
  it('are parsed with their types and defaults', () => {
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
      allowMissing: 0,
    })
  })
  it('accumulate when repeated', () => {
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
    ['--max-time', '0'],
    ['--max-time', '86401'],
    ['--max-cost', '-1'],
    ['--max-cost', '0'],
    ['--max-cost', 'NaN'],
    ['--fail-under', '101'],
    ['--models', 'a,,b'],
    ['--limit', '0'],
    ['--max-tokens', 'Infinity'],
  ])('%s %j is refused', (flag, value) => expect(() => parse(flag, value)).toThrow(/argument/))
  it('become a request with the schema’s defaults for the rest', () => {
    const suite: Suite = { name: 'S', testCases: [{ id: 'a', weight: 1 }] }
    expect(
      readRunRequest(
        parse('--top-p', '0.5', '--benchmark-mode', '--timeout', '9', '--max-time', '99', '--filter', 'x,y'),
        suite,
      ),
    ).toEqual(
      runRequestSchema.parse({
        suiteId: 'S',
        models: ['demo/good', 'demo/fair', 'demo/poor'],
        parameters: { topP: 0.5, benchmarkMode: true },
        timeoutSeconds: 9,
        maxTimeSeconds: 99,
        filter: ['x', 'y'],
      }),
    )
  })
  it('that the schema refuses are reported by the names of the options', () => {
    const suite: Suite = { name: 'S', testCases: [{ id: 'a', weight: 1 }] }
    const judges = Array.from({ length: 21 }, (_, index) => `judge-${index}`)
    expect(() => readRunRequest(parse('--judge', judges.join(',')), suite)).toThrow(
      '--judge: a panel has at most 20 judges',
    )
  })
})
