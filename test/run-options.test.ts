import { Command } from 'commander'
import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { addEngineOptions, addRunOptions, type RunOptions } from '../src/cli/options/run-options.ts'
import { readResumeChange, readRunRequest } from '../src/cli/options/run-request.ts'
import {
  changeableOptions,
  limitsOf,
  parameterOptions,
  rangeOf,
  runOptions,
  runRequestSchema,
  type Option,
  type Suite,
  type TypedAs,
} from '../src/contract/index.ts'
import { executeRun, openStorage, resumeRun } from '../src/index.ts'
import { createArenaStore, makeRunRequest } from '../src/stores/arenaStore.ts'

const suite: Suite = {
  name: 'S',
  testCases: ['a', 'b', 'c'].map((id) => ({
    id,
    prompt: '?',
    scoringMethod: 'exact-match',
    expectedOutput: '!',
    weight: 1,
  })),
}

const typedSamples: Record<TypedAs, { value: unknown; typed: string[] }> = {
  json: { value: { min_p: 0.1 }, typed: ['{"min_p":0.1}'] },
  format: { value: { type: 'object' }, typed: ['{"type":"object"}'] },
  lines: { value: ['END\n'], typed: ['END\\n'] },
  prices: { value: { 'x/a': { input: 1, output: 2.5 } }, typed: ['x/a=1,2.5'] },
  headers: { value: { 'x-project': 'tests: all' }, typed: ['x-project: tests: all'] },
}

/** A value that is not the default, as the request holds it, and as it is typed after the flag. */
function sampleOf({ flag, ...option }: Option): { value: unknown; typed: string[] } {
  const limits = limitsOf({ ...option })
  if (option.typedAs !== undefined) return typedSamples[option.typedAs]
  if (limits instanceof z.ZodBoolean) return { value: true, typed: [] }
  if (limits instanceof z.ZodEnum) return { value: limits.options.at(-1), typed: [String(limits.options.at(-1))] }
  if (flag.endsWith('<age>')) return { value: 7200, typed: ['2h'] }
  if (flag.includes(',')) return { value: ['a', 'b'], typed: ['a,b'] }
  const range = rangeOf({ flag, ...option })
  // A low limit per minute would hold the run up.
  const whole = range?.max !== undefined && range.max > 10_000 ? range.max : 2
  if (range) return { value: range.isWhole ? whole : 0.5, typed: [String(range.isWhole ? whole : 0.5)] }
  return { value: 'some text', typed: ['some text'] }
}

function parse(...args: string[]): RunOptions {
  const command = addEngineOptions(addRunOptions(new Command())).exitOverride()
  return command.parse(args, { from: 'user' }).opts<RunOptions>()
}

const flagName = ({ flag }: Option) => flag.split(' ')[0]!
const options = Object.entries<Option>(runOptions)
const changeable = Object.entries<Option>(changeableOptions)

/** The library takes times in milliseconds, and one judge or several under one name. */
function asLibraryOption(name: string, value: unknown): object {
  if (name === 'maxTimeSeconds' || name === 'timeoutSeconds')
    return { [name.replace('Seconds', 'Ms')]: Number(value) * 1000 }
  return { [name === 'judgeModelIds' ? 'judgeModelId' : name]: value }
}

/** What some options cannot do without. */
const companions: Record<string, object> = {
  decide: { until: 'decided', sameWithin: 5 },
  orderSeed: { until: 'decided' },
  maxCost: { prices: new Map(['x/a', 'x/b', 'a', 'b'].map((model) => [model, { prompt: 1e-9, completion: 1e-9 }])) },
}

