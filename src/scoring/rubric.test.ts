import { describe, expect, it } from 'vitest'
import { type CallModel, type ModelRequest } from '../contract/index.ts'
import { createRandom } from '../statistics/index.ts'
import { createScoring } from './scoring.ts'
import { checkSuite } from './compiling/suite.ts'
import { suiteJsonSchema } from './compiling/suite-json-schema.ts'

type Verdicts = Record<number, [verdict: unknown, reason?: string]>

function reply(verdicts: Verdicts): string {
  return JSON.stringify({
    criteria: Object.entries(verdicts).map(([number, [verdict, reason = `why ${number}`]]) => ({
      number: Number(number),
      reason,
      verdict,
    })),
  })
}

/** Judges by name, each with its replies in turn. */
function scriptedJudges(replies: Record<string, string[]>) {
  const requests: ModelRequest[] = []
  const callModel: CallModel = async (request) => {
    const asked = requests.filter(({ modelId }) => modelId === request.modelId).length
    requests.push(request)
    const own = replies[request.modelId]!
    return { outcome: 'ok', response: own[Math.min(asked, own.length - 1)]!, latencyMs: 1 }
  }
  return { judging: { judgeModelIds: Object.keys(replies), callModel }, requests }
}

const scoring = createScoring({
  scoreInWorker: () => Promise.reject(new Error('not here')),
  random: createRandom('marks'),
})

const testCase = {
  prompt: 'Summarise the letter.',
  expectedOutput: 'The rent rises.',
  scoringMethod: 'rubric',
  criteria: [
    { text: 'Names the new rent', weight: 3, id: 'rent' },
    'Says from when',
    { criterion: 'Has at most 30 words', id: 'short' },
  ],
}

const score = (judging: ReturnType<typeof scriptedJudges>['judging'], changes = {}, response = 'It rises to 900.') =>
  scoring.scoreResponse({ ...testCase, ...changes }, response, judging)

