import { createHash } from 'node:crypto'
import {
  hasPassed,
  InputError,
  LATEST_TIME,
  MAX_COST,
  readPassMark,
  type CellResult,
  type RunResult,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { findOtherReading } from '../../scoring/index.ts'
import type { ForeignResults, ForeignSample } from './foreign-results.ts'
import type { SampleLabels } from './sample-labels.ts'
import { baseOf, type ScoreMapping } from './score-mapping.ts'

/** Longer explanations of graders are cut: they are kept for every sample. */
const MAX_NOTES = 20_000
const MAX_EPOCHS = 1000
/** Ids longer than this do not fit into the database's index. */
const MAX_ID_BYTES = 900

export interface MadeRuns {
  runs: RunResult[]
  seriesId?: string | undefined
}

/** Ids that people can see and a database can hold. */
function checkSample({ id, modelId, place }: ForeignSample): void {
  for (const [what, text] of [
    ['id', id],
    ['model', modelId],
  ] as const) {
    if (text.trim() === '') throw new InputError(`${place}: the ${what} is empty`)
    if (Buffer.byteLength(text) > MAX_ID_BYTES)
      throw new InputError(
        `${place}: the ${what} is longer than ${MAX_ID_BYTES} bytes: ${JSON.stringify(text.slice(0, 60))}…`,
      )
  }
}

function refuseTwice(samples: readonly ForeignSample[], hint: string | undefined): void {
  const places = new Map<string, string>()
  for (const { id, epoch, modelId, place } of samples) {
    const key = JSON.stringify([id, epoch, modelId])
    const earlier = places.get(key)
    if (earlier !== undefined)
      throw new InputError(
        `${place}: sample ${JSON.stringify(id)}${epoch > 1 ? `, epoch ${epoch},` : ''} of ${modelId} appears twice (first in ${earlier}); ${hint ?? 'ids must be unique: were two files joined?'}`,
      )
    places.set(key, place)
  }
}

/** By number if all ids are numbers, else as in the dataset, else as in the file. */
function orderIds(samples: readonly ForeignSample[], order: readonly string[] | undefined): string[] {
  const ids = [...new Set(samples.map(({ id }) => id))]
  if (ids.every((id) => /^\d{1,15}$/.test(id))) return ids.sort((a, b) => Number(a) - Number(b))
  if (!order) return ids
  const places = new Map(order.map((id, index) => [id, index]))
  return ids.sort((a, b) => (places.get(a) ?? order.length) - (places.get(b) ?? order.length))
}

/** What all models were told before every question, if it was the same. */
function findSystemPrompt([first, ...others]: readonly ForeignSample[]): string | undefined {
  const [system, ...more] = first?.system ?? []
  const isShared = others.every((sample) => sample.system?.length === 1 && sample.system[0] === system)
  return more.length === 0 && isShared ? system : undefined
}

function makeQuestion({ prompt, messages, system = [] }: ForeignSample, hasSystemPrompt: boolean) {
  const asked = messages ?? (prompt === undefined ? [] : [{ role: 'user' as const, content: prompt }])
  if (system.length > 0 && asked.length > 0 && !hasSystemPrompt)
    return { messages: [...system.map((content) => ({ role: 'system' as const, content })), ...asked] }
  return messages ? { messages } : prompt !== undefined && { prompt }
}

function makeTestCase(samples: readonly ForeignSample[], hasSystemPrompt: boolean): TestCase {
  const { id, expected } = samples[0]!
  const find = <Field extends 'cluster' | keyof SampleLabels>(field: Field) =>
    samples.find((sample) => sample[field] !== undefined)?.[field]
  const [cluster, category, difficulty, tags] = [find('cluster'), find('category'), find('difficulty'), find('tags')]
  const metadata = {
    ...(category !== undefined && { category }),
    ...(difficulty !== undefined && { difficulty }),
    ...(tags !== undefined && { tags: [...tags] }),
  }
  return {
    id,
    ...makeQuestion(samples[0]!, hasSystemPrompt),
    ...(expected !== undefined && expected !== '' && { expectedOutput: expected }),
    scoringMethod: 'none',
    weight: 1,
    ...(cluster !== undefined && { cluster }),
    ...(Object.keys(metadata).length > 0 && { metadata }),
  }
}

function makeSuite({ task, description, samples, order, tool }: ForeignResults): Suite {
  const byId = Map.groupBy(samples, ({ id }) => id)
  const systemPrompt = findSystemPrompt(samples)
  return {
    name: task.trim() === '' ? 'Imported results' : task,
    description: description ?? `Imported from ${tool}. Answers were scored there, not here.`,
    ...(systemPrompt !== undefined && { systemPrompt }),
    testCases: orderIds(samples, order).map((id) => makeTestCase(byId.get(id)!, systemPrompt !== undefined)),
  }
}

/** The other metrics of a sample, for readers of its score. */
function listOtherScores(sample: ForeignSample, metric: string | undefined): string | undefined {
  const others = [...sample.scores].filter(
    ([name, value]) =>
      name !== metric && (typeof value === 'number' || typeof value === 'boolean' || typeof value === 'string'),
  )
  return others.length === 0
    ? undefined
    : others
        .slice(0, 20)
        .map(([name, value]) => `${name} ${String(value).slice(0, 100)}`)
        .join(', ')
}

function cleanNumber(value: number | undefined, max: number): number | undefined {
  return value !== undefined && value >= 0 && value <= max ? value : undefined
}

/** Whether the same metric comes out otherwise by another of the file's own filters; null if it has no other. */
function findOtherFilter({ scores }: ForeignSample, mapping: ScoreMapping, isPassed: (score: number) => boolean) {
  const { metric = '' } = mapping
  const others = [...scores].flatMap(([name, value]) => {
    const mapped = name !== metric && baseOf(name) === baseOf(metric) ? mapping.map(value) : undefined
    return mapped && 'score' in mapped ? [isPassed(mapped.score)] : []
  })
  if (others.length === 0) return null
  const own = mapping.map(scores.get(metric))
  return 'score' in own && others.some((other) => other !== isPassed(own.score))
}

function makeCell(sample: ForeignSample, mapping: ScoreMapping, testCase: TestCase): CellResult {
  const { metric } = mapping
  const record = metric === undefined ? undefined : sample.byMetric?.get(metric)
  const { id, modelId, answer, error, outcome, passed, notes: own } = { ...sample, ...record }
  const usage = {
    latencyMs: cleanNumber(sample.latencyMs, Number.MAX_SAFE_INTEGER),
    promptTokens: cleanNumber(sample.promptTokens, Number.MAX_SAFE_INTEGER),
    completionTokens: cleanNumber(sample.completionTokens, Number.MAX_SAFE_INTEGER),
    cost: cleanNumber(sample.cost, MAX_COST),
  }
  const known = Object.fromEntries(Object.entries(usage).filter(([, value]) => value !== undefined))
  const cell: CellResult = { testCaseId: id, modelId, ...known }
  if (error !== undefined)
    return { ...cell, status: 'failed', outcome: outcome ?? 'error', error: error.slice(0, MAX_NOTES) }
  const mapped =
    sample.unscored === undefined
      ? mapping.map(metric === undefined ? undefined : sample.scores.get(metric))
      : { unscored: sample.unscored }
  const answered: CellResult = { ...cell, status: 'completed', outcome: outcome ?? 'ok', response: answer ?? '' }
  if ('unscored' in mapped) return { ...answered, unscored: { code: 'no-score-in-file', message: mapped.unscored } }
  const others = listOtherScores(sample, metric)
  const notes = [own, others === undefined ? undefined : `Also measured: ${others}`].filter(Boolean).join('\n\n')
  // A tool's own verdict is about its own score; another metric has none.
  const isOwnScore = metric === 'score' || mapping.metrics.length === 1 || record !== undefined
  const score = {
    ...mapped,
    ...(passed !== undefined && isOwnScore && { passed }),
    ...(notes !== '' && { notes: notes.slice(0, MAX_NOTES) }),
  }
  const hasPassedHere = hasPassed(score, readPassMark(testCase))
  const isOtherwise = findOtherFilter(sample, mapping, (value) => hasPassed({ score: value }, readPassMark(testCase)))
  const otherReading =
    isOtherwise === null
      ? findOtherReading(testCase, answer ?? '', hasPassedHere)
      : isOtherwise && (hasPassedHere ? 'fails' : 'passes')
  return { ...answered, score: { ...score, ...(otherReading && { otherReading }) } }
}

/** By the content and what was made of it: the same choice, named or not, gives the same id. */
function makeId(
  { format, samples, columns }: ForeignResults,
  contentHash: string,
  { metric, scale, lowerIsBetter }: ScoreMapping,
): string {
  const models = [...new Set(samples.map(({ modelId }) => modelId))].sort()
  const named = columns && Object.entries(columns).sort(([a], [b]) => (a < b ? -1 : 1))
  const chosen = JSON.stringify([contentHash, metric, scale, lowerIsBetter, models, named])
  return `${format}-${createHash('sha256').update(chosen).digest('hex').slice(0, 12)}`
}

/** A text of a file as a label shows it: one line without control characters. */
function cleanLine(text: string, length: number): string {
  const line = text.toWellFormed().replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, ' ')
  return Array.from(line).slice(0, length).join('').trim()
}

