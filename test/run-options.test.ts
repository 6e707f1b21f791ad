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

/** A value that is not the default, as the request holds it, and as it is typed after the flag. */
function sampleOf({ flag, ...option }: Option): { value: unknown; typed: string[] } {
  const limits = limitsOf({ ...option })
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

/** As the library takes times. */
function inMilliseconds(name: string, value: unknown): object {
  if (name === 'timeoutSeconds') return { timeoutMs: Number(value) * 1000 }
  return name === 'maxTimeSeconds' ? { maxTimeMs: Number(value) * 1000 } : {}
}

/** What some options cannot do without. */
const companions: Record<string, object> = {
  decide: { until: 'decided' },
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
    const needs = { suiteId: 'S', models: ['x/a', 'x/b'], judgeModelIds: ['x/j'], needsJudge: true }
    const made = makeRunRequest(store.getState(), needs)
    if ('problems' in made) throw new Error(made.problems.join())
    expect([runRequestSchema.parse(made.request)[name as 'filter']].flat().join()).toBe([value].flat().join())
  })
  // An endpoint is the client's, a project that of a team, repeats are runs of their own, and this client has no batches.
  it.each(options.filter(([name]) => !['endpoint', 'project', 'repeat', 'batch'].includes(name)))(
    '%s is read by the library and stored',
    async (name, option) => {
      const { value } = sampleOf(option)
      const storage = await openStorage({ file: ':memory:' })
      const given = { [name === 'judgeModelIds' ? 'judgeModelId' : name]: value, ...companions[name] }
      const settings = { suite, models: ['x/a', 'x/b'], client: { complete: async () => ({ response: '!' }) } }
      const { id } = await executeRun({ ...settings, ...inMilliseconds(name, value), ...given, storage })
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
    const change = { [name]: value, ...inMilliseconds(name, value), ...companions[name] }
    await resumeRun(id, { client, ...change, storage })
    expect((await storage.loadRun(id))?.request).toHaveProperty([name], value)
    await storage.close()
  })
})
