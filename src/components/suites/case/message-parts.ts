import { isRecord } from '../../../contract/index.ts'
import { formatBytes } from '../../../report/words/index.ts'
import { listOf, textOf, type Fields } from '../suite-draft.ts'

/** The name of an image: its path or, if it is embedded in the suite, its type and size. */
export function nameImage(image: unknown): string {
  const text = textOf(image)
  const [, mediaType, encoding] = /^data:([^;,]*)((?:;[^,]*)?),/.exec(text.slice(0, 200)) ?? []
  if (mediaType === undefined) return text.slice(0, 200)
  const content = text.length - text.indexOf(',') - 1
  return `${mediaType || 'image'}, ${formatBytes(encoding?.includes('base64') ? Math.floor((content * 3) / 4) : content)}`
}

/** Turns the prompt into the first of several turns. */
export function toTurns(testCase: Fields): Fields {
  const { prompt, ...rest } = testCase
  return { ...rest, messages: [{ role: 'user', content: textOf(prompt) }] }
}

/** Why the turns cannot become one prompt without losing something; undefined if they can. */
export function whyNotOnePrompt({ messages }: Fields): string | undefined {
  const turns = listOf(messages)
  const [turn] = turns
  if (turns.length !== 1 || turn === undefined) return 'there are several turns'
  if (turn['role'] !== 'user') return 'the turn is not from the user'
  if (typeof turn['content'] !== 'string') return 'the turn has parts'
  return Object.keys(turn).every((key) => key === 'role' || key === 'content') ? undefined : 'the turn has other fields'
}

export function toOnePrompt(testCase: Fields): Fields {
  if (whyNotOnePrompt(testCase) !== undefined) return testCase
  const { messages, ...rest } = testCase
  return { ...rest, prompt: textOf(listOf(messages)[0]?.['content']) }
}

export type TurnPart =
  | { index: number; kind: 'text'; text: string }
  | { index: number; kind: 'image'; name: string }
  | { index: number; kind: 'other'; text: string }

/** The parts of a turn's content; `undefined` if it is plain text. */
export function partsOf(content: unknown): TurnPart[] | undefined {
  if (!Array.isArray(content)) return undefined
  return content.map((part: unknown, index): TurnPart => {
    if (isRecord(part) && part['type'] === 'text' && typeof part['text'] === 'string')
      return { index, kind: 'text', text: part['text'] }
    if (isRecord(part) && part['type'] === 'image') return { index, kind: 'image', name: nameImage(part['image']) }
    return { index, kind: 'other', text: textOf(part).slice(0, 200) }
  })
}
