import { InputError } from '../../../contract/index.ts'
import {
  field,
  idField,
  isFields,
  listField,
  numberField,
  textField,
  type Fields,
} from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample } from '../foreign-results.ts'
import { contentText, readExpected, readQuestion } from './chat-text.ts'

/** The fields of a sample that are kept: events, stores and transcripts can be very large and are passed over. */
export const SAMPLE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'epoch',
  'input',
  'choices',
  'target',
  'output',
  'score',
  'scores',
  'error',
  'limit',
  'model_usage',
  'total_time',
  'working_time',
])

export const HEADER_FIELDS: ReadonlySet<string> = new Set(['version', 'status', 'eval', 'results', 'stats', 'error'])

/** The versions of the log format that this reader knows. */
const KNOWN_VERSIONS = [1, 2]

const REFERENCE = /attachment:\/\/([0-9a-zA-Z]+)/g

/** The names of attachments that the texts in a value refer to. */
export function findReferences(value: unknown, found = new Set<string>()): Set<string> {
  if (typeof value === 'string') {
    if (value.includes('attachment://')) for (const [, name] of value.matchAll(REFERENCE)) found.add(name!)
  } else if (typeof value === 'object' && value !== null)
    for (const inner of Object.values(value)) findReferences(inner, found)
  return found
}

/** Puts attachments in the place of their references. */
export function resolveReferences(value: unknown, attachments: ReadonlyMap<string, string>): unknown {
  if (typeof value === 'string')
    return value.includes('attachment://')
      ? value.replaceAll(REFERENCE, (reference, name: string) => attachments.get(name) ?? reference)
      : value
  if (Array.isArray(value)) return value.map((item: unknown) => resolveReferences(item, attachments))
  if (!isFields(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, resolveReferences(item, attachments)]))
}

function readTime(text: string | undefined): number | undefined {
  const time = text === undefined ? Number.NaN : Date.parse(text)
  return Number.isNaN(time) ? undefined : time
}

/** What is said before the samples, about all of them. */
export interface InspectHeader extends Omit<ForeignResults, 'samples'> {
  model: string
}

export function readInspectHeader(header: Fields, name: string): InspectHeader {
  const version = field(header, 'version')
  if (version !== undefined && !KNOWN_VERSIONS.includes(Number(version)))
    throw new InputError(
      `${name}: is an Inspect log of version ${JSON.stringify(version)}; versions ${KNOWN_VERSIONS.join(' and ')} are known: convert it with Inspect, or update Benchmaker`,
    )
  const about = field(header, 'eval')
  if (!isFields(about))
    throw new InputError(`${name}: is an Inspect log without "eval", which names its task and model`)
  const task = textField(about, 'task') ?? 'Inspect task'
  const status = textField(header, 'status')
  const stats = field(header, 'stats')
  const inspect = textField(field(about, 'packages'), 'inspect_ai')
  const ids = listField(field(about, 'dataset'), 'sample_ids')
  const warnings =
    status === undefined || status === 'success'
      ? []
      : [
          `${name}: the evaluation ended with status ${JSON.stringify(status)}; only the samples in the log are imported`,
        ]
  return {
    format: 'inspect',
    tool: inspect === undefined ? 'Inspect AI' : `Inspect AI ${inspect}`,
    task,
    model: textField(about, 'model') ?? 'unknown model',
    startedAt: readTime(textField(stats, 'started_at')) ?? readTime(textField(about, 'created')),
    completedAt: readTime(textField(stats, 'completed_at')),
    order: ids?.map(String),
    warnings,
  }
}

function describeChoices(choices: readonly unknown[] | undefined): string {
  if (!choices || choices.length === 0) return ''
  const lines = choices.map((choice, index) => `${String.fromCharCode(65 + index)}) ${String(choice)}`)
  return `\n\n${lines.join('\n')}`
}

function readScores(sample: Fields): Map<string, unknown> {
  const scores = new Map<string, unknown>()
  const single = field(sample, 'score')
  if (isFields(single)) scores.set('score', field(single, 'value'))
  const several = field(sample, 'scores')
  if (isFields(several))
    for (const [name, score] of Object.entries(several))
      scores.set(name, isFields(score) && Object.hasOwn(score, 'value') ? score['value'] : score)
  return scores
}

function readNotes(sample: Fields): string | undefined {
  const several = field(sample, 'scores')
  const scores = [field(sample, 'score'), ...(isFields(several) ? Object.values(several) : [])]
  const limit = textField(field(sample, 'limit'), 'type')
  const notes = [
    limit === undefined ? undefined : `stopped by the ${limit} limit`,
    ...scores.map((score) => textField(score, 'explanation')),
  ]
  return notes.find((note) => note !== undefined && note !== '')
}

function readAnswer(output: unknown): string | undefined {
  const message = field(listField(output, 'choices')?.[0], 'message')
  return contentText(field(message, 'content')) ?? textField(output, 'completion')
}

function readUsage(sample: Fields, model: string): Pick<ForeignSample, 'promptTokens' | 'completionTokens' | 'cost'> {
  const usage = field(field(sample, 'model_usage'), model) ?? field(field(sample, 'output'), 'usage')
  return {
    promptTokens: numberField(usage, 'input_tokens'),
    completionTokens: numberField(usage, 'output_tokens'),
    cost: numberField(usage, 'total_cost'),
  }
}

function secondsToMs(seconds: number | undefined): number | undefined {
  return seconds === undefined ? undefined : Math.round(seconds * 1000)
}

/** One sample, with its attachments in place. */
export function readInspectSample(sample: Fields, { model, place }: { model: string; place: string }): ForeignSample {
  const id = idField(sample, 'id')
  if (id === undefined) throw new InputError(`${place}: a sample without an id`)
  const epoch = numberField(sample, 'epoch') ?? 1
  if (!Number.isSafeInteger(epoch) || epoch < 1)
    throw new InputError(`${place}: sample ${JSON.stringify(id)} has the epoch ${String(epoch)}; it must be 1 or more`)
  const { prompt, messages } = readQuestion(field(sample, 'input'))
  const error = field(sample, 'error')
  return {
    id,
    epoch,
    modelId: model,
    prompt: prompt === undefined ? undefined : prompt + describeChoices(listField(sample, 'choices')),
    messages,
    expected: readExpected(field(sample, 'target')),
    answer: readAnswer(field(sample, 'output')),
    error: isFields(error) ? (textField(error, 'message') ?? 'the sample failed') : undefined,
    scores: readScores(sample),
    notes: readNotes(sample),
    latencyMs: secondsToMs(numberField(sample, 'working_time') ?? numberField(sample, 'total_time')),
    ...readUsage(sample, model),
    place,
  }
}
