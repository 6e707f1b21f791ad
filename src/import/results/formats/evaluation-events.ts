import { outcomeSchema } from '../../../contract/runs/run.ts'
import { readLogRecords, type LogRecord } from '../../text/otlp-values.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import type { ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { stemOf } from '../results-file.ts'

const EVENT = 'gen_ai.evaluation.result'

const text = ({ attributes }: LogRecord, name: string): string | undefined => {
  const value = attributes[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
const number = ({ attributes }: LogRecord, name: string): number | undefined => {
  const value = attributes[name]
  return typeof value === 'number' ? value : undefined
}

async function readEvents(file: ResultsFile): Promise<LogRecord[]> {
  const found: LogRecord[] = []
  for await (const { value } of readRecordLines(file.read(), file.name))
    found.push(...readLogRecords(value).filter(({ name }) => name === EVENT))
  return found
}

/** The answer that an event is about: a case of ours, else the response, else the span. */
const subjectOf = (event: LogRecord): string | undefined =>
  text(event, 'benchmaker.case.id') ?? text(event, 'gen_ai.response.id') ?? event.span

/** What failed there: a kind of outcome, or why there is no score. */
function readFailure(event: LogRecord): Pick<ForeignSample, 'error' | 'outcome' | 'unscored'> {
  const type = text(event, 'error.type')
  const own = outcomeSchema.safeParse(event.attributes['benchmaker.outcome']).data
  if (type === undefined) return { outcome: own }
  const outcome = outcomeSchema.safeParse(type).data
  const message = text(event, 'error.message') ?? type
  return outcome === undefined ? { unscored: message, outcome: own } : { error: message, outcome }
}

/** OpenTelemetry's events of evaluations, as OTLP JSON: an object, or one a line. */
export const evaluationEvents: ResultsReader = {
  name: 'evaluation-events',
  looksLike: `OpenTelemetry events of evaluations: OTLP JSON with ${EVENT}`,
  recognises: (file) => {
    const start = file.start.toString('utf8')
    return start.includes('"resourceLogs"') && start.includes(`"${EVENT}"`)
  },
  async read(file, { model: chosen }) {
    const events = await readEvents(file)
    const byAnswer = Map.groupBy(events, (event) =>
      JSON.stringify([text(event, 'benchmaker.run.id'), subjectOf(event), text(event, 'gen_ai.request.model')]),
    )
    const runs = [...new Set(events.map((event) => text(event, 'benchmaker.run.id')))]
    // Each answer has one evaluation: it is the score, whatever method each case has.
    const isOne = [...byAnswer.values()].every(({ length }) => length === 1)
    const samples = [...byAnswer.values()].map((own, index): ForeignSample => {
      const [event] = own
      const subject = subjectOf(event!)
      return {
        id: subject ?? `event-${index + 1}`,
        epoch: runs.indexOf(text(event!, 'benchmaker.run.id')) + 1,
        modelId:
          text(event!, 'gen_ai.request.model') ?? text(event!, 'gen_ai.response.model') ?? chosen ?? 'unknown model',
        ...readFailure(event!),
        scores: new Map(
          own.map((one) => [
            isOne ? 'score' : (text(one, 'gen_ai.evaluation.name') ?? 'score'),
            number(one, 'gen_ai.evaluation.score.value'),
          ]),
        ),
        ...readPassed(own),
        notes: own.map((one) => text(one, 'gen_ai.evaluation.explanation')).find((note) => note !== undefined),
        cost: number(event!, 'benchmaker.cost'),
        latencyMs: number(event!, 'benchmaker.latency_ms'),
        promptTokens: number(event!, 'gen_ai.usage.input_tokens'),
        completionTokens: number(event!, 'gen_ai.usage.output_tokens'),
        place: `${file.name}: event ${index + 1}`,
      }
    })
    return {
      format: 'evaluation-events',
      tool: 'OpenTelemetry',
      task: events[0]?.resource['benchmaker.suite.name']?.toString() ?? stemOf(file.name),
      samples,
      warnings: [],
    }
  },
}

function readPassed(events: readonly LogRecord[]): Pick<ForeignSample, 'passed'> {
  const label = events.length === 1 ? text(events[0]!, 'gen_ai.evaluation.score.label')?.toLowerCase() : undefined
  if (label === 'pass' || label === 'passed') return { passed: true }
  return label === 'fail' || label === 'failed' ? { passed: false } : {}
}
