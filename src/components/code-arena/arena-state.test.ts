import type { ArenaPanel, ArenaView } from '../../contract/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPanel, applyProgress, applyText, isWhole } from './arena-state.ts'

const panel = (modelId: string, response = ''): ArenaPanel => ({ modelId, state: 'streaming', response })
const view: ArenaView = {
  runId: 'r',
  seriesRuns: ['r'],
  prompt: 'p',
  systemPrompt: 's',
  isQuickJudge: false,
  status: 'running',
  isLive: true,
  isInterrupted: false,
  startedAt: 0,
  panels: [panel('a', 'abc'), panel('b')],
}

describe('the state of a Code Arena run', () => {
  it('adds text where it belongs and leaves the others alone', () => {
    const next = applyText(view, { modelId: 'a', offset: 3, text: 'def' })!
    expect(next.panels[0]!.response).toBe('abcdef')
    expect(next.panels[1]).toBe(view.panels[1])
  })

  it('begins anew at offset 0, for an answer that was asked for again', () => {
    expect(applyText(view, { modelId: 'a', offset: 0, text: 'x' })!.panels[0]!.response).toBe('x')
  })

  it('says that something is missing instead of guessing', () => {
    expect(applyText(view, { modelId: 'b', offset: 5, text: 'x' })).toBeUndefined()
  })

  it('is put together right however the text is cut, and however often a part is told again', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.nat({ max: 200 }), { maxLength: 10 }),
        fc.nat({ max: 20 }),
        (text, cuts, back) => {
          let now: ArenaView = { ...view, panels: [panel('a')] }
          let at = 0
          for (const cut of [...cuts.toSorted((one, other) => one - other), text.length]) {
            const from = Math.max(0, at - back)
            now = applyText(now, { modelId: 'a', offset: from, text: text.slice(from, Math.max(at, cut)) })!
            at = Math.min(text.length, Math.max(at, cut))
          }
          expect(now.panels[0]!.response).toBe(text)
        },
      ),
    )
  })

  it('takes news of a panel and keeps its text', () => {
    expect(applyPanel(view, { modelId: 'a', state: 'scoring', latencyMs: 5 }).panels[0]).toEqual({
      modelId: 'a',
      state: 'scoring',
      latencyMs: 5,
      response: 'abc',
    })
  })

  it('follows the status of the run', () => {
    const progress = {
      status: 'cancelled',
      done: 1,
      total: 2,
      scored: 1,
      unscored: 0,
      errors: 0,
      retries: 0,
      cost: 0,
      unknownCosts: 0,
      rate: 0,
      startedAt: 0,
    } as const
    expect(applyProgress(view, progress)).toMatchObject({ status: 'cancelled', progress })
  })

  it('knows an answer that is whole', () => {
    expect(isWhole(panel('a', 'text'))).toBe(false)
    expect(isWhole({ state: 'scoring', response: 'text' })).toBe(true)
    expect(isWhole({ state: 'waiting', response: '' })).toBe(false)
  })
})
