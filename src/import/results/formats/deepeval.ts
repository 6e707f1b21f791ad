import { InputError, isJsonObject } from '../../../contract/index.ts'
import { splitJson } from '../../text/split-json.ts'
import { field, listField, numberField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { stemOf } from '../results-file.ts'
import { listTopKeys } from '../top-keys.ts'
import { readQuestion } from './chat-text.ts'

const CASES = new Set(['testCases', 'conversationalTestCases', 'test_cases', 'conversational_test_cases'])
const ABOUT = new Set(['hyperparameters', 'testFile', 'identifier', 'testRunLink', 'test_run_link'])

/** DeepEval writes `actualOutput` into its files and `actual_output` in Python. */
function either(value: unknown, name: string): unknown {
  const snake = name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)
  return field(value, name) ?? field(value, snake)
}

function eitherText(value: unknown, name: string): string | undefined {
  const found = either(value, name)
  return typeof found === 'string' ? found : undefined
}

interface Metric {
  name: string
  score: number | undefined
  threshold: number | undefined
  success: boolean | undefined
  /** Why it has no score. */
  error: string | undefined
  reason: string | undefined
}

function readMetric(value: unknown): Metric {
  const success = field(value, 'success')
  const isSkipped = field(value, 'skipped') === true
  return {
    name: textField(value, 'name') ?? 'metric',
    score: numberField(value, 'score'),
    threshold: numberField(value, 'threshold'),
    success: typeof success === 'boolean' ? success : undefined,
    error: textField(value, 'error') ?? (isSkipped ? 'the metric was skipped' : undefined),
    reason: textField(value, 'reason'),
  }
}

interface FoundCase {
  fields: Fields
  place: string
}

async function readCases(file: ResultsFile): Promise<{ about: Fields; cases: FoundCase[] }> {
  const about: Fields = {}
  const cases: FoundCase[] = []
  const isAt = (path: readonly string[]) =>
    path[0] === 'testRunData' || path[0] === 'test_run_data' ? path.slice(1) : path
  const parts = splitJson(file.read(), {
    name: file.name,
    decide(path) {
      const [first, second] = isAt(path)
      if (first === undefined) return 'enter'
      if (second === undefined) return CASES.has(first) ? 'enter' : ABOUT.has(first) ? 'take' : 'skip'
      return CASES.has(first) ? 'take' : 'skip'
    },
  })
  for await (const part of parts) {
    if (part.kind !== 'value') continue
    const [first, second] = isAt(part.path)
    if (second === undefined) about[first!] = part.value
    else if (isJsonObject(part.value))
      cases.push({ fields: file.keep(part.value), place: `${file.name}: test case ${cases.length + 1}` })
  }
  return { about, cases }
}

/** Metrics that measure something bad, unless the passes of the file show that high values are good. */
const BAD = /^(?:hallucination|bias|toxicity)\b/i

/** Passing below the threshold, or failing above it, is what only a metric of something bad does. */
function countsDown(metrics: readonly Metric[]): boolean {
  const decided = metrics.filter(
    ({ score, threshold, success }) =>
      score !== undefined && threshold !== undefined && success !== undefined && score !== threshold,
  )
  const isDown = ({ score, threshold, success }: Metric) => {
    const isBelow = score! < threshold!
    return isBelow === success
  }
  return decided.length > 0 ? decided.every(isDown) : metrics.some(({ name }) => BAD.test(name))
}

function readTurns(fields: Fields): Pick<ForeignSample, 'prompt' | 'messages' | 'answer'> {
  const turns = listField(fields, 'turns')
  if (!turns) {
    const input = either(fields, 'input')
    return { ...readQuestion(input), answer: eitherText(fields, 'actualOutput') }
  }
  const last = turns.findLastIndex((turn) => textField(turn, 'role') === 'assistant')
  return {
    ...readQuestion(last < 0 ? turns : turns.slice(0, last)),
    answer: textField(turns[last], 'content') ?? undefined,
  }
}

/** A name that several cases share, such as that of a test function, is not enough to know a case by. */
function nameCases(cases: readonly FoundCase[]): string[] {
  const names = cases.map(({ fields }, index) => textField(fields, 'name') || `test_case_${index}`)
  const counts = Map.groupBy(names, (name) => name)
  const seen = new Map<string, number>()
  return names.map((name) => {
    const number = (seen.get(name) ?? 0) + 1
    seen.set(name, number)
    return counts.get(name)!.length > 1 ? `${name}-${number}` : name
  })
}

