import { readCluster, isJsonObject, InputError } from '../../../contract/index.ts'
import { HARNESS_TIME, isSummaryOf } from '../../../contract/files/summary-file.ts'
import { parseLooseJson } from '../../text/loose-json.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { field, idField, listField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { stemOf } from '../results-file.ts'
import { readLabels } from '../sample-labels.ts'
import { baseOf } from '../score-mapping.ts'
import { readFirstLine } from '../top-keys.ts'
import { readExpected } from './chat-text.ts'

/** Everything in a row that is not a metric. */
const NOT_METRICS: ReadonlySet<string> = new Set([
  'doc_id',
  'doc',
  'target',
  'arguments',
  'resps',
  'filtered_resps',
  'filter',
  'metrics',
  'doc_hash',
  'prompt_hash',
  'target_hash',
  'task_name',
])

/** Large values are good ones, whoever says so. */
const HIGHER_IS_BETTER = /(?:^|_)(?:acc|exact_match|f1)(?:_|$)/
/** By their names, small values are good ones; a summary may say otherwise. */
const LOWER_IS_BETTER = /(?:^|_)(?:brier_score|mae|mse|rmse|ter|wer|cer|error|loss|toxicity)(?:_|$)/
/** A small perplexity is good, but what a row has of it is a log-likelihood. */
const HIGHER_IN_ROWS: ReadonlySet<string> = new Set(['perplexity'])

function metricsOf(row: Fields): string[] {
  const listed = listField(row, 'metrics')?.filter((name) => typeof name === 'string')
  return listed ?? Object.keys(row).filter((key) => !NOT_METRICS.has(key))
}

/** The document, without the few-shot examples and chat templates that differ between models. */
function writeDocument(row: Fields): string | undefined {
  const doc = field(row, 'doc')
  if (typeof doc === 'string') return doc
  if (!isJsonObject(doc)) return undefined
  return Object.entries(doc)
    .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join('\n')
}

/** The continuation that was scored, of a multiple-choice document. */
function readContinuation(args: unknown, index: number): string | undefined {
  const named = field(args, `gen_args_${index}`)
  const pair: unknown = Array.isArray(args) ? args[index] : named
  const text: unknown = Array.isArray(pair) ? pair[1] : field(pair, 'arg_1')
  return typeof text === 'string' ? text.trim() : undefined
}

const isLikelihood = (response: unknown): response is unknown[] =>
  Array.isArray(response) && /^(?:true|false)$/i.test(String(response[1]))

/** Of options that were scored by their likelihood, the target may be the number of the right one. */
function readTarget(row: Fields): string | undefined {
  const target = field(row, 'target')
  const responses = listField(row, 'filtered_resps') ?? listField(row, 'resps') ?? []
  const isOption = responses.length > 1 && responses.every(isLikelihood) && /^\d+$/.test(String(target))
  return (isOption ? readContinuation(field(row, 'arguments'), Number(target)) : undefined) ?? readExpected(target)
}

/** The answer as text. For log-likelihoods, the likeliest continuation. */
function readResponses(row: Fields): string | undefined {
  const [responses] = [listField(row, 'filtered_resps') ?? listField(row, 'resps')]
  if (!responses || responses.length === 0) return undefined
  // A log-likelihood comes with whether it was the greediest continuation; several texts are repeats.
  const pairs = responses.map((response) => (isLikelihood(response) ? Number(response[0]) : Number.NaN))
  if (pairs.every((likelihood) => Number.isFinite(likelihood))) {
    const best = pairs.indexOf(Math.max(...pairs))
    if (pairs.length > 1) return readContinuation(field(row, 'arguments'), best) ?? `choice ${best + 1}`
    return `log-likelihood ${pairs[0]}${Array.isArray(responses[0]) ? `, greedy: ${String(responses[0][1])}` : ''}`
  }
  const [first] = responses
  const text: unknown = Array.isArray(first) && first.length === 1 ? first[0] : first
  return typeof text === 'string' ? text : JSON.stringify(text)
}

/** What the model wrote; undefined if the row has only what a filter made of it, or several texts. */
function readWritten(row: Fields): string | undefined {
  const responses = listField(row, 'resps')?.flat() ?? []
  return responses.length === 1 && typeof responses[0] === 'string' ? responses[0] : undefined
}

interface Summary {
  model?: string | undefined
  /** What ran the model, such as `hf`. */
  backend?: string | undefined
  version?: string | undefined
  startedAt?: number | undefined
  /** Whether high values of a metric are good ones. */
  directions: Fields
}

const MODEL_ARGUMENTS = ['pretrained', 'model', 'path', 'engine']

/** The model is named by itself, or in the arguments it was loaded with: a text, or an object in newer versions. */
function readModelName(summary: unknown): string | undefined {
  const named = textField(summary, 'model_name')
  if (named) return named
  const config = field(summary, 'config')
  const args = field(config, 'model_args')
  const given = isJsonObject(args)
    ? args
    : Object.fromEntries((typeof args === 'string' ? args : '').split(',').map((pair) => pair.split('=', 2)))
  const [first] = MODEL_ARGUMENTS.flatMap((name) => textField(given, name) || [])
  return first
}

function readSummary(text: string | undefined, task: string): Summary {
  let summary: unknown
  try {
    summary = text === undefined ? undefined : parseLooseJson(text)
  } catch {
    return { directions: {} }
  }
  const directions = field(field(summary, 'higher_is_better'), task)
  const date = field(summary, 'date')
  return {
    model: readModelName(summary),
    backend: textField(field(summary, 'config'), 'model') || undefined,
    version: textField(summary, 'lm_eval_version'),
    startedAt: typeof date === 'number' && Number.isFinite(date) ? Math.round(date * 1000) : undefined,
    directions: isJsonObject(directions) ? directions : {},
  }
}