function cleanName(name: string): string {
  return cleanLine(name, 200) || 'results'
}

/** Runs like our own: one an epoch, with the scores of the chosen metric. */
export function makeRuns(
  results: ForeignResults,
  mapping: ScoreMapping,
  { name, contentHash, now }: { name: string; contentHash: string; now: number },
): MadeRuns {
  const { samples, format, tool, startedAt, completedAt } = results
  if (samples.length === 0)
    throw new InputError(
      `${name}: contains no samples, so there is nothing to import${format === 'inspect' ? ' (was the log written with --no-log-samples?)' : ''}`,
    )
  for (const sample of samples) checkSample(sample)
  refuseTwice(samples, results.repeatHint)
  const epochs = [...new Set(samples.map(({ epoch }) => epoch))].sort((a, b) => a - b)
  if (epochs.length > MAX_EPOCHS)
    throw new InputError(`${name}: has ${epochs.length} epochs; at most ${MAX_EPOCHS} are imported`)
  const suite = makeSuite(results)
  const caseOf = new Map(suite.testCases.map((testCase) => [testCase.id, testCase]))
  const id = makeId(results, contentHash, mapping)
  const isSeries = epochs.length > 1
  const began = cleanNumber(startedAt, LATEST_TIME) ?? now
  const runs = epochs.map((epoch): RunResult => {
    const own = samples.filter((sample) => sample.epoch === epoch)
    return {
      id: isSeries ? `${id}-${epoch}` : id,
      kind: 'imported',
      ...(isSeries && { seriesId: id }),
      label: { name: cleanName(name), note: cleanLine(`Imported from ${tool}. Scores: ${mapping.description}.`, 2000) },
      testSuiteName: suite.name,
      testSuiteSnapshot: suite,
      models: [...new Set(own.map(({ modelId }) => modelId))],
      startedAt: began,
      completedAt: completedAt !== undefined && completedAt >= began ? completedAt : began,
      status: 'completed',
      results: own.map((sample) => makeCell(sample, mapping, caseOf.get(sample.id)!)),
      versions: {
        importedFrom: tool,
        importedFile: cleanName(name),
        importedScores: mapping.description,
        ...(isSeries && { importedEpoch: String(epoch) }),
      },
    }
  })
  return { runs, ...(isSeries && { seriesId: id }) }
}
