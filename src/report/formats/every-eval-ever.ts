import type { RunResult } from '../../contract/index.ts'
import { listJudges } from '../model/verdict/judge-notes.ts'
import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/standings/report-row.ts'
import { findSuiteHash } from '../model/repeating.ts'
import { sha256 } from '../model/sha256.ts'
import type { ReportFormat } from './report-format.ts'

/** The version of the schema that is written: https://github.com/evaleval/every_eval_ever */
const SCHEMA_VERSION = '0.3.0'

const toSeconds = (milliseconds: number) => String(Math.floor(milliseconds / 1000))

/** Values must be texts. */
function details(values: Record<string, string | number | undefined>): Record<string, string> {
  return Object.fromEntries(
    Object.entries(values).flatMap(([key, value]) => (value === undefined ? [] : [[key, String(value)]])),
  )
}

function makeModelInfo(id: string, isSimulated = id.startsWith('demo/')) {
  const [developer = ''] = id.split('/')
  return {
    name: id,
    id,
    ...(id.includes('/') && developer !== '' && { developer }),
    ...(id.includes('/') && { inference_platform: developer }),
    additional_details: {
      deployment_type: 'unknown',
      model_availability: 'unknown',
      ...(isSimulated && { simulated: 'true' }),
    },
  }
}

function makeLlmScoring({ runs }: Report) {
  const judges = listJudges(runs)
  if (judges.length === 0) return undefined
  const { request, versions, testSuiteSnapshot } = runs[0]!
  const prompt = versions?.['judgePrompt'] ?? 'unknown'
  const instructions = testSuiteSnapshot?.judgeSystemPrompt
  return {
    judges: judges.map((id) => ({ model_info: makeModelInfo(id) })),
    input_prompt: instructions === undefined ? `benchmaker ${prompt}` : `benchmaker ${prompt}\n\n${instructions}`,
    ...(judges.length > 1 && {
      aggregation_method: request?.combineJudges === 'median' ? 'median' : 'average',
    }),
    additional_details: details({ prompt_version: prompt }),
  }
}

function makeGenerationConfig({ parameters }: RunResult) {
  if (!parameters) return undefined
  const { temperature, topP, maxTokens, frequencyPenalty, presencePenalty, benchmarkMode } = parameters
  return {
    generation_args: { temperature: benchmarkMode ? 0 : temperature, top_p: topP, max_tokens: maxTokens },
    additional_details: details({
      frequency_penalty: frequencyPenalty,
      presence_penalty: presencePenalty,
      benchmark_mode: String(benchmarkMode),
    }),
  }
}

function makeConfidenceInterval(low: number, high: number, method: string) {
  return { lower: low, upper: high, confidence_level: 0.95, method }
}