/** Which metrics count downwards, and of which that is only assumed. */
function decideDirections(
  samples: readonly ForeignSample[],
  directions: Fields,
): { lowerIsBetter: Set<string>; assumed: Set<string> } {
  const lowerIsBetter = new Set<string>()
  const assumed = new Set<string>()
  for (const name of new Set(samples.flatMap(({ scores }) => [...scores.keys()].map(baseOf)))) {
    const flag = HIGHER_IN_ROWS.has(name) || directions[name]
    if (typeof flag === 'boolean') {
      if (!flag) lowerIsBetter.add(name)
    } else if (!HIGHER_IS_BETTER.test(name)) {
      assumed.add(name)
      if (LOWER_IS_BETTER.test(name)) lowerIsBetter.add(name)
    }
  }
  return { lowerIsBetter, assumed }
}

/** What one filter made of the answer, and how that was scored. */
interface FilteredRow {
  scores: [metric: string, value: unknown][]
  answer: string | undefined
  notes?: string
}

/** The answer is what the model wrote; what the filter made of it explains the score. */
function readAnswer(row: Fields, filter: string): Pick<FilteredRow, 'answer' | 'notes'> {
  const [written, filtered] = [readWritten(row), readResponses(row)]
  if (written === undefined || written === filtered) return { answer: filtered }
  return { answer: written, ...(filtered !== undefined && { notes: `${filter} read: ${filtered}` }) }
}

/** Rows are known by document and filter; the filters of a document are metrics of one sample. */
async function readSampleRows(file: ResultsFile, modelId: string): Promise<ForeignSample[]> {
  const samples = new Map<string, ForeignSample & { filters: Map<string, FilteredRow>; line: number }>()
  for await (const { line, value: row } of readRecordLines(file.read(), file.name)) {
    const place = `${file.name}:${line}`
    const id = idField(row, 'doc_id')
    if (id === undefined) throw new InputError(`${place}: has no doc_id`)
    const filter = textField(row, 'filter') ?? 'none'
    // Lists stay whole: they are what the harness computes a score of all documents from, such as gold and prediction.
    const scores = metricsOf(row).map((name): [string, unknown] => [name, field(row, name)])
    const read = readAnswer(row, filter)
    const known = samples.get(id)
    if (known?.filters.has(filter))
      throw new InputError(
        `${place}: doc_id ${id} with the filter ${JSON.stringify(filter)} is there twice (first in line ${known.line}); were two files joined?`,
      )
    if (known) known.filters.set(filter, file.keep({ scores, ...read }))
    else
      samples.set(
        id,
        file.keep({
          id,
          epoch: 1,
          modelId,
          prompt: writeDocument(row),
          expected: readTarget(row),
          ...readLabels((name) => field(field(row, 'doc'), name)),
          cluster: readCluster({ metadata: row, vars: field(row, 'doc') }, 'cluster'),
          ...read,
          scores: new Map(),
          filters: new Map([[filter, { scores, ...read }]]),
          line,
          place,
        }),
      )
  }
  const isFiltered = [...samples.values()].some(({ filters }) => filters.size > 1)
  return [...samples.values()].map(({ filters, line: _line, ...sample }) => {
    const metrics = [...filters].flatMap(([filter, { scores, ...read }]) =>
      scores.map(([name, value]) => ({ name: isFiltered ? `${name},${filter}` : name, value, read })),
    )
    return {
      ...sample,
      scores: new Map(metrics.map(({ name, value }) => [name, value])),
      byMetric: new Map(metrics.map(({ name, read }) => [name, read])),
    }
  })
}

/** The samples files of lm-evaluation-harness. */
export const lmEval: ResultsReader = {
  name: 'lm-eval',
  looksLike: 'samples of lm-evaluation-harness: JSON lines with doc_id and metrics',
  recognises(file) {
    const first = readFirstLine(file)
    return (
      first !== undefined &&
      Object.hasOwn(first, 'doc_id') &&
      ['resps', 'filtered_resps', 'arguments'].some((key) => Object.hasOwn(first, key))
    )
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const time = HARNESS_TIME.exec(file.name)?.[0]
    const stem = stemOf(file.name)
    const task = (time === undefined ? stem : stem.replace(`_${time}`, '')).replace(/^samples_/, '')
    const sibling = await file.findSibling((name) => isSummaryOf(name, file.name))
    const summary = readSummary(sibling?.text, task)
    const folder = file.folder?.includes('__') ? file.folder.replace('__', '/') : undefined
    const named = summary.model ?? folder ?? summary.backend
    const model = chosen ?? named
    const samples = await readSampleRows(file, model ?? stem)
    const { lowerIsBetter, assumed } = decideDirections(samples, summary.directions)
    return {
      format: 'lm-eval',
      tool: `lm-evaluation-harness${summary.version === undefined ? '' : ` ${summary.version}`}`,
      task,
      startedAt: summary.startedAt,
      samples,
      lowerIsBetter,
      assumedDirections: {
        metrics: assumed,
        reason: 'there is no results_….json of the same time that says so',
        remedy: 'put it beside the file, or choose both in the web app',
      },
      preferred: ['acc', 'exact_match'],
      // What the harness writes for tasks that it does not score.
      onlyIfNamed: new Set(['bypass']),
      isModelUnnamed: named === undefined,
      warnings:
        model === undefined
          ? [
              `${file.name}: samples files do not name their model, so it is called ${stem}; --model names it, and a results_….json beside the file is read`,
            ]
          : [],
    }
  },
}
