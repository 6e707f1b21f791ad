import type { CellResult, RunResult, TestCase } from '../../contract/index.ts'
import type { Report } from '../model/report.ts'
import type { ReportRow } from '../model/standings/report-row.ts'
import { sha256 } from '../model/sha256.ts'
import type { ReportFile, ReportFormat } from './report-format.ts'
import { writeZip } from './zip.ts'

/** The version of Inspect's log format that is written: https://inspect.aisi.org.uk/eval-logs.html */
const VERSION = 2
const SCORER = 'benchmaker'

const toTime = (milliseconds: number) => new Date(milliseconds).toISOString().replace(/\.\d+Z$/, '+00:00')
/** An id as Inspect has them: 22 letters and digits, the same for the same thing. */
const makeId = (...parts: string[]) => sha256(JSON.stringify(parts)).slice(0, 22)

function makeUsage({ promptTokens, completionTokens, cost }: CellResult) {
  if (promptTokens === undefined && completionTokens === undefined && cost === undefined) return undefined
  const [input, output] = [promptTokens ?? 0, completionTokens ?? 0]
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens: input + output,
    ...(cost !== undefined && { total_cost: cost }),
  }
}

const STOP_REASONS: Partial<Record<NonNullable<CellResult['outcome']>, string>> = {
  truncated: 'max_tokens',
  filtered: 'content_filter',
  refusal: 'content_filter',
}

function makeOutput(cell: CellResult, uuid: string) {
  const { modelId, response, toolCalls, outcome, latencyMs } = cell
  const usage = makeUsage(cell)
  if (response === undefined && !toolCalls) return { model: modelId, choices: [], completion: '' }
  const message = {
    id: makeId(uuid, 'answer'),
    content: response ?? '',
    source: 'generate',
    role: 'assistant',
    model: modelId,
    ...(toolCalls && {
      tool_calls: toolCalls.map(({ name, arguments: given }, index) => ({
        id: makeId(uuid, `call ${index}`),
        function: name,
        arguments: given,
        type: 'function',
      })),
    }),
  }
  return {
    model: modelId,
    choices: [{ message, stop_reason: (outcome && STOP_REASONS[outcome]) ?? (toolCalls ? 'tool_calls' : 'stop') }],
    completion: response ?? '',
    ...(usage && { usage }),
    ...(latencyMs !== undefined && { time: latencyMs / 1000 }),
  }
}

function makeInput({ prompt, messages }: Partial<Pick<TestCase, 'prompt' | 'messages'>>, uuid: string) {
  if (!messages) return prompt ?? ''
  return messages.map(({ role, content }, index) => ({
    id: makeId(uuid, `message ${index}`),
    role,
    content,
    source: 'input',
  }))
}

function makeScores({ score, response, unscored }: CellResult) {
  if (score) {
    const { score: value, notes } = score
    return {
      scores: {
        [SCORER]: {
          value,
          ...(response !== undefined && { answer: response }),
          ...(notes !== undefined && { explanation: notes }),
        },
      },
    }
  }
  return unscored ? { scores: {} } : {}
}

function makeSample(
  cell: CellResult,
  testCase: TestCase | undefined,
  { epoch, runId }: { epoch: number; runId: string },
) {
  const { testCaseId, modelId, error, latencyMs, unscored, outcome } = cell
  const uuid = makeId(runId, testCaseId, modelId)
  const { metadata, cluster, expectedOutput = '', weight } = testCase ?? {}
  const usage = makeUsage(cell)
  const seconds = latencyMs === undefined ? undefined : latencyMs / 1000
  const input = makeInput(testCase ?? {}, uuid)
  return {
    id: testCaseId,
    epoch,
    input,
    target: expectedOutput,
    messages:
      typeof input === 'string'
        ? [{ id: makeId(uuid, 'input'), content: input, source: 'input', role: 'user' }]
        : input,
    output: makeOutput(cell, uuid),
    ...makeScores(cell),
    metadata: {
      ...metadata,
      ...(cluster !== undefined && { cluster }),
      ...(weight !== undefined && weight !== 1 && { weight }),
      ...(unscored && { unscored: unscored.code }),
    },
    store: {},
    events: [],
    model_usage: usage ? { [modelId]: usage } : {},
    ...(seconds !== undefined && { total_time: seconds, working_time: seconds }),
    uuid,
    ...(error !== undefined && { error: { message: error, traceback: error, traceback_ansi: error } }),
    ...(outcome === 'error' &&
      error === undefined && { error: { message: 'error', traceback: '', traceback_ansi: '' } }),
    error_retries: [],
    attachments: {},
  }
}

type Sample = ReturnType<typeof makeSample>