describe('a rubric', () => {
  it('gives the weighted mean of its criteria, met 1, partly 0.5, not met 0, and keeps each with its reason', async () => {
    const { judging, requests } = scriptedJudges({ judge: [reply({ 1: ['met'], 2: ['not met'], 3: ['partly'] })] })
    const result = await score(judging)
    expect(result.score).toBeCloseTo((3 * 1 + 0 + 0.5) / 5, 12)
    expect(result.checks).toMatchObject([
      { id: 'rent', name: 'Names the new rent', scoringMethod: 'criterion', weight: 3, score: 1, notes: 'why 1' },
      { id: '2', name: 'Says from when', weight: 1, score: 0 },
      { id: 'short', name: 'Has at most 30 words', weight: 1, score: 0.5 },
    ])
    expect(result.judges).toMatchObject([{ judgeModelId: 'judge', score: 0.7 }])
    expect(result.notes).toBe('1 of 3 criteria met')
    expect(requests).toHaveLength(1)
    expect(requests[0]!.responseSchema?.name).toBe('criteria')
    expect(String(requests[0]!.messages[1]!.content)).toMatch(/<<<CRITERIA (\w+)>>>\n1\. Names the new rent\n2\. /)
  })

  it('asks once more about the criteria that the answer left out, and only about those', async () => {
    const { judging, requests } = scriptedJudges({
      judge: [reply({ 1: ['met'], 2: ['maybe'] }), reply({ 2: ['met'], 3: ['not met'], 1: ['not met'] })],
    })
    const result = await score(judging)
    expect(result.checks?.map((check) => check.score)).toEqual([1, 1, 0])
    const second = String(requests[1]!.messages[1]!.content)
    expect(second).not.toContain('1. Names the new rent')
    expect(second).toContain('2. Says from when')
  })

  it.each([
    ['no JSON', 'All criteria are met.'],
    ['a missing criterion', reply({ 1: ['met'], 2: ['met'] })],
    ['no verdict', reply({ 1: ['met'], 2: ['met'], 3: [7] })],
    ['two verdicts on one', '{"criteria":[{"number":1,"verdict":"met"},{"number":1,"verdict":"not met"}]}'],
  ])('is unscored if both answers have %s', async (_, answer) => {
    const { judging, requests } = scriptedJudges({ judge: [answer] })
    await expect(score(judging)).rejects.toMatchObject({ code: 'judge-unreadable' })
    expect(requests).toHaveLength(2)
  })

  it.each([
    ['in a fence', '```json\n' + reply({ 1: ['met'], 2: ['met'], 3: ['met'] }) + '\n```'],
    ['with true and false', reply({ 1: [true], 2: [1], 3: ['Yes'] })],
    ['as numbered fields', '{"1":{"verdict":"met"},"2":{"verdict":"met"},"3":{"verdict":"met"}}'],
    ['after thinking', `<think>${reply({ 1: ['not met'] })}</think>${reply({ 1: ['met'], 2: ['met'], 3: ['met'] })}`],
  ])('reads verdicts %s', async (_, answer) => {
    const { judging } = scriptedJudges({ judge: [answer] })
    expect((await score(judging)).score).toBe(1)
  })

  it('combines a panel criterion by criterion, and survives a judge that cannot be read', async () => {
    const { judging } = scriptedJudges({
      a: [reply({ 1: ['met'], 2: ['met'], 3: ['met'] })],
      b: [reply({ 1: ['not met'], 2: ['met'], 3: ['partly'] })],
      c: ['no idea'],
    })
    const result = await score(judging)
    expect(result.checks?.map((check) => check.score)).toEqual([0.5, 1, 0.75])
    expect(result.checks?.[0]?.judges).toMatchObject([
      { judgeModelId: 'a', score: 1 },
      { judgeModelId: 'b', score: 0 },
    ])
    expect(result.missingJudges).toEqual([{ judgeModelId: 'c', reason: 'it gave no readable grade' }])
    expect(result.notes).toBe('1 of 3 criteria met; without c: it gave no readable grade')
  })

  it('meets nothing with an empty answer, without asking', async () => {
    const { judging, requests } = scriptedJudges({ judge: ['x'] })
    expect(await score(judging, {}, ' \n')).toMatchObject({
      score: 0,
      checks: [{ score: 0 }, { score: 0 }, { score: 0 }],
    })
    expect(requests).toEqual([])
  })

  it.each([
    [{}, 'criteria', 'needs a list of criteria'],
    [{ criteria: [] }, 'criteria', 'needs at least one criterion'],
    [{ criteria: ['a', ' '] }, 'criteria.1.text', 'needs a text'],
    [{ criteria: [{ weight: 2 }] }, 'criteria.0', 'needs a text'],
    [{ criteria: [{ text: 'a', criterion: 'b' }] }, 'criteria.0', 'give either text or criterion'],
    [{ criteria: [{ text: 'a', weight: 0 }] }, 'criteria.0.weight', 'must be greater than 0'],
    [
      {
        criteria: [
          { text: 'a', id: 'x' },
          { text: 'b', id: 'x' },
        ],
      },
      'criteria.1.id',
      'used twice',
    ],
    [{ criteria: [{ text: 'a', wieght: 3 }] }, 'criteria.0', 'wieght'],
    [{ criteria: ['a', { text: 'b', id: 1 }] }, 'criteria.1.id', 'used twice'],
  ])('refuses %j at its place', (fields, place, message) => {
    const { problems } = checkSuite({
      name: 's',
      testCases: [{ id: 'c', prompt: 'p', scoringMethod: 'rubric', ...fields }],
    })
    expect(problems.map(({ path }) => path.join('.'))).toEqual([`testCases.0.${place}`])
    expect(problems[0]!.message).toContain(message)
  })

  it('is in the JSON Schema with both ways to write a criterion', () => {
    const { properties } = suiteJsonSchema() as {
      properties: { testCases: { items: { allOf: { if: unknown; then: unknown }[] } } }
    }
    const method = properties.testCases.items.allOf.find((entry) => JSON.stringify(entry.if).includes('"rubric"'))
    expect(method?.then).toMatchObject({
      properties: {
        criteria: {
          type: 'array',
          items: { anyOf: [{ type: 'string' }, { type: 'object', properties: { text: {}, weight: {}, id: {} } }] },
        },
      },
      required: ['criteria'],
    })
    expect(JSON.stringify(method?.then)).not.toContain('"items":{"type"')
  })
})
