import { describe, expect, it } from 'vitest'
import { startScoring } from './index.ts'

const scoring = startScoring()
const catastrophic = ['^(a+)+$', `${'a'.repeat(40)}!`] as const

describe('the scoring threads', () => {
  it('score as the calling thread would', async () => {
    expect(await scoring.scoreRegexMatch('PARIS', '/paris/i')).toMatchObject({ score: 1 })
    expect(await scoring.scoreJsonSchema('{"a": 1}', { required: ['b'] })).toMatchObject({ score: 0 })
  })
  it('stop a catastrophic pattern at its deadline as regex-timeout without holding up the main thread or other patterns', async () => {
    const [pattern, response] = catastrophic
    let ticks = 0
    let othersDone = 0
    const ticking = setInterval(() => ticks++, 10)
    const stopped = scoring.scoreRegexMatch(response, pattern, { deadlineMs: 500 })
    const others = Promise.all(
      Array.from({ length: 20 }, () => scoring.scoreRegexMatch('aaa', '^a+$').then(() => othersDone++)),
    )
    await expect(stopped).rejects.toMatchObject({ name: 'ScoringError', code: 'regex-timeout' })
    clearInterval(ticking)
    expect(ticks).toBeGreaterThan(10)
    await others
    expect(othersDone).toBe(20)
  })
  it('keep scoring after a timeout', async () => {
    const [pattern, response] = catastrophic
    const stops = Array.from({ length: 3 }, () =>
      scoring.scoreRegexMatch(response, pattern, { deadlineMs: 50 }).catch((error) => error.code),
    )
    expect(await Promise.all(stops)).toEqual(['regex-timeout', 'regex-timeout', 'regex-timeout'])
    expect(await scoring.scoreRegexMatch('aaa', '^(a+)+$')).toMatchObject({ score: 1 })
  })
  it('stop a pattern inside a JSON Schema too', async () => {
    const [pattern, response] = catastrophic
    await expect(
      scoring.scoreJsonSchema(JSON.stringify(response), { type: 'string', pattern }, { deadlineMs: 100 }),
    ).rejects.toMatchObject({
      code: 'scoring-timeout',
    })
  })
  it('return errors with their code', async () => {
    await expect(scoring.scoreRegexMatch('a', '(')).rejects.toMatchObject({
      name: 'ScoringError',
      code: 'invalid-regex',
    })
  })
  it('compare two texts of 100,000 characters', async () => {
    const text = Array.from({ length: 100_000 }, (_, index) => String.fromCharCode(97 + ((index * 7) % 26))).join('')
    const changed = text.replace(/a/g, '-')
    const { score } = await scoring.scoreExactMatch(text, changed)
    const share = [...text].filter((letter) => letter !== 'a').length / text.length
    expect(score).toBeCloseTo(0.7 * share, 10)
  })
})
