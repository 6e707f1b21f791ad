import type { ArenaPanel, ArenaView } from '../contract/index.ts'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { applyPanel, applyProgress, applyText, isAnswerComplete } from './arena-view.ts'

const panel = (modelId: string, response = ''): ArenaPanel => ({
  modelId,
  state: 'running',
  step: 'streaming',
  response,
})
const view: ArenaView = {
  runId: 'r',
  seriesRuns: ['r'],
  prompt: 'p',
  systemPrompt: 's',
  isQuickJudge: false,
  state: 'running',
  startedAt: 0,
  panels: [panel('a', 'abc'), panel('b')],
}

describe('the state of a Code Arena run', () => {
  it('appends text to its panel only', () => {
    const next = applyText(view, { modelId: 'a', offset: 3, text: 'def' })!
    expect(next.panels[0]!.response).toBe('abcdef')
    expect(next.panels[1]).toBe(view.panels[1])
  })

  it('starts over at offset 0, for a retried answer', () => {
    expect(applyText(view, { modelId: 'a', offset: 0, text: 'x' })!.panels[0]!.response).toBe('x')
  })

  it('returns undefined if some text is missing', () => {
    expect(applyText(view, { modelId: 'b', offset: 5, text: 'x' })).toBeUndefined()
  })

  it('assembles the text however it is split, and even if parts are repeated', () => {
    fc.assert(
      fc.property(
        fc.string({ maxLength: 200 }),
        fc.array(fc.nat({ max: 200 }), { maxLength: 10 }),
        fc.nat({ max: 20 }),
        (text, cuts, back) => {
          let current: ArenaView = { ...view, panels: [panel('a')] }
          let position = 0
          for (const cut of [...cuts.toSorted((x, y) => x - y), text.length]) {
            const from = Math.max(0, position - back)
            current = applyText(current, {
              modelId: 'a',
              offset: from,
              text: text.slice(from, Math.max(position, cut)),
            })!
            position = Math.min(text.length, Math.max(position, cut))
          }
          expect(current.panels[0]!.response).toBe(text)
        },
      ),
    )
  })

  it('updates a panel and keeps its text', () => {
    expect(applyPanel(view, { modelId: 'a', state: 'running', step: 'scoring', latencyMs: 5 }).panels[0]).toEqual({
      modelId: 'a',
      state: 'running',
      step: 'scoring',
      latencyMs: 5,
      response: 'abc',
    })
  })

  it('updates the state of the run while it goes on', () => {
    const progress = {
      state: 'waiting',
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
    expect(applyProgress(view, progress)).toMatchObject({ state: 'waiting', progress })
    const done = { ...progress, state: 'done' } as const
    expect(applyProgress(view, done)).toMatchObject({ state: 'running', progress: done })
  })

  it('recognises a complete answer', () => {
    expect(isAnswerComplete(panel('a', 'text'))).toBe(false)
    expect(isAnswerComplete({ step: 'scoring', response: 'text' })).toBe(true)
    expect(isAnswerComplete({ response: '' })).toBe(false)
  })
})
