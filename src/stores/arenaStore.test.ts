import { describe, expect, it } from 'vitest'
import { defaultParameters, runLimits, runRequestSchema } from '../contract/index.ts'
import { createArenaStore, makeRunRequest, type ArenaDefaults } from './arenaStore.ts'

function fakeStorage(text?: string) {
  const values = new Map<string, string>(text === undefined ? [] : [['benchmaker-arena', text]])
  return {
    getItem: (key: string) => values.get(key) ?? null,
    setItem: (key: string, value: string) => void values.set(key, value),
  }
}
const defaults: ArenaDefaults = {
  suiteId: 'first-look',
  models: ['demo/good'],
  judgeModelIds: ['demo/judge'],
  needsJudge: false,
  hasUser: false,
}

describe('the Arena choices', () => {
  it('survive a reload, including parameters and Benchmark Mode', () => {
    const storage = fakeStorage()
    const before = createArenaStore(storage)
    before.getState().choose({ models: ['x/y'], maxCost: 2, combineJudges: 'median' })
    before.getState().setParameters({ temperature: 0.9 })
    before.getState().toggleBenchmarkMode()
    const after = createArenaStore(storage).getState()
    expect(after.choices).toMatchObject({ models: ['x/y'], maxCost: 2, combineJudges: 'median', concurrency: 5 })
    expect(after.parameters).toMatchObject({ temperature: 0.9, benchmarkMode: true })
    expect(after.effectiveParameters.temperature).toBe(0)
  })
  it('restore the parameters when Benchmark Mode is switched off (methodology, section 5)', () => {
    const store = createArenaStore(fakeStorage())
    store.getState().setParameters({ temperature: 1.2, presencePenalty: -1 })
    store.getState().toggleBenchmarkMode()
    expect(store.getState().effectiveParameters).toMatchObject({ temperature: 0, presencePenalty: 0, topP: 1 })
    store.getState().toggleBenchmarkMode()
    expect(store.getState().effectiveParameters).toMatchObject({ temperature: 1.2, presencePenalty: -1 })
  })
  it.each([
    '',
    'null',
    '{',
    '[]',
    '{"choices":5}',
    '{"choices":{"concurrency":"many","models":7},"parameters":{"temperature":9}}',
  ])('fall back to the defaults if the stored text is invalid: %s', (text) => {
    const { choices, parameters } = createArenaStore(fakeStorage(text)).getState()
    expect(choices).toMatchObject({ concurrency: 5, combineJudges: 'mean', filter: '' })
    expect(parameters).toEqual(defaultParameters)
  })
  it('name a model for the user only if the suite has a simulated one', () => {
    const store = createArenaStore(fakeStorage())
    store.getState().choose({ userModel: 'x/user' })
    const asked = (hasUser: boolean) => makeRunRequest(store.getState(), { ...defaults, hasUser })
    expect(asked(true)).toMatchObject({ request: { userModel: 'x/user' } })
    expect(asked(false)).not.toHaveProperty(['request', 'userModel'])
  })
  it('still apply when storage cannot be written', () => {
    const store = createArenaStore({
      getItem: () => null,
      setItem: () => {
        throw new Error('full')
      },
    })
    store.getState().choose({ limit: 3 })
    expect(store.getState().choices.limit).toBe(3)
  })
})

describe('the run request', () => {
  it('matches the server schema and includes the Benchmark Mode locks', () => {
    const store = createArenaStore(fakeStorage())
    store.getState().toggleBenchmarkMode()
    store.getState().choose({ filter: ' maths, facts ', limit: 10, timeoutSeconds: 30, maxTimeSeconds: 90 })
    const made = makeRunRequest(store.getState(), defaults)
    if ('problems' in made) throw new Error(made.problems.join())
    expect(runRequestSchema.parse(made.request)).toMatchObject({
      suiteId: 'first-look',
      models: ['demo/good'],
      judgeModelIds: [],
      filter: ['maths', 'facts'],
      limit: 10,
      timeoutSeconds: 30,
      maxTimeSeconds: 90,
      repeat: 1,
      parameters: { temperature: 0, benchmarkMode: true },
    })
  })
  it('includes judges only if the suite needs one', () => {
    const made = makeRunRequest(createArenaStore(fakeStorage()).getState(), { ...defaults, needsJudge: true })
    expect(made).toMatchObject({ request: { judgeModelIds: ['demo/judge'] } })
  })
  it('lists every problem, and is not built while a field is invalid: a mistyped budget must not mean no budget', () => {
    const store = createArenaStore(fakeStorage())
    store.getState().choose({ models: [], judgeModelIds: [] })
    store.getState().setFieldError('Budget', 'greater than 0')
    expect(makeRunRequest(store.getState(), { ...defaults, suiteId: undefined, needsJudge: true })).toEqual({
      problems: [
        'Budget: greater than 0',
        'Choose a suite.',
        'Choose at least one model.',
        'Choose a judge: this suite has cases that need one.',
      ],
    })
    store.getState().setFieldError('Budget', undefined)
    expect(store.getState().fieldErrors).toEqual({})
  })
  it('enforces the server limits on models and judges', () => {
    const store = createArenaStore(fakeStorage())
    const tooMany = Array.from({ length: runLimits.models + 1 }, (_, index) => `x/${index}`)
    store.getState().choose({ models: tooMany, judgeModelIds: tooMany.slice(0, runLimits.judges + 1) })
    const made = makeRunRequest(store.getState(), { ...defaults, needsJudge: true })
    expect('problems' in made && made.problems).toHaveLength(2)
  })
})
