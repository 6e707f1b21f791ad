import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  writeConversationForJudge,
  listGaps,
  fitAnswers,
  writeConversation,
  type Conversation,
  type EarlierAnswer,
} from './conversation.ts'

const conversation = (...answers: EarlierAnswer[]): Conversation => ({
  turns: answers.map((_answer, index) => ({ runId: `run-${index + 1}`, prompt: `prompt ${index + 1}` })),
  models: [{ modelId: 'coder', answers }],
})

describe('the messages of a follow-up turn', () => {
  it('are all earlier prompts and the model’s own answers, then the new prompt', () => {
    expect(writeConversation(conversation({ text: 'page 1' }, { text: 'page 2' }), 'coder', 'make it blue')).toEqual([
      { role: 'user', content: 'prompt 1' },
      { role: 'assistant', content: 'page 1' },
      { role: 'user', content: 'prompt 2' },
      { role: 'assistant', content: 'page 2' },
      { role: 'user', content: 'make it blue' },
    ])
  })

  it('join the prompts around a turn without an answer', () => {
    expect(writeConversation(conversation({ missing: 'timeout' }), 'coder', 'make it blue')).toEqual([
      { role: 'user', content: 'prompt 1\n\nmake it blue' },
    ])
  })

  it('say where a page is left out', () => {
    const messages = writeConversation(conversation({ leftOut: 1200 }, { text: 'page 2' }), 'coder', 'go on')
    expect(messages[1]).toEqual({
      role: 'assistant',
      content: '[My page of this turn is left out here: 1,200 characters.]',
    })
  })

  it('always take turns, begin and end with the user, and contain every prompt', () => {
    const answer = fc.oneof(
      fc.record({ text: fc.string() }),
      fc.record({ leftOut: fc.nat() }),
      fc.record({ missing: fc.string() }),
    )
    fc.assert(
      fc.property(fc.array(answer, { minLength: 1, maxLength: 6 }), (answers) => {
        const messages = writeConversation(conversation(...answers), 'coder', 'the last prompt')
        expect(messages.map(({ role }) => role)).toEqual(
          messages.map((_message, index) => (index % 2 === 0 ? 'user' : 'assistant')),
        )
        expect(messages.length % 2).toBe(1)
        const asked = messages.flatMap(({ role, content }) => (role === 'user' ? [content] : [])).join('\n')
        for (const index of answers.keys()) expect(asked).toContain(`prompt ${index + 1}`)
        expect(asked.endsWith('the last prompt')).toBe(true)
      }),
    )
  })
})

describe('answers that are too long to send again', () => {
  const text = (length: number): EarlierAnswer => ({ text: 'x'.repeat(length) })

  it('are left out from the oldest, but never the last page', () => {
    expect(fitAnswers([text(40), text(40), text(40)], 100)).toEqual([{ leftOut: 40 }, text(40), text(40)])
    expect(fitAnswers([text(10), text(500)], 100)).toEqual([{ leftOut: 10 }, text(500)])
    expect(fitAnswers([text(10), text(50), text(30)], 100)).toEqual([text(10), text(50), text(30)])
  })

  it('keep the last page whole if a turn without one follows', () => {
    expect(fitAnswers([text(500), { missing: 'timeout' }], 100)).toEqual([text(500), { missing: 'timeout' }])
  })

  it('are named, as are turns without an answer', () => {
    expect(listGaps(conversation({ leftOut: 1200 }, { missing: 'timeout' }, { text: '' }), 'coder')).toEqual([
      'The page of turn 1 (1,200 characters) was left out: it is too long to send again.',
      'There is no page of turn 2: timeout',
    ])
    expect(listGaps(conversation({ missing: 'x' }), '__proto__')).toEqual([])
  })
})

it('a judge reads every prompt and the page before this one', () => {
  const task = writeConversationForJudge(
    conversation({ text: 'page 1' }, { text: 'y'.repeat(25_000) }),
    'coder',
    'make it blue',
  )
  expect(task).toContain('Turn 1: prompt 1\n\nThe page of this turn is left out: 6 characters.')
  expect(task).toContain('Turn 2: prompt 2\n\nThe model answered (the first 20,000 characters of 25,000):\nyyy')
  expect(task).toMatch(/Turn 3, which is to be graded: make it blue$/)
  expect(task.length).toBeLessThan(21_000)
})
