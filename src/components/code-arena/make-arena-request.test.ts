import { describe, expect, it } from 'vitest'
import { codeArenaRequestSchema } from '../../contract/index.ts'
import { createArenaStore } from '../../stores/arenaStore.ts'
import { describeArenaRequest } from '../../report/words/code-arena.ts'
import { makeArenaRequest } from './make-arena-request.ts'

const state = createArenaStore({
  getItem: () => JSON.stringify({ choices: { maxCost: 2 }, parameters: { maxTokens: 8192 } }),
  setItem: () => undefined,
}).getState()
const chosen = {
  task: { prompt: ' a page ', systemPrompt: '', isQuickJudge: false },
  models: ['a', 'b'],
  judgeModelIds: ['j'],
  state,
  fieldErrors: {},
}

describe('the request of a Code Arena run', () => {
  it('matches the server schema (codeArenaRequestSchema)', () => {
    const made = makeArenaRequest(chosen)
    const request = 'request' in made ? made.request : undefined
    expect(codeArenaRequestSchema.parse(request)).toMatchObject({
      prompt: 'a page',
      models: ['a', 'b'],
      judgeModelIds: ['j'],
      maxCost: 2,
      parameters: { maxTokens: 8192 },
    })
    expect(request).not.toHaveProperty('systemPrompt')
  })

  it('needs no judge', () => {
    expect(makeArenaRequest({ ...chosen, judgeModelIds: [] })).toHaveProperty('request')
  })

  it('lists every problem', () => {
    const made = makeArenaRequest({
      ...chosen,
      task: { ...chosen.task, prompt: ' \n' },
      models: Array.from({ length: 7 }, String),
      fieldErrors: { 'Budget in USD': 'must be a number greater than 0' },
    })
    expect(made).toEqual({
      problems: [
        'Budget in USD must be a number greater than 0.',
        'Describe the page.',
        'Choose at most 6 models: you chose 7.',
      ],
    })
  })

  it('is described in one line', () => {
    const made = makeArenaRequest(chosen)
    expect('request' in made && describeArenaRequest(made.request)).toBe(
      '2 pages, one per model · judged by j from screenshots, findings and code · at most $2.00',
    )
  })
})
