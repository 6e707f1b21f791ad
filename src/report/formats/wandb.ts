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
  'error',
  'unscored',
  'promptTokens',
  'completionTokens',
]

/** A table as Weights & Biases stores it: `wandb.Table` reads it back, artifacts show it. */
function writeTable({ cases }: Report): string {
  const data = cases.flatMap(({ id, prompt, expectedOutput, cells }) =>
    cells
      .flatMap(({ answers }) => answers)
      .map((answer) =>
        [
          answer.runId,
          id,
          answer.modelId,
          answer.score?.score,
          answer.passed,
          answer.outcome,
          prompt,
          expectedOutput,
          answer.response,
          answer.score?.notes,
          answer.cost,
          answer.latencyMs,
          answer.error,
          answer.unscored?.message,
          answer.promptTokens,
          answer.completionTokens,
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
