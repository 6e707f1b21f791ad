import type { CellResult, RunResult, TestCase, Variant } from '../../contract/index.ts'
import { findVariant, questionOf } from '../../scoring/index.ts'
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

function makeAnswer({ modelId, response, toolCalls }: CellResult, uuid: string) {
  if (response === undefined && !toolCalls) return undefined
  return {
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
}

function makeOutput(cell: CellResult, message: ReturnType<typeof makeAnswer>) {
  const { modelId, response, toolCalls, outcome, latencyMs } = cell
  const usage = makeUsage(cell)
  if (!message) return { model: modelId, choices: [], completion: '' }
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

interface Asked {
  testCase: TestCase | undefined
  systemPrompt: string | undefined
  epoch: number
  runId: string
}

function makeSample(cell: CellResult, { testCase, systemPrompt, epoch, runId }: Asked) {
  const { testCaseId, modelId, error, latencyMs, unscored, outcome } = cell
  const uuid = makeId(runId, testCaseId, modelId)
  const { metadata, cluster, expectedOutput = '', weight } = testCase ?? {}
  const usage = makeUsage(cell)
  const seconds = latencyMs === undefined ? undefined : latencyMs / 1000
  const input = makeInput(testCase ?? {}, uuid)
  const answer = makeAnswer(cell, uuid)
  return {
    id: testCaseId,
    epoch,
    input,
    target: expectedOutput,
    messages: [
      ...(systemPrompt === undefined
        ? []
        : [{ id: makeId(uuid, 'system'), content: systemPrompt, role: 'system' as const }]),
      ...(typeof input === 'string'
        ? [{ id: makeId(uuid, 'input'), content: input, source: 'input', role: 'user' as const }]
        : input),
      ...(answer ? [answer] : []),
    ],
    output: makeOutput(cell, answer),
    ...makeScores(cell),
    metadata: {
      ...metadata,
      ...(cluster !== undefined && { cluster }),
      ...(weight !== undefined && weight !== 1 && { weight }),
      // What Inspect has no field for; the importer reads it back.
      benchmaker: { ...(outcome && { outcome }), ...(unscored && { unscored }) },
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

/** The case with the question that a variant asks instead. */
const askedOf = (testCase: TestCase | undefined, variant: Variant | undefined): TestCase | undefined => {
  if (!testCase || !variant) return testCase
  const { prompt: _prompt, messages: _messages, ...others } = testCase
  return { ...others, ...questionOf(testCase, variant) }
}

/** Readers take a name that leads out of the archive for an attack. */
const nameEntry = ({ id, epoch }: Pick<Sample, 'id' | 'epoch'>): string =>
  `samples/${id.replaceAll(/(?<![^/\\])\.\.(?![^/\\])/g, '__').replaceAll('\0', '_')}_epoch_${epoch}.json`

type Sample = ReturnType<typeof makeSample>

/** The cells of one model in all runs, a run an epoch; what was never sent is no sample. */
function listSamples(runs: readonly RunResult[], modelId: string): Sample[] {
  return runs.flatMap(({ id: runId, results, testSuiteSnapshot }, run) => {
    const { testCases = [], variants = [], systemPrompt: shared } = testSuiteSnapshot ?? {}
    const caseOf = new Map(testCases.map((testCase) => [testCase.id, testCase]))
    const variant = findVariant(variants, modelId)
    const systemPrompt = variant?.systemPrompt ?? shared
    return results.flatMap((cell) =>
      cell.modelId === modelId &&
      cell.outcome !== 'cancelled' &&
      (cell.score || cell.unscored || cell.response !== undefined || cell.outcome)
        ? [
            makeSample(cell, {
              testCase: askedOf(caseOf.get(cell.testCaseId), variant),
              systemPrompt,
              epoch: run + 1,
              runId,
            }),
          ]
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
const summariseSample = ({
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
    ...samples.map((sample) => ({ name: nameEntry(sample), text: json(sample) })),
    { name: 'summaries.json', text: json(samples.map(summariseSample)) },
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