/** The mean score and the pass rate of one model. A model without a score has neither: a 0 would be a lie. */
function makeResults(report: Report, { modelId, score, unscored, errors, notRun, missing, cached }: ReportRow) {
  if (!score) return []
  const { runs, title, caseCount } = report
  const overCases = report.series.find((stats) => stats.modelId === modelId)?.overCases
  const run = runs[0]!
  const judging = makeLlmScoring(report)
  const generation = makeGenerationConfig(run)
  const common = {
    source_data: {
      dataset_name: title,
      source_type: 'other',
      additional_details: details({ suite_sha256: findSuiteHash(report), cases: caseCount }),
    },
    ...(run.startedAt !== undefined && { evaluation_timestamp: toSeconds(run.startedAt) }),
    ...(generation && { generation_config: generation }),
  }
  const counts = details({
    runs: runs.length,
    answers_scored: score.count,
    unscored,
    errors,
    not_run: notRun,
    missing_reasons: missing && JSON.stringify(missing.reasons),
    answers_from_cache: cached?.count,
    answers_in_all: cached?.of,
    oldest_from_cache_ms: cached && cached.count > 0 ? cached.maxAgeMs : undefined,
  })
  const idOf = (metric: string) => `${sha256(JSON.stringify([runs.map(({ id }) => id), modelId, metric])).slice(0, 32)}`
  return [
    {
      evaluation_result_id: idOf('mean'),
      evaluation_name: title,
      ...common,
      metric_config: {
        metric_id: 'benchmaker.mean_score',
        metric_name: 'Mean score',
        metric_kind: 'score',
        metric_unit: 'proportion',
        evaluation_description: 'Weighted mean of the scores of all cases; answers without a score are left out.',
        lower_is_better: false,
        score_type: 'continuous',
        min_score: 0,
        max_score: 1,
        ...(judging && { llm_scoring: judging }),
      },
      score_details: {
        score: score.mean,
        details: counts,
        uncertainty: {
          confidence_interval: makeConfidenceInterval(score.low, score.high, score.method),
          ...(overCases && { standard_deviation: overCases.stdDev }),
          num_samples: Math.round(score.n),
        },
      },
    },
    {
      evaluation_result_id: idOf('pass-rate'),
      evaluation_name: title,
      ...common,
      metric_config: {
        metric_id: 'benchmaker.pass_rate',
        metric_name: 'Pass rate',
        metric_kind: 'pass_rate',
        metric_unit: 'proportion',
        evaluation_description: 'Weighted share of cases whose score reaches the pass mark.',
        lower_is_better: false,
        score_type: 'continuous',
        min_score: 0,
        max_score: 1,
      },
      score_details: {
        score: score.passRate,
        details: { ...counts, answers_passed: String(score.passed) },
        uncertainty: {
          confidence_interval: makeConfidenceInterval(...score.passRateConfidence95, 'clopper-pearson'),
          num_samples: Math.round(score.n),
        },
      },
    },
  ]
}

/** In a comparison, rows are named by model and run. */
function findModelId({ comparison }: Report, { modelId }: ReportRow): string {
  for (const { before, after, labels } of comparison?.pairs ?? []) {
    if (labels[0] === modelId) return before
    if (labels[1] === modelId) return after
  }
  return modelId
}

function makeRecord(report: Report, row: ReportRow) {
  const { runs, title, cost, isCostKnown } = report
  const last = runs.at(-1)!
  // The clock is not read here: a record of the same runs is the same each time.
  const created = toSeconds(last.completedAt ?? last.startedAt ?? 0)
  const { versions = {} } = last
  return {
    schema_version: SCHEMA_VERSION,
    evaluation_id: `${title}/${row.modelId}/${created}`,
    ...(runs[0]!.startedAt !== undefined && { evaluation_timestamp: toSeconds(runs[0]!.startedAt) }),
    retrieved_timestamp: created,
    source_metadata: {
      source_name: 'Benchmaker',
      source_type: 'evaluation_run',
      source_organization_name: 'unknown',
      evaluator_relationship: 'other',
      additional_details: details({
        runs: runs.map(({ id }) => id).join(', '),
        cost_usd: isCostKnown ? cost.total : undefined,
      }),
    },
    eval_library: {
      name: 'benchmaker',
      version: versions['benchmaker'] ?? 'unknown',
      additional_details: details({
        ...(versions['importedFrom'] !== undefined && { imported_from: versions['importedFrom'] }),
      }),
    },
    model_info: { ...makeModelInfo(findModelId(report, row), row.isSimulated), name: row.modelId },
    evaluation_results: makeResults(report, row),
  }
}

/** One record a line, one for each model with a score: the schema has one model a record. */
function writeEveryEvalEver(report: Report): string {
  return report.rows
    .filter(({ score }) => score)
    .map((row) => `${JSON.stringify(makeRecord(report, row))}\n`)
    .join('')
}

export const everyEvalEverFormat: ReportFormat = {
  name: 'every-eval-ever',
  label: 'Every Eval Ever',
  extension: '.eee.jsonl',
  mediaType: 'application/jsonl',
  write: writeEveryEvalEver,
}