describe('every option of a run', () => {
  it.each(options)('%s is read by the terminal', (name, option) => {
    const { value, typed } = sampleOf(option)
    expect(readRunRequest(parse(flagName(option), ...typed), suite)).toHaveProperty([name], value)
  })
  it.each(options.filter(([, { group }]) => group !== undefined))('%s is read by the web app', (name, option) => {
    const { value, typed } = sampleOf(option)
    const store = createArenaStore({ getItem: () => null, setItem: () => undefined })
    // What the user types of a list is one text.
    const chosen = Array.isArray(value) ? typed[0] : value
    store.getState().choose({ ...(option.onlyWith !== undefined && { until: 'decided' }), [name]: chosen })
    const needs = { suiteId: 'S', models: ['x/a', 'x/b'], judgeModelIds: ['x/j'], needsJudge: true, hasUser: true }
    const made = makeRunRequest(store.getState(), needs)
    if ('problems' in made) throw new Error(made.problems.join())
    expect([runRequestSchema.parse(made.request)[name as 'filter']].flat().join()).toBe([value].flat().join())
  })
  // An endpoint is the client's, a project that of a team, repeats are runs of their own, this client has no batches, and
  // informative cases need a history.
  it.each(options.filter(([name]) => !['endpoint', 'project', 'repeat', 'batch', 'informative'].includes(name)))(
    '%s is read by the library and stored',
    async (name, option) => {
      const { value } = sampleOf(option)
      const storage = await openStorage({ file: ':memory:' })
      const given = { ...asLibraryOption(name, value), ...companions[name] }
      const settings = { suite, models: ['x/a', 'x/b'], client: { complete: async () => ({ response: '!' }) } }
      const { id } = await executeRun({ ...settings, ...given, storage })
      expect((await storage.loadRun(id))?.request).toHaveProperty([name], value)
      await storage.close()
    },
  )
})

describe('every parameter', () => {
  it.each(Object.entries<Option>(parameterOptions))('%s is read by the terminal', (name, option) => {
    const { value, typed } = sampleOf(option)
    expect(readRunRequest(parse(flagName(option), ...typed), suite).parameters).toEqual({ [name]: value })
  })
})

describe('a parameter of one model', () => {
  const models = ['--models', 'gpt-4.1,b']
  it.each(Object.entries<Option>(parameterOptions))('%s is read by the terminal', (name, option) => {
    const { value, typed } = sampleOf(option)
    const args = [...models, '--set', `gpt-4.1.${name}=${typed[0] ?? 'true'}`]
    expect(readRunRequest(parse(...args), suite).modelParameters).toEqual({ 'gpt-4.1': { [name]: value } })
  })
  it('is added to the others, also of its model', () => {
    const args = ['gpt-4.1.stop=a', 'gpt-4.1.stop=b', 'b.seed=1', 'b.topP=0.5'].flatMap((text) => ['--set', text])
    expect(readRunRequest(parse(...models, ...args), suite).modelParameters).toEqual({
      'gpt-4.1': { stop: ['a', 'b'] },
      b: { seed: 1, topP: 0.5 },
    })
  })
  it('is refused for a model that is not asked', () => {
    expect(() => readRunRequest(parse(...models, '--set', 'c.seed=1'), suite)).toThrow(
      '--set: c is not among the models (gpt-4.1, b)',
    )
  })
  it('is given to the library with the model, and stored', async () => {
    const storage = await openStorage({ file: ':memory:' })
    const asked: unknown[] = []
    const client = {
      complete: async ({ modelId, parameters }: { modelId: string; parameters: object }) => {
        asked.push([modelId, parameters])
        return { response: '!' }
      },
    }
    const choices = ['a', { id: 'b', parameters: { reasoningEffort: 'high' as const, temperature: 0 } }]
    const { id } = await executeRun({ suite, models: choices, parameters: { seed: 1 }, limit: 1, client, storage })
    expect(asked).toEqual([
      ['a', expect.objectContaining({ seed: 1, temperature: 0.7 })],
      ['b', expect.objectContaining({ seed: 1, temperature: 0, reasoningEffort: 'high' })],
    ])
    expect((await storage.loadRun(id))?.request).toMatchObject({
      models: ['a', 'b'],
      modelParameters: { b: { reasoningEffort: 'high', temperature: 0 } },
    })
    await storage.close()
  })
})

describe('every option that a resume may change', () => {
  it.each(changeable)('%s is changed by the terminal', (name, option) => {
    const { value, typed } = sampleOf(option)
    expect(readResumeChange(parse(flagName(option), ...typed))).toEqual({ [name]: value })
    expect(readResumeChange(parse())).toEqual({})
  })
  it.each(changeable.filter(([name]) => name !== 'endpoint'))('%s is stored when it changes', async (name, option) => {
    const { value } = sampleOf(option)
    const storage = await openStorage({ file: ':memory:' })
    const client = { complete: async () => ({ response: '!' }) }
    const { id } = await executeRun({ suite, models: ['x/a'], client, storage })
    const change = { ...asLibraryOption(name, value), ...companions[name] }
    await resumeRun(id, { client, ...change, storage })
    expect((await storage.loadRun(id))?.request).toHaveProperty([name], value)
    await storage.close()
  })
})
