import { readableMessage, type Message, type TestCase, type Variant } from '../../contract/index.ts'
import { fillText } from '../text/fill-text.ts'

/** What is asked, without the system prompt. */
export type Question = Pick<TestCase, 'prompt' | 'messages'>

export type QuestionTemplate = Pick<Variant, 'prompt' | 'messages'>

/** True if the variant asks its own question instead of the case's. */
export function hasQuestion({ prompt, messages }: QuestionTemplate): boolean {
  return prompt !== undefined || messages !== undefined
}

export function mapQuestion({ prompt, messages }: QuestionTemplate, map: (text: string) => string): Question {
  if (!messages) return { prompt: map(prompt ?? '') }
  const mapContent = (content: Message['content']) =>
    typeof content === 'string'
      ? map(content)
      : content.map((part) =>
          part.type === 'text' ? { ...part, text: map(part.text) } : { ...part, image: map(part.image) },
        )
  return { messages: messages.map((message) => ({ ...message, content: mapContent(message.content) })) }
}

/** `{{prompt}}` is the case's own prompt, unless the case has a variable of that name. */
function valuesOf({ prompt, vars }: TestCase): Record<string, unknown> {
  return { ...(prompt !== undefined && { prompt }), ...vars }
}

/** What a case asks with a variant: the variant's prompt or messages with the case's variables, or the case's own. */
export function questionOf(testCase: TestCase, variant?: QuestionTemplate): Question {
  if (!variant || !hasQuestion(variant)) {
    const { prompt, messages } = testCase
    return { ...(prompt !== undefined && { prompt }), ...(messages && { messages }) }
  }
  const values = valuesOf(testCase)
  return mapQuestion(variant, (text) => fillText(text, values).text)
}

/** The variables of a variant for which a case has no value. */
export function findMissingVariables(testCase: TestCase, variant: QuestionTemplate): string[] {
  const missing = new Set<string>()
  const values = valuesOf(testCase)
  mapQuestion(variant, (text) => {
    const { text: filled, unknown } = fillText(text, values)
    for (const name of unknown) missing.add(name)
    return filled
  })
  return [...missing]
}

/** The variant of a contestant, `model@variant`. */
export function findVariant<Named extends { name: string }>(
  variants: readonly Named[],
  contestantId: string,
): Named | undefined {
  const matching = variants.filter(({ name }) => contestantId.endsWith(`@${name}`))
  // A name may contain an @ itself: the longest match is the variant's whole name.
  return matching.toSorted((a, b) => b.name.length - a.name.length)[0]
}

/** The prompt, or the conversation with the role of each speaker. */
export function writeQuestion({ prompt, messages = [] }: Question): string {
  return prompt ?? messages.map((message) => `${message.role}: ${readableMessage(message)}`).join('\n\n')
}

/** What a case expects, for a reader: its expected output, or that of each check. */
export function writeExpected(testCase: TestCase): string | undefined {
  const { expectedOutput, checks } = testCase
  if (expectedOutput !== undefined) return expectedOutput
  if (!checks) return writeExpectedState(testCase)
  const lines = checks.map((check) => {
    const own = check.expectedOutput ?? writeOption(check['texts']) ?? writeOption(check['holds'])
    const state = check.scoringMethod === 'end-state' ? writeExpectedState(testCase) : undefined
    return `${check.scoringMethod}: ${own ?? state ?? ''}`.trimEnd()
  })
  return lines.join('\n')
}

const writeOption = (value: unknown): string | undefined =>
  value === undefined ? undefined : [value].flat().map(String).join(', ')

/** How the world of a conversation should be at the end, in a line. */
function writeExpectedState({ reference, endState }: TestCase): string | undefined {
  if (endState !== undefined) return JSON.stringify(endState)
  if (!reference) return undefined
  if (reference.length === 0) return 'nothing changes'
  return reference.map(({ name, arguments: given }) => `${name}(${JSON.stringify(given)})`).join(', ')
}

/** What a user wants who speaks turn by turn, or is played by a model. */
function writeSpoken({ turns, user }: TestCase): string[] {
  if (turns) return [turns.map((turn) => `user: ${turn.user}`).join('\n\n')]
  return user?.instructions === undefined ? [] : [`A simulated user: ${user.instructions}`]
}

/** The question of a case for a reader: one for all contestants, or one for each variant that has its own. */
export function writeQuestions(testCase: TestCase, variants: readonly Variant[] = []): string | undefined {
  const own = variants.filter(hasQuestion)
  const { prompt, messages } = testCase
  const common =
    own.length < variants.length || variants.length === 0
      ? prompt === undefined && !messages
        ? writeSpoken(testCase)
        : [writeQuestion(testCase)]
      : []
  if (own.length === 0) return common[0]
  const each = own.map((variant) => `@${variant.name}: ${writeQuestion(questionOf(testCase, variant))}`)
  return [...common, ...each].join('\n\n')
}
