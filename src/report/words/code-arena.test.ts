import { describe, expect, it } from 'vitest'
import { defaultParameters } from '../../contract/index.ts'
import {
  describeArenaOptions,
  describeBlindPage,
  describeEffort,
  describePageState,
  describeVote,
  describeVotes,
} from './code-arena.ts'

type Page = Parameters<typeof describePageState>[0]

const panel = (changes: Partial<Page>): Page => ({
  case: 0,
  model: 0,
  state: 'scored',
  response: '',
  ...changes,
})

const live = { isLive: true }

describe('the description of a page', () => {
  it('shows the state', () => {
    expect(describePageState(panel({ state: 'running', step: 'streaming', response: 'x'.repeat(1234) }), live)).toBe(
      'Writing, 1,234 characters so far',
    )
    expect(describePageState(panel({ state: 'running', step: 'sent', message: 'Retrying in 0.4 s: 429' }), live)).toBe(
      'Retrying in 0.4 s: 429',
    )
    expect(describePageState(panel({ state: 'scored', outcome: 'truncated' }), live)).toBe(
      'Judged; the answer was truncated',
    )
  })

  it('says which pages a stopped run did not ask for', () => {
    const waiting = panel({ state: 'pending' })
    for (const put of [describePageState, describeBlindPage])
      expect([put(waiting, live), put(waiting, { isLive: false })]).toEqual(['Pending', 'Not run'])
  })

  it('says nothing about the model before the vote', () => {
    expect(describeBlindPage(panel({ state: 'error', message: 'acme/m1 is overloaded' }), live)).toBe('Error')
    expect(
      describeBlindPage(panel({ state: 'running', step: 'sent', message: 'Retrying: acme/m1 is overloaded' }), live),
    ).toBe('Pending')
    expect(
      describeBlindPage(
        panel({ state: 'running', step: 'scoring', response: '<p>', message: 'Retrying: judge' }),
        live,
      ),
    ).toBe('Written')
    expect(describeBlindPage(panel({ state: 'scored', response: '<p>' }), live)).toBe('Written')
    expect(describeBlindPage(panel({ state: 'running', step: 'streaming', response: '<p>' }), live)).toBe(
      'Writing, 3 characters so far',
    )
  })

  it('does not treat a page without a judge as a failure', () => {
    expect(
      describePageState(
        panel({ state: 'unscored', page: { unscored: { code: 'not-judged', message: 'No judge was chosen' } } }),
        live,
      ),
    ).toBe('Done, not judged')
    expect(
      describePageState(
        panel({ state: 'unscored', page: { unscored: { code: 'judge-unreadable', message: 'No number' } } }),
        live,
      ),
    ).toBe('Done, unscored: No number')
  })

  it('omits unknown figures instead of showing 0', () => {
    expect(describeEffort(panel({}))).toEqual([])
    expect(describeEffort(panel({ page: { latencyMs: 12_400, completionTokens: 3204, cost: 0 } }))).toEqual([
      '12.4 s',
      '3,204 tokens',
      '$0',
    ])
  })
})

const mine = { isMine: true, isBlind: true }

describe('a vote in words', () => {
  it('is the same for two answers and two pages', () => {
    const models = { left: 'a', right: 'b' }
    expect(describeVote({ ...models, choice: 'tie' })).toBe('You called it a tie between a and b.')
    expect(describeVotes([{ ...models, choice: 'tie', ...mine }])).toBe('You called it a tie between a and b.')
  })

  it('names the preferred page first', () => {
    expect(describeVotes([{ left: 'x', right: 'y', choice: 'left', ...mine }])).toBe('You preferred x to y.')
    expect(describeVotes([{ left: 'x', right: 'y', choice: 'right', ...mine }])).toBe('You preferred y to x.')
  })

  it('sums up several, and says if they were not blind', () => {
    const best = ['y', 'z'].map((right) => ({ left: 'x', right, choice: 'left' as const, ...mine }))
    expect(describeVotes(best)).toBe('You preferred x to all others.')
    expect(describeVotes([...best, { left: 'y', right: 'z', choice: 'tie', isMine: true, isBlind: false }])).toBe(
      'You voted on 3 pairs. Not blind: you had seen the names.',
    )
    expect(describeVotes([{ left: 'x', right: 'y', choice: 'left', isMine: false, isBlind: true }])).toBe(
      'Others have voted on these pages.',
    )
  })
})

it('closed options say what they are set to', () => {
  const defaults = { ...defaultParameters, maxTokens: 8192 }
  const task = { systemPrompt: '', isQuickJudge: false }
  expect(describeArenaOptions({ judges: ['j'], task, parameters: defaults, defaults, maxCost: undefined })).toBe(
    'judged by j · default parameters · no budget',
  )
  expect(
    describeArenaOptions({
      judges: [],
      task: { systemPrompt: 'Be brief.', isQuickJudge: true },
      parameters: { ...defaults, temperature: 1.5 },
      defaults,
      maxCost: 2,
    }),
  ).toBe('no judge, people vote · custom system prompt · changed parameters · at most $2.00')
})
