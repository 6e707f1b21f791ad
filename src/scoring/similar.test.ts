import { describe, expect, it } from 'vitest'
import { ClientError, hasPassed, type CallModel, type EmbeddingMemory, type TestCase } from '../contract/index.ts'
import { compileCase } from './compiling/compile-case.ts'
import { createScoring } from './scoring.ts'
import { scorers } from './scorers.ts'

/** Unit vectors at these angles from «right», in degrees. */
const ANGLES: Record<string, number> = { right: 0, near: 30, far: 90, opposite: 180, elsewhere: 60 }

function vectorOf(text: string): number[] {
  const angle = ((ANGLES[text] ?? 45) * Math.PI) / 180
  return [Math.cos(angle), Math.sin(angle)]
}

function setUp(embed: (texts: readonly string[]) => number[][] = (texts) => texts.map(vectorOf)) {
  const asked: (readonly string[])[] = []
  const models: string[] = []
  const callModel: CallModel = async ({ modelId, embed: texts = [] }) => {
    asked.push(texts)
    models.push(modelId)
    return { outcome: 'ok', response: '', embeddings: embed(texts), latencyMs: 1 }
  }
  const { scoreCompiled } = createScoring({
    scoreInWorker: () => Promise.reject(new Error('scores with a model are not for threads')),
    random: Math.random,
  })
  const embeddings: EmbeddingMemory = new Map()
  const compile = (fields: Partial<TestCase>, suite = {}) =>
    compileCase({ id: 'c', scoringMethod: 'similar', expectedOutput: 'right', weight: 1, ...fields }, scorers, suite)
  const score = (response: string, fields: Partial<TestCase> = {}, suite = {}) =>
    scoreCompiled(compile(fields, suite), response, { judgeModelIds: [], callModel, embeddings })
  return { score, compile, asked, models, callModel, embeddings, scoreCompiled }
}

describe('similar', () => {
  it.each([
    ['right', 1],
    ['near', Math.sqrt(3) / 2],
    ['far', 0],
    ['opposite', 0],
  ])('scores %j by the cosine of the angle, 0 below a right angle', async (response, expected) => {
    const { score, asked } = setUp()
    expect((await score(response)).score).toBeCloseTo(expected, 12)
    expect(asked).toEqual([['right', response]])
  })

  it('passes from a similarity of 0.75, as in promptfoo', async () => {
    const { score, compile } = setUp()
    const { passMark } = compile({})
    expect(passMark).toBe(0.75)
    expect(hasPassed(await score('near'), passMark)).toBe(true)
    expect(hasPassed(await score('unknown: 45 degrees'), passMark)).toBe(false)
  })

  it.each([
    ['dot', 'near', Math.sqrt(3) / 2],
    ['euclidean', 'right', 1],
    ['euclidean', 'far', 1 / (1 + Math.SQRT2)],
  ])('by %s gives %j %d', async (metric, response, expected) => {
    expect((await setUp().score(response, { metric })).score).toBeCloseTo(expected, 12)
  })

  it('counts the most similar of several expected texts, and asks for all in one request', async () => {
    const { score, asked } = setUp()
    const { score: best } = await score('near', { expectedOutput: 'far', otherExpected: ['right', 'opposite'] })
    expect(best).toBeCloseTo(Math.sqrt(3) / 2, 12)
    expect(asked).toEqual([['far', 'right', 'opposite', 'near']])
  })

  it('negated is 1 minus the similarity to the most similar', async () => {
    const { score } = setUp()
    const { score: negated } = await score('near', { expectedOutput: 'far', otherExpected: ['right'], negate: true })
    expect(negated).toBeCloseTo(1 - Math.sqrt(3) / 2, 12)
  })

  it('scores an empty response without a request', async () => {
    const { score, asked } = setUp()
    expect(await score(' \n')).toMatchObject({ score: 0 })
    expect(await score('', { negate: true })).toMatchObject({ score: 1 })
    expect(asked).toEqual([])
  })

  it('asks the model of the case, else of the suite, else a small one of OpenAI', async () => {
    const { score, models, compile } = setUp()
    await score('near', { embeddingModel: 'mine' }, { embeddingModel: 'of-suite' })
    await score('near', {}, { embeddingModel: 'of-suite' })
    await score('near')
    expect(models).toEqual(['mine', 'of-suite', 'openai/text-embedding-3-small'])
    expect(compile({}, { embeddingModel: 'of-suite' }).embeddingCalls).toEqual([
      { modelId: 'of-suite', texts: ['right'] },
    ])
  })

  it('says that a simulated embedding is simulated', async () => {
    const { score } = setUp()
    expect((await score('near', { embeddingModel: 'demo/embedding' })).notes).toContain('simulated')
    expect((await score('near')).notes).not.toContain('simulated')
  })

  it('embeds the expected text once for all answers, also if they arrive at the same time', async () => {
    const { score, asked } = setUp()
    await Promise.all(['near', 'far', 'opposite'].map((response) => score(response)))
    await score('elsewhere')
    expect(asked).toEqual([['right', 'near'], ['far'], ['opposite'], ['elsewhere']])
  })

  it('asks again for the expected text if the request for it failed, and only that answer is unscored', async () => {
    const { score, asked } = setUp((texts) => {
      if (texts.includes('near')) throw new ClientError('refused', 'text too long', { status: 400 })
      return texts.map(vectorOf)
    })
    const results = await Promise.allSettled(['near', 'far', 'right'].map((response) => score(response)))
    expect(results.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled'])
    expect(results[0]).toMatchObject({ reason: { name: 'ScoringError', code: 'embedding-failed' } })
    expect(asked.slice(1)).toContainEqual(['right', 'far'])
  })

  it('keeps few embeddings, however many cases there are', async () => {
    const { score, embeddings, asked } = setUp()
    for (let number = 0; number < 2000; number++) await score('near', { expectedOutput: `text ${number}` })
    expect(embeddings.size).toBeLessThanOrEqual(500)
    await score('near', { expectedOutput: 'text 1999' })
    expect(asked.at(-1)).toEqual(['near'])
  })

  it.each([
    [
      'zeros',
      () => [
        [0, 0],
        [1, 0],
      ],
      /cannot be compared/,
    ],
    [
      'overflow',
      () => [
        [1e200, 1e200],
        [1e200, 1],
      ],
      /cannot be compared/,
    ],
    [
      'another length',
      () => [
        [1, 0, 0],
        [1, 0],
      ],
      /differ in length: 3 and 2/,
    ],
    ['none', () => [], /no embeddings/],
  ])('is unscored with embeddings of %s', async (_name, embed, message) => {
    const failed = setUp(embed).score('near')
    await expect(failed).rejects.toMatchObject({
      name: 'ScoringError',
      code: 'embedding-failed',
      message: expect.stringMatching(message),
    })
  })

  it('passes on that the run was cancelled', async () => {
    const { score } = setUp(() => {
      throw new ClientError('cancelled', 'cancelled')
    })
    await expect(score('near')).rejects.toBeInstanceOf(ClientError)
  })

  it('without a client says what is missing', async () => {
    const { compile, scoreCompiled } = setUp()
    await expect(scoreCompiled(compile({}), 'near')).rejects.toThrow(
      'similar needs an embedding model, and there is no client for it',
    )
  })

  it('needs an expected text and a known metric', () => {
    const { compile } = setUp()
    expect(compile({ expectedOutput: ' ' }).problems).toMatchObject([{ code: 'invalid-expected-output' }])
    expect(compile({ metric: 'manhattan' }).problems).toMatchObject([{ path: ['metric'], code: 'invalid-options' }])
  })
})
