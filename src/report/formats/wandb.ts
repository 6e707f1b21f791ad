import type { Report } from '../model/report.ts'
import type { ReportFormat } from './report-format.ts'

const COLUMNS = [
  'run',
  'case',
  'model',
  'score',
  'passed',
  'outcome',
  'prompt',
  'expected',
  'answer',
  'notes',
  'cost',
  'latencyMs',
]

/** A table as Weights & Biases stores it: `wandb.Table` reads it back, artifacts show it. */
function writeTable({ cases }: Report): string {
  const data = cases.flatMap(({ id, prompt, expectedOutput, cells }) =>
    cells
      .flatMap(({ answers }) => answers)
      .map(({ runId, modelId, score, passed, outcome, response, cost, latencyMs }) =>
        [
          runId,
          id,
          modelId,
          score?.score,
          passed,
          outcome,
          prompt,
          expectedOutput,
          response,
          score?.notes,
          cost,
          latencyMs,
        ].map((value) => value ?? null),
      ),
  )
  return `${JSON.stringify({ columns: COLUMNS, data, ncols: COLUMNS.length, nrows: data.length })}\n`
}

export const wandbFormat: ReportFormat = {
  name: 'wandb',
  label: 'Weights & Biases table',
  extension: '.table.json',
  mediaType: 'application/json',
  write: writeTable,
}
