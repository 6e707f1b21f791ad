import { InputError, type PlaygroundEdit, type Variant, isRecord } from '../../contract/index.ts'
import { hasQuestion } from '../../scoring/index.ts'
import { hasVariable } from '../../scoring/text/fill-text.ts'
import type { EditableCase, WrittenCase } from './editable-case.ts'

/** A suite as its author wrote it. */
export type WrittenSuite = Record<string, unknown>

function casesOf(suite: WrittenSuite): unknown[] {
  const { testCases } = suite
  return Array.isArray(testCases) ? testCases : []
}

export function findWrittenCase(suite: WrittenSuite, testCaseId: string): WrittenCase | undefined {
  return casesOf(suite).find((item): item is WrittenCase => isRecord(item) && item['id'] === testCaseId)
}

const OWN_PROMPT = /(?<!\\)\{\{\s*prompt\s*\}\}/g

/** The written case with the edited question and variables. */
function changeCase(written: WrittenCase, { prompt, messages, vars }: PlaygroundEdit): WrittenCase {
  const { prompt: ownPrompt, messages: ownMessages, vars: ownVars, ...rest } = written
  const question =
    prompt !== undefined
      ? { prompt: typeof ownPrompt === 'string' ? prompt.replaceAll(OWN_PROMPT, () => ownPrompt) : prompt }
      : messages
        ? { messages }
        : {
            ...(ownPrompt !== undefined && { prompt: ownPrompt }),
            ...(ownMessages !== undefined && { messages: ownMessages }),
          }
  const values = vars
    ? vars.length > 0 && { vars: Object.fromEntries(vars.map(({ name, value }) => [name, value])) }
    : ownVars !== undefined && { vars: ownVars }
  return { ...rest, ...question, ...values }
}

/** The suite with the edited question and variables of the case: its next version. */
export function keepAsCase(
  suite: WrittenSuite,
  { contestant: { variant }, testCase: { id } }: Pick<EditableCase, 'contestant' | 'testCase'>,
  edit: PlaygroundEdit,
): WrittenSuite {
  const { prompt, messages, vars } = edit
  const isQuestionEdited = prompt !== undefined || messages !== undefined
  if (!isQuestionEdited && !vars)
    throw new InputError(
      'The prompt and the variables of the case are unchanged. A system prompt or parameters can be saved as a variant.',
    )
  if (isQuestionEdited && variant && hasQuestion(variant))
    throw new InputError(`The prompt comes from the variant ${variant.name}, not from the case: save it as a variant.`)
  if (!findWrittenCase(suite, id)) throw new InputError('The stored suite no longer has this case.')
  const testCases = casesOf(suite).map((item) => (isRecord(item) && item['id'] === id ? changeCase(item, edit) : item))
  return { ...suite, testCases }
}

/** The edited question for every case; `{{prompt}}` stands for the case's own prompt. */
function generalise(
  { question, contestant: { variant } }: Pick<EditableCase, 'question' | 'contestant'>,
  edit: PlaygroundEdit,
) {
  const { prompt, messages } = edit
  if (messages) {
    if (messages.some(({ content }) => hasVariable(typeof content === 'string' ? content : JSON.stringify(content))))
      return { messages }
  } else if (prompt !== undefined) {
    const isOfCase = !variant || !hasQuestion(variant)
    const own = question.prompt
    const general =
      isOfCase && own !== undefined && own.trim() !== '' ? prompt.replace(own, () => '{{prompt}}') : prompt
    if (hasVariable(general)) return { prompt: general }
  } else return variant && hasQuestion(variant) ? question : {}
  throw new InputError(
    'The changed prompt fits this case only, but a variant uses it in every case. Write {{prompt}} where each case’s own prompt belongs, or save a new version of the case.',
  )
}

function changedSystemPrompt(suite: WrittenSuite, variant: Variant | undefined, { systemPrompt }: PlaygroundEdit) {
  if (systemPrompt === null) {
    if (suite['systemPrompt'] === undefined) return {}
    throw new InputError('A variant cannot leave out the system prompt of the suite. Remove it in the suite instead.')
  }
  const text = systemPrompt ?? variant?.systemPrompt
  return text === undefined ? {} : { systemPrompt: text }
}

/** The suite with the edit as another variant; what was sent before stays a variant, so that both are compared. */
export function keepAsVariant(
  suite: WrittenSuite,
  editable: Pick<EditableCase, 'question' | 'contestant'>,
  { edit, name }: { edit: PlaygroundEdit; name: string },
): WrittenSuite {
  const { prompt, messages, systemPrompt, parameters, modelId } = edit
  if (prompt === undefined && !messages && systemPrompt === undefined && !parameters)
    throw new InputError(
      'A variant holds a prompt, a system prompt and parameters, and none of them is changed. Variables belong to the case; models are chosen for each run.',
    )
  const { variant } = editable.contestant
  const models = variant?.models && [...new Set([...variant.models, ...(modelId === undefined ? [] : [modelId])])]
  const allParameters = { ...variant?.parameters, ...parameters }
  const added: Variant = {
    name,
    ...(models && { models }),
    ...generalise(editable, edit),
    ...changedSystemPrompt(suite, variant, edit),
    ...(Object.keys(allParameters).length > 0 && { parameters: allParameters }),
  }
  const present = Array.isArray(suite['variants']) ? suite['variants'] : []
  return { ...suite, variants: [...(present.length === 0 ? [{ name: 'original' }] : present), added] }
}

/** A name that no variant has yet. */
export function suggestVariantName(suite: WrittenSuite): string {
  const names = new Set(
    (Array.isArray(suite['variants']) ? suite['variants'] : []).map((item: unknown) =>
      isRecord(item) ? item['name'] : '',
    ),
  )
  for (let number = 1; ; number++) {
    const name = number === 1 ? 'changed' : `changed ${number}`
    if (!names.has(name)) return name
  }
}
