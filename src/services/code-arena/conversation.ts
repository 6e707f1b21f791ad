import { countNoun, writeNumber } from '../../contract/index.ts'
import { z } from 'zod'
import type { Message } from '../../contract/index.ts'

/** What a model wrote in an earlier turn, as it is sent again. */
const earlierAnswerSchema = z.union([
  z.object({ text: z.string() }),
  /** Too long to send again, in characters. */
  z.object({ leftOut: z.number() }),
  /** There is no answer, and why. */
  z.object({ missing: z.string() }),
])

export const conversationSchema = z.object({
  /** The earlier turns, first to last. */
  turns: z.array(z.object({ runId: z.string(), prompt: z.string() })).min(1),
  /** Each model's answers, one for each turn. A list, because a model may be called `__proto__`. */
  models: z.array(z.object({ modelId: z.string(), answers: z.array(earlierAnswerSchema) })),
})

/** Everything that was said before a follow-up prompt. Stored with its run: the earlier runs may be deleted. */
export type Conversation = z.output<typeof conversationSchema>
export type EarlierAnswer = z.output<typeof earlierAnswerSchema>

/**
 * Earlier answers beyond this many characters (about 40,000 tokens) are left out, oldest first. The last one is always
 * sent whole: without it a model cannot change its page.
 */
const MAX_EARLIER_CHARACTERS = 160_000

/** The judge also gets the page itself, its pictures and what the browser found. */
const MAX_CHARACTERS_FOR_JUDGE = 20_000

/** Leaves out the oldest answers if all of them are too long, but never the last one that there is. */
export function fitAnswers(answers: readonly EarlierAnswer[], maxCharacters = MAX_EARLIER_CHARACTERS): EarlierAnswer[] {
  const last = answers.findLastIndex((answer) => 'text' in answer)
  let total = 0
  return answers
    .toReversed()
    .map((answer, back): EarlierAnswer => {
      if (!('text' in answer)) return answer
      total += answer.text.length
      const isLast = answers.length - 1 - back === last
      return isLast || total <= maxCharacters ? answer : { leftOut: answer.text.length }
    })
    .toReversed()
}

function answersOf({ models }: Conversation, modelId: string): EarlierAnswer[] | undefined {
  return models.find((model) => model.modelId === modelId)?.answers
}

export function isInConversation(conversation: Conversation, modelId: string): boolean {
  return answersOf(conversation, modelId) !== undefined
}

/** A model's earlier answers, as far as they are kept, first to last. */
export function listEarlierAnswers(conversation: Conversation | undefined, modelId: string): string[] {
  const answers = (conversation && answersOf(conversation, modelId)) ?? []
  return answers.flatMap((answer) => ('text' in answer ? [answer.text] : []))
}

function wordAnswer(answer: EarlierAnswer): string | undefined {
  if ('text' in answer) return answer.text
  return 'leftOut' in answer
    ? `[My page of this turn is left out here: ${countNoun(answer.leftOut, 'character')}.]`
    : undefined
}

/** User and assistant take turns: some providers refuse two messages of the same speaker in a row. */
function addMessage(messages: Message[], role: 'user' | 'assistant', content: string): void {
  const last = messages.at(-1)
  if (last?.role === role && typeof last.content === 'string') last.content = `${last.content}\n\n${content}`
  else messages.push({ role, content })
}

/** The conversation of one model up to and with the new prompt. */
export function writeConversation(conversation: Conversation, modelId: string, prompt: string): Message[] {
  const answers = answersOf(conversation, modelId) ?? []
  const messages: Message[] = []
  for (const [index, turn] of conversation.turns.entries()) {
    addMessage(messages, 'user', turn.prompt)
    const answer = answers[index] && wordAnswer(answers[index])
    if (answer !== undefined && answer.trim() !== '') addMessage(messages, 'assistant', answer)
  }
  addMessage(messages, 'user', prompt)
  return messages
}

/** The conversation of one model as its judge reads it: every prompt, and the last page before this one. */
export function writeConversationForJudge(conversation: Conversation, modelId: string, prompt: string): string {
  const answers = answersOf(conversation, modelId) ?? []
  const last = answers.findLastIndex((answer) => 'text' in answer)
  const describeAnswer = (answer: EarlierAnswer | undefined, index: number): string => {
    if (!answer || 'missing' in answer) return 'There is no page of this turn.'
    if ('leftOut' in answer) return `The page of this turn is left out: ${countNoun(answer.leftOut, 'character')}.`
    const { length } = answer.text
    if (index !== last) return `The page of this turn is left out: ${countNoun(length, 'character')}.`
    const shown = answer.text.slice(0, MAX_CHARACTERS_FOR_JUDGE)
    return `${length > shown.length ? `The model answered (the first ${countNoun(shown.length, 'character')} of ${writeNumber(length)})` : 'The model answered'}:\n${shown}`
  }
  return [
    ...conversation.turns.map(
      (turn, index) => `Turn ${index + 1}: ${turn.prompt}\n\n${describeAnswer(answers[index], index)}`,
    ),
    `Turn ${conversation.turns.length + 1}, which is to be graded: ${prompt}`,
  ].join('\n\n')
}

/** What a model was not sent of its earlier turns, in words; empty if it was sent everything. */
export function listGaps(conversation: Conversation, modelId: string): string[] {
  return (answersOf(conversation, modelId) ?? []).flatMap((answer, index) => {
    if ('text' in answer) return []
    return 'leftOut' in answer
      ? [
          `The page of turn ${index + 1} (${countNoun(answer.leftOut, 'character')}) was left out: it is too long to send again.`,
        ]
      : [`There is no page of turn ${index + 1}: ${answer.missing}`]
  })
}
