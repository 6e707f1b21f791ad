import { describe, expect, it } from 'vitest'
import { codeArenaRequestSchema } from '../../contract/index.ts'
import { createArenaStore } from '../../stores/arenaStore.ts'
import { describeRequest, makeArenaRequest } from './make-arena-request.ts'

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

describe('the request for a Code Arena run', () => {
  it('is one that the server takes (codeArenaRequestSchema)', () => {
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

  it('does without a judge', () => {
    expect(makeArenaRequest({ ...chosen, judgeModelIds: [] })).toHaveProperty('request')
  })

  it('says everything that is in the way', () => {
    const made = makeArenaRequest({
      ...chosen,
      task: { ...chosen.task, prompt: ' \n' },
      models: Array.from({ length: 7 }, String),
      fieldErrors: { 'Budget in USD': 'must be a number greater than 0' },
    })
    expect(made).toEqual({
      problems: [
        'Budget in USD must be a number greater than 0.',
        'Say what page is to be made.',
        'Choose at most 6 models: there are 7.',
      ],
    })
  })

  it('is said in a line', () => {
    const made = makeArenaRequest(chosen)
    expect('request' in made && describeRequest(made.request)).toBe(
      '2 pages, one a model · judged by j from screenshots, findings and code · at most $2.00',
    )
  })
})
