import { isJsonObject, InputError } from '../../../contract/index.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { field, idField, listField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { readFirstLine } from '../top-keys.ts'
import { flattenScore } from '../score-value.ts'
import { readExpected, readQuestion } from './chat-text.ts'

/** What was recorded about one sample, in the order of its events. */
interface Recorded {
  id: string
  line: number
  asked: { prompt: unknown; answer: string | undefined }[]
  matches: { scores: Map<string, unknown>; expected: unknown; answer: string | undefined }[]
  metrics: Map<string, unknown>
  expected?: unknown
  error?: string
}

function readFirstText(value: unknown): string | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : readFirstText(value[0])
  if (typeof value === 'string') return value
  return textField(value, 'content') ?? textField(field(value, 'message'), 'content')
}

function addEvent(sample: Recorded, type: string | undefined, data: unknown): void {
  if (type === 'sampling')
    sample.asked.push({ prompt: field(data, 'prompt'), answer: readFirstText(field(data, 'sampled')) })
  else if (type === 'match')
    sample.matches.push({
      scores: new Map([['match', field(data, 'correct')]]),
      expected: field(data, 'expected'),
      answer: readFirstText(field(data, 'sampled')),
    })
  else if (type === 'metrics' && isJsonObject(data))
    for (const [name, value] of Object.entries(data).flatMap(([key, inner]) => flattenScore(key, inner)))
      sample.metrics.set(name, value)
  else if (type === 'raw_sample') sample.expected = field(data, 'ideal')
  else if (type === 'error')
    sample.error = textField(data, 'message') ?? textField(data, 'error') ?? 'the sample failed'
}

/** One sample a match; several matches of a sample are repeats of it. */
function finishSample(recorded: Recorded, modelId: string, name: string): ForeignSample[] {
  const { id, line, asked, matches, metrics, error } = recorded
  const rounds =
    matches.length > 0 ? matches : [{ scores: new Map<string, unknown>(), expected: undefined, answer: undefined }]
  return rounds.map((round, index) => {
    const { prompt, answer } = asked[index] ?? asked.at(-1) ?? { prompt: undefined, answer: undefined }
    return {
      id,
      epoch: index + 1,
      modelId,
      ...readQuestion(prompt),
      expected: readExpected(round.expected ?? recorded.expected),
      answer: answer ?? round.answer,
      error,
      scores: new Map([...round.scores, ...metrics]),
      place: `${name}:${line}`,
    }
  })
}

function readSpecModel(spec: unknown): string | undefined {
  const [first] = listField(spec, 'completion_fns') ?? listField(field(spec, 'run_config'), 'completion_fns') ?? []
  return typeof first === 'string'
    ? first
    : (textField(spec, 'model_name') ?? readFirstText(field(spec, 'model_names')))
}

async function readEvents(file: ResultsFile): Promise<{ spec: Fields; samples: Map<string, Recorded> }> {
  let spec: Fields | undefined
  let specLine = 0
  const samples = new Map<string, Recorded>()
  for await (const { line, value } of readRecordLines(file.read(), file.name)) {
    const about = field(value, 'spec')
    if (isJsonObject(about)) {
      if (spec)
        throw new InputError(
          `${file.name}:${line}: has a second spec (first in line ${specLine}); were two files joined? Import each by itself`,
        )
      spec = about
      specLine = line
    }
    const id = idField(value, 'sample_id')
    if (id === undefined) continue
    const sample: Recorded =
      samples.get(id) ?? file.keep({ id, line, asked: [], matches: [], metrics: new Map<string, unknown>() })
    samples.set(id, sample)
    addEvent(sample, textField(value, 'type'), file.keep(field(value, 'data')))
  }
  return { spec: spec ?? {}, samples }
}

/** The record files of OpenAI evals. */
export const openaiEvals: ResultsReader = {
  name: 'openai-evals',
  looksLike: 'a record of OpenAI evals: JSON lines with spec and events',
  recognises(file) {
    const first = readFirstLine(file)
    if (!first) return false
    return (
      isJsonObject(first['spec']) || ['event_id', 'sample_id', 'type', 'data'].every((key) => Object.hasOwn(first, key))
    )
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const { spec, samples } = await readEvents(file)
    if (samples.size === 0)
      throw new InputError(`${file.name}: has no events of samples; was the evaluation stopped before its first one?`)
    const named = readSpecModel(spec)
    const model = chosen ?? named
    const time = Date.parse(`${(textField(spec, 'created_at') ?? '').replace(' ', 'T')}Z`)
    return {
      format: 'openai-evals',
      tool: 'OpenAI evals',
      task: textField(spec, 'eval_name') ?? 'OpenAI eval',
      isModelUnnamed: named === undefined,
      preferred: ['match', 'score', 'accuracy'],
      // What a grading model picked, such as C of A to E, is a category and not a mark.
      onlyIfNamed: new Set(['choice']),
      ...(Number.isNaN(time) ? {} : { startedAt: time }),
      samples: [...samples.values()].flatMap((sample) => finishSample(sample, model ?? 'unknown model', file.name)),
      warnings: model === undefined ? [`${file.name}: does not name its model; --model names it`] : [],
    }
  },
}
