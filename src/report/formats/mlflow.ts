import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/standings/report-row.ts'
import { sha256 } from '../model/sha256.ts'
import type { ReportFormat } from './report-format.ts'
import { writeZip, type ZipEntry } from './zip.ts'

/**
 * MLflow's file store, as `mlflow ui --backend-store-uri .` reads it in its folder: relative addresses of artifacts are from
 * where MLflow runs (mlflow/utils/uri.py, `resolve_uri_if_local`). https://mlflow.org/docs/latest/tracking.html
 */
const FINISHED = 3

/** JSON texts are YAML texts too. */
const yaml = (values: Record<string, string | number | null | object>) =>
  Object.entries(values)
    .map(([key, value]) => `${key}: ${JSON.stringify(value)}\n`)
    .join('')

function listMetrics(
  report: Report,
  { score, modelId, cost, isCostKnown, medianLatencyMs, errors, unscored }: ReportRow,
) {
  const price = report.costs?.models.find((model) => model.modelId === modelId)?.cost?.mean
  return {
    score: score?.mean,
    score_low: score?.low,
    score_high: score?.high,
    pass_rate: score?.passRate,
    scored: score?.count,
    errors,
    unscored,
    cost_usd: isCostKnown ? cost.total : undefined,
    cost_per_answer_usd: price,
    median_latency_ms: medianLatencyMs,
  }
}

function writeAnswers({ cases }: Report, modelId: string): string {
  const columns = [
    'run',
    'case',
    'inputs',
    'targets',
    'outputs',
    'score',
    'passed',
    'notes',
    'model',
    'outcome',
    'error',
    'unscored',
  ]
  const data = cases.flatMap(({ id, prompt, expectedOutput, cells }) =>
    cells
      .filter((cell) => cell.modelId === modelId)
      .flatMap(({ answers }) => answers)
      .map(({ runId, score, passed, response, outcome, error, unscored }) =>
        [
          runId,
          id,
          prompt,
          expectedOutput,
          response,
          score?.score,
          passed,
          score?.notes,
          modelId,
          outcome,
          error,
          unscored?.message,
        ].map((value) => value ?? null),
      ),
  )
  return JSON.stringify({ columns, data })
}

function listRunFiles(report: Report, row: ReportRow, experiment: string): ZipEntry[] {
  const { runs } = report
  const [first, last] = [runs[0]!, runs.at(-1)!]
  const { modelId } = row
  const id = sha256(JSON.stringify([runs.map((run) => run.id), modelId])).slice(0, 32)
  const folder = `${experiment}/${id}`
  const [start, end] = [first.startedAt ?? 0, last.completedAt ?? last.startedAt ?? 0]
  const params = {
    model: modelId,
    suite: report.title,
    runs: String(runs.length),
    ...(first.judgeModel !== undefined && { judge: first.judgeModel }),
  }
  const tags = {
    'mlflow.runName': modelId,
    'mlflow.source.name': 'benchmaker',
    'benchmaker.runs': runs.map((run) => run.id).join(', '),
  }
  return [
    {
      name: `${folder}/meta.yaml`,
      text: yaml({
        artifact_uri: `./${folder}/artifacts`,
        end_time: end,
        entry_point_name: '',
        experiment_id: experiment,
        lifecycle_stage: 'active',
        run_id: id,
        run_name: modelId,
        run_uuid: id,
        source_name: 'benchmaker',
        source_type: 4,
        source_version: '',
        start_time: start,
        status: FINISHED,
        tags: [],
        user_id: 'benchmaker',
      }),
    },
    ...Object.entries(listMetrics(report, row)).flatMap(([name, value]) =>
      value === undefined ? [] : [{ name: `${folder}/metrics/${name}`, text: `${end} ${value} 0\n` }],
    ),
    ...Object.entries(params).map(([name, text]) => ({ name: `${folder}/params/${name}`, text })),
    ...Object.entries(tags).map(([name, text]) => ({ name: `${folder}/tags/${name}`, text })),
    { name: `${folder}/artifacts/eval_results_table.json`, text: writeAnswers(report, modelId) },
  ]
}

/** One experiment with a run for each model. */
function writeStore(report: Report): Uint8Array {
  const { runs, title, rows } = report
  // As long as MLflow makes them, and the same for the same suite.
  const experiment = String(BigInt(`0x${sha256(title).slice(0, 14)}`) + 10n ** 17n).slice(0, 18)
  const time = runs[0]?.startedAt ?? 0
  return writeZip([
    {
      name: `${experiment}/meta.yaml`,
      text: yaml({
        artifact_location: `./${experiment}`,
        creation_time: time,
        experiment_id: experiment,
        last_update_time: time,
        lifecycle_stage: 'active',
        name: title,
      }),
    },
    ...rows.flatMap((row) => listRunFiles(report, row, experiment)),
  ])
}

/** As text: what the REST API takes to log each run, a line a model. */
function writeRuns(report: Report): string {
  const { runs, title, rows } = report
  const end = runs.at(-1)?.completedAt ?? runs.at(-1)?.startedAt ?? 0
  return rows
    .map((row) => {
      const metrics = Object.entries(listMetrics(report, row)).flatMap(([key, value]) =>
        value === undefined ? [] : [{ key, value, timestamp: end, step: 0 }],
      )
      const params = [
        { key: 'model', value: row.modelId },
        { key: 'suite', value: title },
      ]
      return `${JSON.stringify({ run_name: row.modelId, experiment: title, metrics, params })}\n`
    })
    .join('')
}

export const mlflowFormat: ReportFormat = {
  name: 'mlflow',
  label: 'MLflow file store',
  extension: '.mlflow.zip',
  mediaType: 'application/zip',
  write: writeRuns,
  writeFiles: (report) => [{ bytes: writeStore(report) }],
}
