import { describe, expect, it } from 'vitest'
import type { RunResult, TestCase } from '../../contract/index.ts'
import { checkSuite } from './check-suite.ts'

// Ten faults among clean cases, with few models and few cases: the answers follow a fixed pattern, nothing is drawn.

const THINGS =
  'radio telescope penicillin dynamite bicycle compass gunpowder television transistor laser zipper velcro thermometer barometer microscope parachute helicopter submarine typewriter telephone airplane paper press engine bulb phonograph dishwasher fridge vaccine aspirin nylon plastic dynamo battery camera stethoscope xray robot crossword basketball'.split(
    ' ',
  )

type Answer = { passed: boolean; text: string }

function makeSuite(rates: readonly number[], size: number) {
  const cases: { testCase: TestCase; answer(model: number): Answer }[] = []
  const add = (
    id: string,
    prompt: string,
    expectedOutput: string,
    answer: (model: number) => Answer,
    scoringMethod = 'exact-match',
  ) => cases.push({ testCase: { id, prompt, expectedOutput, scoringMethod, weight: 1 }, answer })
  const wrong = (text: string): Answer => ({ passed: false, text })
  const isStrong = (model: number) => model < rates.length / 2
  for (const [index, thing] of THINGS.slice(0, size).entries())
    add(thing, `Who invented the ${thing}?`, `Person ${index}`, (model) =>
      rates[model] === 1 || ((index * 7 + model * 5) % 20) / 20 < rates[model]!
        ? { passed: true, text: `Person ${index}` }
        : wrong(`Nobody ${model}`),
    )
  add('key-1', 'Where did Apollo eleven land?', 'Mars', (model) => wrong(isStrong(model) ? 'Moon' : `x${model}`))
  add('key-2', 'Capital of Australia?', 'Sydney', (model) =>
    isStrong(model) ? wrong('Canberra') : { passed: true, text: 'Sydney' },
  )
  add('fail-1', 'What do I think of?', 'teal', (model) => wrong(`colour ${model}`))
  add('fail-2', 'What is behind me?', 'cat', (model) => wrong(`thing ${model}`))
  add('falls-1', 'Legs of a Martian spider?', 'eight', (model) =>
    isStrong(model) ? wrong(`none, says ${model}`) : { passed: true, text: 'eight' },
  )
  add('twin-1', 'Who was it that invented the radio?', 'Person 0', () => ({ passed: true, text: 'Person 0' }))
  add('twin-2', 'Tell me: who invented the laser machine?', 'Person 9', () => ({ passed: true, text: 'Person 9' }))
  add('method-1', 'Give an address.', String.raw`^[a-z]+@[a-z]+\.com$`, () => wrong('a@b.com'))
  add('method-2', 'Explain rain.', 'Should mention evaporation', () => wrong('Water rises'))
  add('method-3', 'Return it as JSON.', '{"a":1,"b":2}', (model) => ({ passed: model === 0, text: '{"b":2,"a":1}' }))
  const testCases = cases.map(({ testCase }) => testCase)
  const models = rates.map((_, index) => `model-${index}`)
  const run: RunResult = {
    id: 'r',
    models,
    testSuiteSnapshot: { name: 'S', testCases },
    results: cases.flatMap(({ testCase, answer }) =>
      models.map((modelId, model) => {
        const { passed, text } = answer(model)
        return { testCaseId: testCase.id, modelId, response: text, score: { score: passed ? 1 : 0, passed } }
      }),
    ),
  }
  return { suite: { name: 'S', testCases }, run }
}

describe.each([
  ['four models', [1, 0.9, 0.6, 0.4]],
  ['two pairs of models', [1, 1, 0.5, 0.5]],
  ['five models', [1, 0.9, 0.8, 0.5, 0.3]],
  ['six models', [1, 0.95, 0.9, 0.6, 0.4, 0.3]],
])('%s', (_name, rates) => {
  it.each([15, 25, 40])('show ten faults among %d clean cases, and nothing else', (size) => {
    const { suite, run } = makeSuite(rates, size)
    const { findings } = checkSuite(suite, [run])
    const about = findings.map(({ caseIds }) => caseIds.find((id) => id.includes('-')) ?? `invented ${caseIds.join()}`)
    expect([...new Set(about)].toSorted()).toEqual([
      'fail-1',
      'fail-2',
      'falls-1',
      'key-1',
      'key-2',
      'method-1',
      'method-2',
      'method-3',
      'twin-1',
      'twin-2',
    ])
  })
})

it('three models show wrong keys and cases that all fail', () => {
  const { suite, run } = makeSuite([1, 0.75, 0.5], 25)
  const found = checkSuite(suite, [run]).findings.flatMap(({ caseIds }) => caseIds)
  expect(found).toEqual(expect.arrayContaining(['key-1', 'fail-1', 'fail-2']))
})

it('the evidence has the share of other cases that models passed, as it was observed', () => {
  const testCases = Array.from({ length: 12 }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}?`,
    scoringMethod: 'exact-match',
    expectedOutput: `Answer ${index}`,
    weight: 1,
  }))
  const models = ['m1', 'm2', 'm3']
  const results = testCases.flatMap(({ id }, index) =>
    models.map((modelId, model) => {
      const passed = index > 0 && !(model === 2 && index === 5)
      return { testCaseId: id, modelId, response: passed ? id : `no ${modelId}`, score: { score: passed ? 1 : 0 } }
    }),
  )
  const run: RunResult = { id: 'r', models, testSuiteSnapshot: { name: 'S', testCases }, results }
  const found = checkSuite({ name: 'S', testCases }, [run]).findings.find(({ kind }) => kind === 'all-fail')
  expect(found?.evidence.slice(0, 3)).toEqual([
    'm1: 0 of 1 passed here, 100.0 % of 11 other cases',
    'm2: 0 of 1 passed here, 100.0 % of 11 other cases',
    'm3: 0 of 1 passed here, 90.9 % of 11 other cases',
  ])
})