/** The cells of one model in all runs, a run an epoch; what was never sent is no sample. */
function listSamples(runs: readonly RunResult[], modelId: string): Sample[] {
  return runs.flatMap(({ id: runId, results, testSuiteSnapshot }, run) => {
    const caseOf = new Map(testSuiteSnapshot?.testCases.map((testCase) => [testCase.id, testCase]))
    return results.flatMap((cell) =>
      cell.modelId === modelId &&
      cell.outcome !== 'cancelled' &&
      (cell.score || cell.unscored || cell.response !== undefined || cell.outcome)
        ? [makeSample(cell, caseOf.get(cell.testCaseId), { epoch: run + 1, runId })]
        : [],
    )
  })
}

function makeLog({ runs, title, scores }: Report, { modelId }: ReportRow) {
  const [first, last] = [runs[0]!, runs.at(-1)!]
  const samples = listSamples(runs, modelId)
  const ids = [...new Set(samples.map(({ id }) => id))]
  const started = toTime(first.startedAt ?? 0)
  const { temperature, topP, maxTokens } = first.parameters ?? {}
  const mean = scores.get(modelId)?.mean
  const scored = samples.filter((sample) => 'scores' in sample && Object.keys(sample.scores ?? {}).length > 0).length
  const usages = samples.flatMap(({ model_usage: own }) => Object.values(own))
  const sum = (field: 'input_tokens' | 'output_tokens' | 'total_tokens') =>
    usages.reduce((total, usage) => total + usage[field], 0)
  return {
    samples,
    header: {
      version: VERSION,
      status: 'success',
      eval: {
        eval_id: makeId(first.id, modelId, 'eval'),
        run_id: makeId(first.id),
        created: started,
        task: title,
        task_id: makeId(title, modelId),
        task_version: 0,
        task_attribs: {},
        task_args: {},
        dataset: { name: title, samples: ids.length, sample_ids: ids, shuffled: false },
        model: modelId,
        model_generate_config: {},
        model_args: {},
        config: { epochs: runs.length, epochs_reducer: ['mean'] },
        packages: { benchmaker: first.versions?.['benchmaker'] ?? 'unknown' },
        scorers: [{ name: SCORER, options: {}, metrics: [{ name: 'mean', options: {} }], metadata: {} }],
      },
      plan: {
        name: 'plan',
        steps: [{ solver: 'generate', params: {} }],
        config: {
          ...(temperature !== undefined && { temperature }),
          ...(topP !== undefined && { top_p: topP }),
          ...(maxTokens !== undefined && { max_tokens: maxTokens }),
        },
      },
      results: {
        total_samples: samples.length,
        completed_samples: samples.filter((sample) => !('error' in sample)).length,
        scores: [
          {
            name: SCORER,
            scorer: SCORER,
            scored_samples: scored,
            unscored_samples: samples.length - scored,
            params: {},
            metrics: mean === undefined ? {} : { mean: { name: 'mean', value: mean, params: {} } },
          },
        ],
      },
      stats: {
        started_at: started,
        completed_at: toTime(last.completedAt ?? last.startedAt ?? 0),
        model_usage:
          usages.length === 0
            ? {}
            : {
                [modelId]: {
                  input_tokens: sum('input_tokens'),
                  output_tokens: sum('output_tokens'),
                  total_tokens: sum('total_tokens'),
                },
              },
      },
    },
  }
}

/** The fields of `EvalSampleSummary` in inspect_ai/log/_log.py. */
const summarise = ({
  messages,
  output: _output,
  store: _store,
  events: _events,
  error_retries: _retries,
  attachments: _texts,
  ...sample
}: Sample) => ({
  ...sample,
  ...('error' in sample && { error: sample.error?.message }),
  retries: 0,
  completed: true,
  message_count: messages.length,
})

/** Inspect's archive of one model. */
function writeArchive(report: Report, row: ReportRow): Uint8Array {
  const { header, samples } = makeLog(report, row)
  const { version, eval: about, plan } = header
  const json = (value: unknown) => JSON.stringify(value, null, 2)
  return writeZip([
    { name: '_journal/start.json', text: json({ version, eval: about, plan }) },
    ...samples.map((sample) => ({ name: `samples/${sample.id}_epoch_${sample.epoch}.json`, text: json(sample) })),
    { name: 'summaries.json', text: json(samples.map(summarise)) },
    { name: 'header.json', text: json(header) },
  ])
}

/** A log of Inspect AI has one model: several models are several files. */
function writeFiles(report: Report): ReportFile[] {
  return report.rows.map((row) => ({ of: row.modelId, bytes: writeArchive(report, row) }))
}

/** As text, each log is a line. */
function writeJsonLogs(report: Report): string {
  return report.rows
    .map((row) => {
      const { header, samples } = makeLog(report, row)
      return `${JSON.stringify({ ...header, samples })}\n`
    })
    .join('')
}

export const inspectFormat: ReportFormat = {
  name: 'inspect',
  label: 'Inspect AI log',
  extension: '.eval',
  mediaType: 'application/zip',
  write: writeJsonLogs,
  writeFiles,
}
