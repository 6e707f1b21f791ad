import { describe, expect, it } from 'vitest'
import { type CallModel } from '../contract/index.ts'
import { createRandom } from '../statistics/index.ts'
import {
  compareAnswers,
  scoreComparisons,
  turnOutcome,
  type PairJudging,
  measureCode,
  measureStyle,
} from './pairwise.ts'
import { createScoring } from './scoring.ts'
import { checkSuite } from './compiling/suite.ts'

/** Each judge's winner with the first answer first, and with the second first; text that is no winner is unreadable. */
type Replies = Record<string, [aFirst: string, bFirst: string]>

function panel(replies: Replies) {
  let calls = 0
  const callModel =
    (order: 0 | 1): CallModel =>
    async ({ modelId }) => {
      calls++
      return {
        outcome: 'ok',
        response: JSON.stringify({ winner: replies[modelId]![order], reasoning: 'r' }),
        latencyMs: 1,
      }
    }
  const judging: PairJudging = {
    judgeModelIds: Object.keys(replies),
    callWithAFirst: callModel(0),
    callWithBFirst: callModel(1),
  }
  return { judging, countCalls: () => calls }
}

const pair = { prompt: 'Why is the sky blue?', a: 'Scattering.', b: 'Because.' }
const compare = (replies: Replies, changes = {}) =>
  compareAnswers({ ...pair, ...changes }, panel(replies).judging, createRandom('marks'))

describe('comparing two answers', () => {
  it.each([
    ['first', 'second', 1, true],
    ['second', 'first', 0, true],
    ['tie', 'tie', 0.5, true],
    ['first', 'first', 0.5, false],
    ['second', 'second', 0.5, false],
    ['first', 'tie', 0.5, false],
    ['tie', 'second', 0.5, false],
  ])('%s, then %s with the order turned, gives the first %d', async (aFirst, bFirst, score, isConsistent) => {
    expect(await compare({ judge: [aFirst, bFirst] })).toEqual({
      score,
      judges: [{ judgeModelId: 'judge', score, isConsistent, reasoning: 'r\nr' }],
    })
  })

  it('combines the judges of a panel, and goes on without one that cannot be read', async () => {
    const outcome = await compare({ a: ['first', 'second'], b: ['tie', 'tie'], c: ['A', 'B'] })
    expect(outcome.score).toBe(0.75)
    expect(outcome.missingJudges).toEqual([{ judgeModelId: 'c', reason: 'it gave no readable grade' }])
    await expect(compare({ a: ['first', 'second'], b: ['x', 'y'], c: ['A', 'B'] })).rejects.toMatchObject({
      code: 'judge-unreadable',
    })
  })

  it.each([
    ['Scattering.', ' Scattering.\n', 0.5, 'the answers are the same'],
    ['', ' ', 0.5, 'both answers are empty'],
    ['', 'x', 0, 'this answer is empty'],
    ['x', '\n', 1, 'the other answer is empty'],
  ])('needs no judge for %j and %j', async (a, b, score, notes) => {
    const { judging, countCalls } = panel({ judge: ['first', 'second'] })
    const outcome = await compareAnswers({ ...pair, a, b }, judging, createRandom('marks'))
    expect(outcome).toEqual({ score, notes })
    expect(countCalls()).toBe(0)
    expect(await compareAnswers({ ...pair, a: b, b: a }, judging, createRandom('marks'))).toEqual(turnOutcome(outcome))
  })
})

describe('the score of compared answers', () => {
  it('is the share of the comparisons won, ties half, for the panel and for each judge', async () => {
    const won = await compare({ a: ['first', 'second'], b: ['first', 'first'] })
    const lost = turnOutcome(await compare({ a: ['first', 'second'], b: ['first', 'second'] }))
    const score = scoreComparisons('# Title\n- item', [
      { opponentId: 'x', ...won },
      { opponentId: 'y', ...lost },
      { opponentId: 'z', score: 1, notes: 'the other answer is empty' },
    ])
    expect(score.score).toBeCloseTo((0.75 + 0 + 1) / 3, 12)
    expect(score.judges).toMatchObject([
      { judgeModelId: 'a', score: 2 / 3 },
      { judgeModelId: 'b', score: 0.5 },
    ])
    expect(score.notes).toBe('won 2, tied 0, lost 1; 1 changed with the order of the answers')
    expect(score.style).toEqual({ length: 14, headers: 1, listItems: 1, bold: 0, codeBlocks: 0 })
  })

  it('does not exist for one answer alone', async () => {
    const scoring = createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: () => 0.5 })
    expect(() => scoreComparisons('x', [])).toThrow('no other answer')
    const judging = {
      judgeModelIds: ['judge'],
      callModel: panel({ judge: ['first', 'second'] }).judging.callWithAFirst,
    }
    await expect(scoring.scoreResponse({ prompt: 'p', scoringMethod: 'pairwise' }, 'x', judging)).rejects.toMatchObject(
      { code: 'not-compared' },
    )
  })

  it('cannot be one of several checks', () => {
    const testCase = { id: 'c', prompt: 'p', checks: [{ scoringMethod: 'pairwise' }] }
    expect(checkSuite({ name: 's', testCases: [testCase] }).problems).toMatchObject([
      { path: ['testCases', 0], message: expect.stringContaining('not one of its checks') },
    ])
  })
})

describe('the style of an answer', () => {
  it('counts Markdown outside code blocks', () => {
    const text = '## Head\n\n1. **one**\n2) two\n* three\n\n```py\n# no header\n- no item\n```\n**bold** and __more__'
    expect(measureStyle(text)).toEqual({ length: text.length, headers: 1, listItems: 3, bold: 3, codeBlocks: 1 })
  })

  it('of a page is that of its code: what is said around it does not count, and code may be cut', () => {
    const [html, css] = ['```html\n<h1>Hi</h1>\n```', '```css\nh1 {}']
    const plain = { headers: 0, listItems: 0, bold: 0 }
    expect(measureCode(`# Here\n- it is\n${html}\nand **more**\n${css}`)).toEqual({
      ...plain,
      length: html.length + css.length,
      codeBlocks: 2,
    })
    expect(measureCode('<h1>Hi</h1>')).toEqual({ ...plain, length: 11, codeBlocks: 0 })
    expect(measureCode('')).toEqual({ ...plain, length: 0, codeBlocks: 0 })
  })
})
