import { hasPassed, readPassMarks, type CellResult, type PassMark, type RunResult } from '../../contract/index.ts'
import type { Report } from '../model/report.ts'
import type { ReportFormat } from './report-format.ts'

/** The event of the semantic conventions for generative AI: https://opentelemetry.io/docs/specs/semconv/gen-ai/ */
const EVENT = 'gen_ai.evaluation.result'
const INFO = 9
const ERROR = 17

type Value = string | number | boolean | undefined

/** As OTLP writes them in JSON: 64-bit numbers are texts. */
function attributes(values: Record<string, Value>) {
  return Object.entries(values).flatMap(([key, value]) =>
    value === undefined
      ? []
      : [
          {
            key,
            value:
              typeof value === 'number'
                ? { doubleValue: value }
                : typeof value === 'boolean'
                  ? { boolValue: value }
                  : { stringValue: value },
          },
        ],
  )
}

const toNano = (milliseconds: number) => `${BigInt(Math.round(milliseconds)) * 1_000_000n}`

function makeRecord(run: RunResult, cell: CellResult, { method, mark }: { method: string; mark: PassMark }) {
  const { testCaseId, modelId, score, unscored, error, outcome, servedBy } = cell
  const time = toNano(run.completedAt ?? run.startedAt ?? 0)
  const isFailed = !score
  return {
    timeUnixNano: time,
    observedTimeUnixNano: time,
    severityNumber: isFailed ? ERROR : INFO,
    severityText: isFailed ? 'ERROR' : 'INFO',
    eventName: EVENT,
    body: { stringValue: score?.notes ?? unscored?.message ?? error ?? '' },
    attributes: attributes({
      'gen_ai.evaluation.name': method,
      'gen_ai.evaluation.score.value': score?.score,
      'gen_ai.evaluation.score.label': score && (hasPassed(score, mark) ? 'pass' : 'fail'),
      'gen_ai.evaluation.explanation': score?.notes ?? unscored?.message,
      'gen_ai.request.model': modelId,
      'gen_ai.provider.name': servedBy,
      'error.type': isFailed ? (unscored?.code ?? outcome ?? 'error') : undefined,
      'error.message': isFailed ? (unscored?.message ?? error) : undefined,
      'gen_ai.usage.input_tokens': cell.promptTokens,
      'gen_ai.usage.output_tokens': cell.completionTokens,
      'benchmaker.run.id': run.id,
      'benchmaker.case.id': testCaseId,
      'benchmaker.outcome': outcome,
      'benchmaker.cost': cell.cost,
      'benchmaker.latency_ms': cell.latencyMs,
    }),
  }
}

function listRecords(run: RunResult) {
  const suite = run.testSuiteSnapshot
  const methodOf = new Map(
    suite?.testCases.map(({ id, scoringMethod, checks }) => [
      id,
      scoringMethod ?? checks?.map((check) => check.scoringMethod).join(', ') ?? 'score',
    ]),
  )
  const markOf = readPassMarks(suite)
  return run.results
    .filter(({ score, unscored, outcome }) => score || unscored || (outcome && outcome !== 'cancelled'))
    .map((cell) =>
      makeRecord(run, cell, { method: methodOf.get(cell.testCaseId) ?? 'score', mark: markOf(cell.testCaseId) }),
    )
}

/** An export request of logs, as a collector's OTLP receiver takes it: one event for each answer. */
function writeOpenTelemetry({ runs, title }: Report): string {
  const version = runs[0]?.versions?.['benchmaker']
  const document = {
    resourceLogs: [
      {
        resource: { attributes: attributes({ 'service.name': 'benchmaker', 'benchmaker.suite.name': title }) },
        scopeLogs: [
          {
            scope: { name: 'benchmaker', ...(version !== undefined && { version }) },
            logRecords: runs.flatMap(listRecords),
          },
        ],
      },
    ],
  }
  return `${JSON.stringify(document)}\n`
}

export const openTelemetryFormat: ReportFormat = {
  name: 'open-telemetry',
  label: 'OpenTelemetry events',
  extension: '.otlp.json',
  mediaType: 'application/json',
  write: writeOpenTelemetry,
}
