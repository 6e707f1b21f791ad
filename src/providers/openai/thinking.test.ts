import { expect, it } from 'vitest'
import { splitThinking } from './thinking.ts'

it.each([
  ['<think>\n6 × 7\n</think>\n\n42', '6 × 7', '42'],
  ['<think></think>42', '', '42'],
  ['  <thinking>a</thinking> 42', 'a', '42'],
  // Qwen and DeepSeek's templates of chats write the opening mark.
  ['6 × 7\n</think>\n\n42', '6 × 7', '42'],
  // Cut off while thinking.
  ['<think>6 × 7 is', '6 × 7 is', ''],
])('reasoning in the text is not part of the answer: %j', (text, reasoning, response) => {
  expect(splitThinking(text)).toEqual({ reasoning, response })
})

it.each([
  'The mark `</think>` ends it.',
  'Write <think>…\n</think>\nat the start.',
  '',
  'a\n</think> closes it',
  `${'a\n'.repeat(1_000_000)}b`,
])('other texts stay as they are', (text) => {
  expect(splitThinking(text)).toEqual({ reasoning: '', response: text })
})
