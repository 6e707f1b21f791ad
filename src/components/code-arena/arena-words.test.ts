import { canResume } from '../../contract/index.ts'
import type { ShownPage } from '../../stores/liveRunStore.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { describeBlindState, describeEffort, describeState, fileNameFor, nameOfPrompt } from './arena-words.ts'

const panel = (changes: Partial<ShownPage>): ShownPage => ({
  case: 0,
  model: 0,
  modelId: 'm',
  state: 'scored',
  response: '',
  ...changes,
})

const live = { isLive: true }

describe('the description of a page', () => {
  it('shows the state', () => {
    expect(describeState(panel({ state: 'running', step: 'streaming', response: 'x'.repeat(1234) }), live)).toBe(
      'Writing, 1,234 characters so far',
    )
    expect(describeState(panel({ state: 'running', step: 'sent', message: 'Retrying in 0.4 s: 429' }), live)).toBe(
      'Retrying in 0.4 s: 429',
    )
    expect(describeState(panel({ state: 'scored', outcome: 'truncated' }), live)).toBe(
      'Judged; the answer was truncated',
    )
  })

  it('says which pages a stopped run did not ask for', () => {
    const waiting = panel({ state: 'pending' })
    for (const put of [describeState, describeBlindState])
      expect([put(waiting, live), put(waiting, { isLive: false })]).toEqual(['Pending', 'Not run'])
  })

  it('says nothing about the model before the vote', () => {
    expect(describeBlindState(panel({ state: 'error', message: 'acme/m1 is overloaded' }), live)).toBe('Error')
    expect(
      describeBlindState(panel({ state: 'running', step: 'sent', message: 'Retrying: acme/m1 is overloaded' }), live),
    ).toBe('Pending')
    expect(
      describeBlindState(
        panel({ state: 'running', step: 'scoring', response: '<p>', message: 'Retrying: judge' }),
        live,
      ),
    ).toBe('Written')
    expect(describeBlindState(panel({ state: 'scored', response: '<p>' }), live)).toBe('Written')
    expect(describeBlindState(panel({ state: 'running', step: 'streaming', response: '<p>' }), live)).toBe(
      'Writing, 3 characters so far',
    )
  })

  it('does not treat a page without a judge as a failure', () => {
    expect(
      describeState(
        panel({ state: 'unscored', page: { unscored: { code: 'not-judged', message: 'No judge was chosen' } } }),
        live,
      ),
    ).toBe('Done, not judged')
    expect(
      describeState(
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

describe('the description of a run', () => {
  it('can be resumed if pages are unfinished or failed', () => {
    expect([
      canResume({ state: 'done' }),
      canResume({ state: 'done' }, 1),
      canResume({ state: 'stopped' }),
      canResume({ state: 'running' }),
      canResume({ state: 'running', workedOnBy: { host: 'lab', pid: 1, since: 0 } }),
    ]).toEqual([false, true, true, false, true])
  })
})

describe('names', () => {
  it('makes a one-line title of a prompt', () => {
    expect(nameOfPrompt('a pricing page\n with three plans')).toBe('a pricing page with three plans')
    expect([...nameOfPrompt('😀'.repeat(200), 20)]).toHaveLength(20)
  })

  it('makes safe file names without folders from any model and file name', () => {
    expect(fileNameFor('demo/good', 'index.html')).toBe('demo-good-index.html')
    fc.assert(
      fc.property(fc.string(), fc.string(), (modelId, name) => {
        expect(fileNameFor(modelId, name)).toMatch(/^\w[\w.-]*$/)
      }),
    )
  })
})
