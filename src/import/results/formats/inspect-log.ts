import { isJsonObject, InputError, readCluster } from '../../../contract/index.ts'
import { outcomeSchema, type Outcome } from '../../../contract/runs/run.ts'
import { field, idField, listField, numberField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { flattenScore } from '../score-value.ts'
import { readLabels } from '../sample-labels.ts'
import { contentText, readExpected, readQuestion } from './chat-text.ts'
import { splitJson } from '../../text/split-json.ts'
import { listTopKeys } from '../top-keys.ts'

/** The fields of a sample that are kept: events, stores and transcripts can be very large and are passed over. */
const SAMPLE_FIELDS: ReadonlySet<string> = new Set([
  'id',
  'epoch',
  'input',
  'message_refs',
  'choices',
  'target',
  'output',
  'score',
  'scores',
  'error',
  'limit',
  'model_usage',
  'invalidation',
  'metadata',
  'total_time',
  'working_time',
])

/** What is read of a sample's metadata. */
const METADATA_FIELDS = ['cluster', 'category', 'difficulty', 'tags', 'benchmaker']

const HEADER_FIELDS: ReadonlySet<string> = new Set(['version', 'status', 'eval', 'results', 'stats', 'error'])

/** The versions of the log format that this reader knows. */
const KNOWN_VERSIONS = [1, 2, 3]

const REFERENCE = /attachment:\/\/([0-9a-zA-Z]+)/g

/** The names of attachments that the texts in a value refer to. */
function findReferences(value: unknown, found = new Set<string>()): Set<string> {
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
  if (!isJsonObject(value)) return value
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

/** `none/none`: the models of an evaluation were chosen in its roles or in its agent. */
function readEvalModel(about: Fields, stats: unknown): string | undefined {
  const model = textField(about, 'model') ?? ''
  if (model !== '' && model !== 'none/none' && model !== 'none') return model
  const used = Object.keys(Object(field(stats, 'model_usage') ?? field(about, 'model_roles') ?? {}))
  return used.length === 1 ? used[0] : undefined
}

export function readInspectHeader(header: Fields, { name, chosen }: { name: string; chosen?: string }): InspectHeader {
  const version = field(header, 'version')
  if (version !== undefined && !KNOWN_VERSIONS.includes(Number(version)))
    throw new InputError(
      `${name}: is an Inspect log of version ${JSON.stringify(version)}; versions ${KNOWN_VERSIONS[0]} to ${KNOWN_VERSIONS.at(-1)} are known: convert it with Inspect, or update Benchmaker`,
    )
  const about = field(header, 'eval')
  if (!isJsonObject(about))
    throw new InputError(`${name}: is an Inspect log without "eval", which names its task and model`)
  const task = textField(about, 'task') ?? 'Inspect task'
  const status = textField(header, 'status')
  const stats = field(header, 'stats')
  const inspect = textField(field(about, 'packages'), 'inspect_ai')
  const ids = listField(field(about, 'dataset'), 'sample_ids')
  const named = readEvalModel(about, stats)
  const warnings = [
    ...(status === undefined || status === 'success'
      ? []
      : [
          `${name}: the evaluation ended with status ${JSON.stringify(status)}; only the samples in the log are imported`,
        ]),
    ...(named === undefined && chosen === undefined ? [`${name}: does not name its model; --model names it`] : []),
  ]
  return {
    format: 'inspect',
    tool: inspect === undefined ? 'Inspect AI' : `Inspect AI ${inspect}`,
    task,
    model: named ?? chosen ?? 'unknown model',
    isModelUnnamed: named === undefined,
    startedAt: readTime(textField(stats, 'started_at')) ?? readTime(textField(about, 'created')),
    completedAt: readTime(textField(stats, 'completed_at')),
    order: ids?.map(String),
    warnings,
  }
}

function writeChoices(choices: readonly unknown[] | undefined): string {
  if (!choices || choices.length === 0) return ''
  const lines = choices.map((choice, index) => `${String.fromCharCode(65 + index)}) ${String(choice)}`)
  return `\n\n${lines.join('\n')}`
}

const isSystem = (message: unknown): boolean => textField(message, 'role') === 'system'

/** What a solver told the model before the question, which does not say it itself. */
function readSystem(sample: Fields): string[] {
  if ((listField(sample, 'input') ?? []).some(isSystem)) return []
  return (listField(sample, 'system') ?? []).flatMap((message) => contentText(field(message, 'content')) ?? [])
}

function readScores(sample: Fields): Map<string, unknown> {
  const single = field(sample, 'score')
  const several = field(sample, 'scores')
  const found: [string, unknown][] = [
    ...(isJsonObject(single) ? [['score', single] satisfies [string, unknown]] : []),
    ...(isJsonObject(several) ? Object.entries(several) : []),
  ]
  return new Map(
    found.flatMap(([name, score]) =>
      flattenScore(name, isJsonObject(score) && Object.hasOwn(score, 'value') ? score['value'] : score),
    ),
  )
}

const INVALID = 'the sample was marked as invalid in Inspect'

/** A sample that its owner marked as invalid, to be run again, counts no longer. */
function readInvalidation(sample: Fields): string | undefined {
  const mark = field(sample, 'invalidation')
  if (!isJsonObject(mark)) return undefined
  const reason = textField(mark, 'reason')
  return `${INVALID}${reason === undefined ? '' : `: ${reason}`}`
}

const STOPPED: Readonly<Record<string, Outcome>> = {
  max_tokens: 'truncated',
  model_length: 'truncated',
  content_filter: 'filtered',
}

/** As our own logs say, or as the model stopped. */
function readOutcome(sample: Fields, own: unknown): Outcome | undefined {
  const known = outcomeSchema.safeParse(field(own, 'outcome'))
  if (known.success) return known.data
  const reason = textField(listField(field(sample, 'output'), 'choices')?.[0], 'stop_reason')
  return reason === undefined ? undefined : STOPPED[reason]
}

function readNotes(sample: Fields): string | undefined {
  const several = field(sample, 'scores')
  const scores = [field(sample, 'score'), ...(isJsonObject(several) ? Object.values(several) : [])]
  const limit = textField(field(sample, 'limit'), 'type')
  const notes = [
    limit === undefined ? undefined : `stopped by the ${limit} limit`,
    ...scores.map((score) => textField(score, 'explanation')),
  ]
  return notes.find((note) => note !== undefined && note !== '')
}

function readFirstChoice(output: unknown): string | undefined {
  const message = field(listField(output, 'choices')?.[0], 'message')
  return contentText(field(message, 'content')) ?? textField(output, 'completion')
}

function readModelUsage(
  sample: Fields,
  model: string,
): Pick<ForeignSample, 'promptTokens' | 'completionTokens' | 'cost'> {
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
  const own = field(field(sample, 'metadata'), 'benchmaker')
  const unscored = readInvalidation(sample) ?? textField(field(own, 'unscored'), 'message')
  return {
    id,
    epoch,
    modelId: model,
    prompt: prompt === undefined ? undefined : prompt + writeChoices(listField(sample, 'choices')),
    messages,
    system: readSystem(sample),
    expected: readExpected(field(sample, 'target')),
    ...readLabels((name) => field(field(sample, 'metadata'), name)),
    cluster: readCluster({ metadata: field(sample, 'metadata') }, 'cluster'),
    answer: readFirstChoice(field(sample, 'output')),
    error: isJsonObject(error) ? (textField(error, 'message') ?? 'the sample failed') : undefined,
    outcome: readOutcome(sample, own),
    unscored,
    scores: unscored === undefined ? readScores(sample) : new Map(),
    notes: readNotes(sample),
    latencyMs: secondsToMs(numberField(sample, 'working_time') ?? numberField(sample, 'total_time')),
    ...readModelUsage(sample, model),
    place,
  }
}

/** What to say about samples that do not count. */
export function warnOfInvalid(samples: readonly ForeignSample[], name: string): string[] {
  const count = samples.filter(({ unscored }) => unscored?.startsWith(INVALID)).length
  return count === 0
    ? []
    : [`${name}: ${count} of ${samples.length} samples are marked as invalid, so they are unscored`]
}

interface RawSample {
  fields: Fields
  place: string
}

/**
 * Collects the wanted fields of a sample as they arrive; attachments only if something before them refers to them, and of
 * the messages those of the system with which they begin.
 */
export function createSampleCollector() {
  let fields: [string, unknown][] = []
  let wanted = new Set<string>()
  let attachments = new Map<string, string>()
  let system: unknown[] = []
  let isBegun = false
  return {
    decideField: (key: string, inner?: string): 'take' | 'enter' | 'skip' => {
      if (key === 'attachments') return inner === undefined ? 'enter' : wanted.has(inner) ? 'take' : 'skip'
      if (key === 'messages') return inner === undefined ? 'enter' : isBegun ? 'skip' : 'take'
      return SAMPLE_FIELDS.has(key) ? 'take' : 'skip'
    },
    add(key: string, inner: string | undefined, value: unknown): void {
      if (key === 'messages') {
        if (!isSystem(value)) isBegun = true
        else if (inner !== undefined) system.push(value)
        if (!isBegun) findReferences(value, wanted)
        return
      }
      if (inner !== undefined) {
        if (typeof value === 'string') attachments.set(inner, value)
        return
      }
      // What a task writes there may be large.
      if (key === 'metadata') {
        fields.push([key, Object.fromEntries(METADATA_FIELDS.map((name) => [name, field(value, name)]))])
        return
      }
      fields.push([key, value])
      findReferences(value, wanted)
    },
    hasMessages: () => isBegun || system.length > 0,
    /** Where the messages of a sample in chunks are. */
    messageRefs: () => fields.find(([key]) => key === 'message_refs')?.[1],
    /** The references that nothing answered, for logs that keep attachments elsewhere. */
    missing: () => [...wanted].filter((name) => !attachments.has(name)),
    finish(): Fields {
      const sample = Object.fromEntries(
        [...fields, ['system', system] satisfies [string, unknown]].map(([key, value]) => [
          key,
          resolveReferences(value, attachments),
        ]),
      )
      fields = []
      system = []
      isBegun = false
      wanted = new Set()
      attachments = new Map()
      return sample
    },
  }
}

async function readLog(file: ResultsFile): Promise<{ header: Fields; samples: RawSample[] }> {
  const header: [string, unknown][] = []
  const samples: RawSample[] = []
  const collector = createSampleCollector()
  const parts = splitJson(file.read(), {
    name: file.name,
    decide(path) {
      const [first, , key, inner] = path
      if (path.length === 0) return 'enter'
      if (path.length === 1) return first === 'samples' ? 'enter' : HEADER_FIELDS.has(first!) ? 'take' : 'skip'
      return path.length === 2 ? 'enter' : collector.decideField(key!, inner)
    },
  })
  for await (const part of parts) {
    const [first, , key, inner] = part.path
    if (part.kind === 'value') {
      if (part.path.length === 1) header.push([first!, part.value])
      else collector.add(key!, inner, part.value)
    } else if (part.path.length === 1 && first === 'samples') continue
    else if (part.path.length === 2)
      samples.push({ fields: file.keep(collector.finish()), place: `${file.name}: sample ${samples.length + 1}` })
  }
  return { header: Object.fromEntries(header), samples }
}

/** Inspect AI's logs in JSON. */
export const inspectJson: ResultsReader = {
  name: 'inspect-json',
  looksLike: 'an Inspect AI log: JSON with eval and samples',
  async recognises(file) {
    const keys = await listTopKeys(file)
    return keys.has('eval') && ['status', 'samples', 'plan', 'version'].some((key) => keys.has(key))
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const { header: fields, samples: raw } = await readLog(file)
    const { model, ...header } = readInspectHeader(fields, { name: file.name, ...(chosen !== undefined && { chosen }) })
    const samples: ForeignSample[] = raw.map(({ fields: sample, place }) => readInspectSample(sample, { model, place }))
    return { ...header, samples, warnings: [...header.warnings, ...warnOfInvalid(samples, file.name)] }
  },
}
