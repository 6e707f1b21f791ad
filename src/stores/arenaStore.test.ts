import { describe, expect, it } from 'vitest'
import { defaultParameters, runLimits, runRequestSchema } from '../contract/index.ts'
import { createArenaStore, makeRunRequest, type ArenaDefaults } from './arenaStore.ts'

function memory(text?: string) {
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
}

describe('the choices of the Arena', () => {
  it('are there again after a reload, parameters and Benchmark Mode too', () => {
    const kept = memory()
    const before = createArenaStore(kept)
    before.getState().choose({ models: ['x/y'], maxCost: 2, combineJudges: 'median' })
    before.getState().setParameters({ temperature: 0.9 })
    before.getState().toggleBenchmarkMode()
    const after = createArenaStore(kept).getState()
    expect(after.choices).toMatchObject({ models: ['x/y'], maxCost: 2, combineJudges: 'median', concurrency: 5 })
    expect(after.parameters).toMatchObject({ temperature: 0.9, benchmarkMode: true })
    expect(after.effectiveParameters.temperature).toBe(0)
  })
  it('Benchmark Mode gives back what was set when it is switched off (methodology, section 5)', () => {
    const store = createArenaStore(memory())
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
  ])('survive what others wrote there: %s', (text) => {
    const { choices, parameters } = createArenaStore(memory(text)).getState()
    expect(choices).toMatchObject({ concurrency: 5, combineJudges: 'mean', filter: '' })
    expect(parameters).toEqual(defaultParameters)
  })
  it('hold when nothing can be written', () => {
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

describe('the request of a run', () => {
  it('is what the server takes, with the locks of Benchmark Mode in it', () => {
    const store = createArenaStore(memory())
    store.getState().toggleBenchmarkMode()
    store.getState().choose({ filter: ' maths ', limit: 10, timeoutSeconds: 30 })
    const made = makeRunRequest(store.getState(), defaults)
    if ('problems' in made) throw new Error(made.problems.join())
    expect(runRequestSchema.parse(made.request)).toMatchObject({
      suiteId: 'first-look',
      models: ['demo/good'],
      judgeModelIds: [],
      filter: ['maths'],
      limit: 10,
      timeoutSeconds: 30,
      repeat: 1,
      parameters: { temperature: 0, benchmarkMode: true },
    })
  })
  it('takes the judge only where one is needed', () => {
    const made = makeRunRequest(createArenaStore(memory()).getState(), { ...defaults, needsJudge: true })
    expect(made).toMatchObject({ request: { judgeModelIds: ['demo/judge'] } })
  })
  it('says everything that is missing, and never starts over a field it could not read: a mistyped budget is no budget', () => {
    const store = createArenaStore(memory())
    store.getState().choose({ models: [], judgeModelIds: [] })
    store.getState().setFault('Budget', 'greater than 0')
    expect(makeRunRequest(store.getState(), { ...defaults, suiteId: undefined, needsJudge: true })).toEqual({
      problems: [
        'Budget: greater than 0',
        'Choose a suite.',
        'Choose at least one model.',
        'Choose a judge: this suite has cases that a model must grade.',
      ],
    })
    store.getState().setFault('Budget', undefined)
    expect(store.getState().faults).toEqual({})
  })
  it('counts models and judges as the server does', () => {
    const store = createArenaStore(memory())
    const many = Array.from({ length: runLimits.models + 1 }, (_, index) => `x/${index}`)
    store.getState().choose({ models: many, judgeModelIds: many.slice(0, runLimits.judges + 1) })
    const made = makeRunRequest(store.getState(), { ...defaults, needsJudge: true })
    expect('problems' in made && made.problems).toHaveLength(2)
  })
})
