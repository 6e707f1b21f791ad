import { asText } from '../../../contract/index.ts'
import { outcomeSchema } from '../../../contract/runs/run.ts'
import { splitJson } from '../../text/split-json.ts'
import type { ForeignSample, ResultsReader } from '../foreign-results.ts'
import { stemOf } from '../results-file.ts'
import { listTopKeys } from '../top-keys.ts'

/** The columns that our own tables have in Weights & Biases and MLflow, and those by which others are known. */
const COLUMNS = {
  id: ['case', 'id', 'sample_id', 'inputs_id', 'request_id'],
  run: ['run', 'epoch', 'trial'],
  model: ['model', 'model_name'],
  score: ['score', 'correct', 'exact_match/v1/score', 'exact_match/score'],
  prompt: ['prompt', 'inputs', 'input', 'question'],
  expected: ['expected', 'targets', 'target', 'ground_truth'],
  answer: ['answer', 'outputs', 'output', 'prediction', 'predictions'],
  notes: ['notes', 'justification', 'explanation'],
  outcome: ['outcome'],
  error: ['error'],
  unscored: ['unscored'],
  passed: ['passed'],
  cost: ['cost'],
  latencyMs: ['latencyMs', 'latency_ms'],
  promptTokens: ['promptTokens'],
  completionTokens: ['completionTokens'],
} as const

type Field = keyof typeof COLUMNS

const textOf = (value: unknown): string | undefined =>
  value === null || value === undefined ? undefined : asText(value)
const numberOf = (value: unknown): number | undefined => (typeof value === 'number' ? value : undefined)

function placeColumns(columns: readonly unknown[]): Map<Field, number> {
  const places = new Map<Field, number>()
  for (const [field, names] of Object.entries(COLUMNS)) {
    const place = names.map((name) => columns.indexOf(name)).find((at) => at >= 0)
    if (place !== undefined) places.set(field as Field, place)
  }
  return places
}

/** A table of answers as Weights & Biases and MLflow keep it: JSON with the names of its columns and rows of values. */
export const columnsTable: ResultsReader = {
  name: 'columns-table',
  looksLike: 'a table of Weights & Biases or MLflow: JSON with columns and data, of which one is a score',
  async recognises(file) {
    const keys = await listTopKeys(file)
    if (!keys.has('columns') || !keys.has('data')) return false
    const [columns] = /"columns"\s*:\s*\[[^\]]*\]/.exec(file.start.toString('utf8')) ?? []
    return columns !== undefined && COLUMNS.score.some((name) => columns.includes(JSON.stringify(name)))
  },
  async read(file, { model: chosen }) {
    const rows: unknown[][] = []
    let columns: unknown[] = []
    const parts = splitJson(file.read(), {
      name: file.name,
      decide: ([key, inner]) =>
        key === undefined || (key === 'data' && inner === undefined)
          ? 'enter'
          : key === 'columns' || key === 'data'
            ? 'take'
            : 'skip',
    })
    for await (const { kind, path, ...part } of parts) {
      if (kind !== 'value' || !('value' in part) || !Array.isArray(part.value)) continue
      if (path[0] === 'columns') columns = part.value
      else rows.push(file.keep(part.value))
    }
    const places = placeColumns(columns)
    const epochs = new Map<string, number>()
    // What was stopped before it was asked is no answer.
    const asked = rows.filter((row) => row[places.get('outcome') ?? -1] !== 'cancelled')
    const samples = asked.map((row, index): ForeignSample => {
      const get = (field: Field) => row[places.get(field) ?? -1]
      const run = textOf(get('run')) ?? ''
      const epoch = epochs.get(run) ?? epochs.size + 1
      epochs.set(run, epoch)
      const outcome = outcomeSchema.safeParse(get('outcome')).data
      const passed = get('passed')
      const isFailed = outcome === 'error' || outcome === 'timeout'
      return {
        id: textOf(get('id')) ?? `row-${index + 1}`,
        epoch,
        modelId: textOf(get('model')) ?? chosen ?? stemOf(file.name),
        prompt: textOf(get('prompt')),
        expected: textOf(get('expected')),
        answer: textOf(get('answer')),
        error: textOf(get('error')) ?? (isFailed ? outcome : undefined),
        outcome,
        unscored: textOf(get('unscored')),
        scores: new Map([['score', get('score')]]),
        ...(typeof passed === 'boolean' && { passed }),
        notes: textOf(get('notes')),
        cost: numberOf(get('cost')),
        latencyMs: numberOf(get('latencyMs')),
        promptTokens: numberOf(get('promptTokens')),
        completionTokens: numberOf(get('completionTokens')),
        place: `${file.name}: row ${index + 1}`,
      }
    })
    return {
      format: 'columns-table',
      tool: 'a table of columns',
      task: stemOf(file.name).replace(/\.table$/, ''),
      samples,
      isModelUnnamed: !places.has('model'),
      warnings:
        places.has('model') || chosen !== undefined ? [] : [`${file.name}: does not name its model; --model names it`],
    }
  },
}