function toSample(
  { fields, place }: FoundCase,
  { id, modelId, metrics }: { id: string; modelId: string; metrics: readonly Metric[] },
): ForeignSample {
  const { answer, ...question } = readTurns(fields)
  const seconds = either(fields, 'completionTime')
  const cost = either(fields, 'tokenCost')
  const scored = metrics.filter(({ error }) => error === undefined)
  const failures = metrics.flatMap(({ name, error }) => (error === undefined ? [] : [`${name}: ${error}`]))
  return {
    id,
    epoch: 1,
    modelId,
    ...question,
    expected: eitherText(fields, 'expectedOutput') ?? eitherText(fields, 'expectedOutcome'),
    answer,
    // A metric that failed has no score, whatever number stands beside the error.
    scores: new Map(metrics.map(({ name, score, error }) => [name, error === undefined ? score : undefined])),
    ...(scored.length === 0 && failures.length > 0 && { unscored: failures.join('; ').slice(0, 500) }),
    byMetric: new Map(
      metrics.map(({ name, success, error }) => [name, { answer, passed: error === undefined ? success : undefined }]),
    ),
    notes: metrics.flatMap(({ name, reason }) => (reason ? [`${name}: ${reason}`] : [])).join('\n') || undefined,
    latencyMs: typeof seconds === 'number' ? seconds * 1000 : undefined,
    cost: typeof cost === 'number' ? cost : undefined,
    place,
  }
}

const PASSED = 'passed'

/** Whether a test case passed, by its own metrics; undefined if one of them failed to say so. */
function haveAllPassed(metrics: readonly Metric[]): boolean | undefined {
  if (metrics.some(({ error, success }) => error === undefined && success === false)) return false
  return metrics.length > 0 && metrics.every(({ error, success }) => error === undefined && success === true)
    ? true
    : undefined
}

/** Where each test case has metrics of its own, none says anything of all: whether they pass does. */
function withPassed(
  samples: readonly ForeignSample[],
  metricsOf: readonly (readonly Metric[])[],
): readonly ForeignSample[] {
  const names = metricsOf.map((metrics) => new Set(metrics.map(({ name }) => name))).filter(({ size }) => size > 0)
  if (names.length === 0 || [...names[0]!].some((name) => names.every((own) => own.has(name)))) return samples
  return samples.map((sample, index) => {
    const passed = haveAllPassed(metricsOf[index]!)
    return passed === undefined ? sample : { ...sample, scores: new Map([...sample.scores, [PASSED, passed]]) }
  })
}

function readModel(about: Fields): string | undefined {
  const given = about['hyperparameters']
  const named = Object.entries(isJsonObject(given) ? given : {}).find(([name]) =>
    /^(?:model|llm)(?:[ _-]?name)?$/i.test(name),
  )
  const value = named?.[1]
  return typeof value === 'string' && value !== '' ? value : textField(value, 'alias')
}

function refuseEmpty(file: ResultsFile, about: Fields): never {
  const link = about['testRunLink'] ?? about['test_run_link']
  throw new InputError(
    typeof link === 'string'
      ? `${file.name}: has only the address of a test run, whose results are kept by Confident AI; run "deepeval logout" and the tests again, and the results are in this file`
      : `${file.name}: is a test run of DeepEval without test cases`,
  )
}

/** The last test run that DeepEval keeps in `.deepeval/.latest_test_run.json`, or in its results folder. */
export const deepeval: ResultsReader = {
  name: 'deepeval',
  looksLike: 'a test run of DeepEval: JSON with testRunData or testCases (.deepeval/.latest_test_run.json)',
  async recognises(file) {
    const keys = await listTopKeys(file)
    if (keys.has('testRunData') || keys.has('test_run_data') || keys.has('testRunLink')) return true
    const hasCases = keys.has('testCases') || keys.has('test_cases')
    return hasCases && ['metricsScores', 'metrics_scores', 'testPassed', 'test_passed'].some((key) => keys.has(key))
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const { about, cases } = await readCases(file)
    if (cases.length === 0) refuseEmpty(file, about)
    const named = readModel(about)
    const stem = stemOf(file.name).replace(/^\./, '')
    const modelId = chosen ?? named ?? stem
    const ids = nameCases(cases)
    const metricsOf = cases.map(({ fields }) => {
      const listed = either(fields, 'metricsData')
      return Array.isArray(listed) ? listed.map(readMetric) : []
    })
    const byName = Map.groupBy(metricsOf.flat(), ({ name }) => name)
    const samples = cases.map((found, index) =>
      toSample(found, { id: ids[index]!, modelId, metrics: metricsOf[index]! }),
    )
    return {
      format: 'deepeval',
      tool: 'DeepEval',
      task: (textField(about, 'testFile') || textField(about, 'identifier')) ?? 'DeepEval test run',
      samples: [...withPassed(samples, metricsOf)],
      preferred: [PASSED],
      lowerIsBetter: new Set([...byName].flatMap(([name, metrics]) => (countsDown(metrics) ? [name] : []))),
      isModelUnnamed: named === undefined,
      warnings:
        named === undefined && chosen === undefined
          ? [`${file.name}: test runs of DeepEval do not name their model, so it is called ${stem}; --model names it`]
          : [],
    }
  },
}
