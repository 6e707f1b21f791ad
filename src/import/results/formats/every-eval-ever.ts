import { InputError } from '../../../contract/index.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsReader } from '../foreign-results.ts'
import { readFirstLine } from '../top-keys.ts'
import { readExpected, readQuestion } from './chat-text.ts'

const REQUIRED = ['schema_version', 'evaluation_name', 'sample_id', 'evaluation']

function readRawOutput(row: unknown): string | undefined {
  const raw = listField(field(row, 'output'), 'raw')?.filter((text) => typeof text === 'string')
  if (raw) return raw.join('\n')
  return textField(
    listField(row, 'messages')?.findLast((turn) => textField(turn, 'role') === 'assistant'),
    'content',
  )
}

/** One record: what one metric says about one answer. */
interface InstanceRecord {
  line: number
  name: string
  resultId: string
  sample: ForeignSample
  score: unknown
}

/** The records of one answer. Those of the same metric are its repeats, so they are of other rounds. */
type Round = Map<string, InstanceRecord>

function readRecord(
  value: unknown,
  { line, file, model }: { line: number; file: string; model: string },
): InstanceRecord {
  const place = `${file}:${line}`
  const id = idField(value, 'sample_id')
  if (id === undefined) throw new InputError(`${place}: has no sample_id`)
  const evaluation = field(value, 'evaluation')
  const isCorrect = field(evaluation, 'is_correct')
  return {
    line,
    name: textField(value, 'evaluation_name') ?? 'evaluation',
    resultId: textField(value, 'evaluation_result_id') ?? '',
    score: field(evaluation, 'score'),
    sample: {
      id,
      epoch: 1,
      modelId: textField(value, 'model_id') || model,
      ...readQuestion(field(field(value, 'input'), 'raw')),
      expected: readExpected(field(field(value, 'input'), 'reference')),
      answer: readRawOutput(value),
      error: textField(value, 'error'),
      scores: new Map(),
      passed: typeof isCorrect === 'boolean' ? isCorrect : undefined,
      latencyMs: numberField(field(value, 'performance'), 'latency_ms'),
      promptTokens: numberField(field(value, 'token_usage'), 'input_tokens'),
      completionTokens: numberField(field(value, 'token_usage'), 'output_tokens'),
      place,
    },
  }
}

const verdictOf = ({ sample: { answer, passed } }: InstanceRecord) => ({ answer, passed })
const sampleKey = ({ id, modelId }: ForeignSample) => JSON.stringify([id, modelId])

/** Metrics by name; by name and result id if a sample has several results of one name. */
function chooseMetricName(records: readonly InstanceRecord[]): (record: InstanceRecord) => string {
  const results = new Map<string, string>()
  const areIdsNeeded = records.some(({ name, resultId, sample }) => {
    const key = JSON.stringify([sampleKey(sample), name])
    const known = results.get(key)
    results.set(key, known ?? resultId)
    return known !== undefined && known !== resultId
  })
  return ({ name, resultId }) => (areIdsNeeded ? `${name} ${resultId}`.trim() : name)
}

function hasSameQuestion(a: ForeignSample, b: ForeignSample): boolean {
  return a.prompt === b.prompt && JSON.stringify(a.messages) === JSON.stringify(b.messages)
}

/** One id may stand for one question in each of several evaluations: these are not metrics or repeats of one sample. */
function refuseOther(record: InstanceRecord, known: InstanceRecord): void {
  if (hasSameQuestion(record.sample, known.sample)) return
  throw new InputError(
    `${record.sample.place}: sample ${JSON.stringify(record.sample.id)} of ${record.name} asks something else than that of ${known.name} in line ${known.line}; put the records of each evaluation_name into a file of its own`,
  )
}

function groupRounds(records: readonly InstanceRecord[], metricOf: (record: InstanceRecord) => string): Round[][] {
  const answers = new Map<string, Round[]>()
  for (const record of records) {
    const key = sampleKey(record.sample)
    const rounds = answers.get(key) ?? []
    answers.set(key, rounds)
    const metric = metricOf(record)
    const open = rounds.find((round) => !round.has(metric))
    if (open) refuseOther(record, open.values().next().value!)
    if (open) open.set(metric, record)
    else rounds.push(new Map([[metric, record]]))
  }
  return [...answers.values()]
}

/** Models may be asked in other words, but not in different evaluations. */
function refuseUnrelated(answers: readonly Round[][]): void {
  const firsts = new Map<string, InstanceRecord[]>()
  for (const [round] of answers) {
    const records = [...round!.values()]
    const { id } = records[0]!.sample
    const known = firsts.get(id)
    if (!known) firsts.set(id, records)
    else if (records.every(({ name }) => known.every((other) => other.name !== name)))
      refuseOther(records[0]!, known[0]!)
  }
}

function joinRecords(records: readonly InstanceRecord[]): ForeignSample[] {
  const answers = groupRounds(records, chooseMetricName(records))
  refuseUnrelated(answers)
  const hasMetrics = answers.some((rounds) => rounds.some((round) => round.size > 1))
  const hasCategories = !hasMetrics && new Set(records.map(({ name }) => name)).size > 1
  return answers.flatMap((rounds) =>
    rounds.map((round, index): ForeignSample => {
      const entries = [...round].map(([metric, record]) => [hasMetrics ? metric : 'score', record] as const)
      const { name, sample } = entries[0]![1]
      return {
        ...sample,
        epoch: index + 1,
        error: entries.map(([, record]) => record.sample.error).find((error) => error !== undefined),
        scores: new Map(entries.map(([metric, { score }]) => [metric, score])),
        byMetric: new Map(entries.map(([metric, record]) => [metric, verdictOf(record)])),
        ...(hasCategories && { category: name }),
      }
    }),
  )
}

/** Instance records of Every Eval Ever. */
export const everyEvalEver: ResultsReader = {
  name: 'every-eval-ever',
  looksLike: 'instance records of Every Eval Ever: JSON lines with schema_version and evaluation',
  recognises(file) {
    const first = readFirstLine(file)
    return first !== undefined && REQUIRED.every((key) => Object.hasOwn(first, key))
  },
  async read(file, { model }): Promise<ForeignResults> {
    const records: InstanceRecord[] = []
    let version: string | undefined
    let isModelUnnamed = false
    for await (const { line, value } of readRecordLines(file.read(), file.name)) {
      version ??= textField(value, 'schema_version')
      isModelUnnamed ||= !textField(value, 'model_id')
      records.push(file.keep(readRecord(value, { line, file: file.name, model: model ?? 'unknown model' })))
    }
    return {
      format: 'every-eval-ever',
      tool: `Every Eval Ever ${version ?? ''}`.trim(),
      task: records[0]?.name ?? 'evaluation',
      samples: joinRecords(records),
      isModelUnnamed,
      warnings:
        isModelUnnamed && model === undefined
          ? [`${file.name}: has records that do not name their model; --model names it`]
          : [],
    }
  },
}
