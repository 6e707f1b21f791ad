import { randomUUID } from 'node:crypto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import {
  cellName,
  InputError,
  type CellKey,
  type RequestMessage,
  type AttemptEnd,
  type ModelAnswer,
} from '../contract/index.ts'
import type { RunEvent, ModelCall } from '../services/index.ts'
import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Meter,
  type Span,
  type Tracer,
  type Attributes,
} from '@opentelemetry/api'

/**
 * The names of OpenTelemetry's semantic conventions for generative AI (gen-ai-spans, gen-ai-metrics). Written out
 * here: their package marks all of them as experimental and may drop any.
 */
const TOKEN_USAGE = 'gen_ai.client.token.usage'
const OPERATION_DURATION = 'gen_ai.client.operation.duration'
export const TOKEN_BUCKETS = [
  1, 4, 16, 64, 256, 1024, 4096, 16_384, 65_536, 262_144, 1_048_576, 4_194_304, 16_777_216, 67_108_864,
]
export const DURATION_BUCKETS = [0.01, 0.02, 0.04, 0.08, 0.16, 0.32, 0.64, 1.28, 2.56, 5.12, 10.24, 20.48, 40.96, 81.92]

/** Our name for a provider, where the conventions have another. */
const providerNames: Record<string, string> = { google: 'gcp.gemini' }

function operationOf({ request }: ModelCall): 'chat' | 'embeddings' {
  return request.embed ? 'embeddings' : 'chat'
}

/** The provider's own name for the model. */
function modelOf({ provider, request: { modelId } }: ModelCall): string {
  const prefix = `${provider}/`
  return modelId.startsWith(prefix) ? modelId.slice(prefix.length) : modelId
}

function nameCall(call: ModelCall): string {
  return `${operationOf(call)} ${modelOf(call)}`
}

/** `error.type`: the HTTP status if there is one; undefined if the call returned an answer. */
function errorTypeOf({ outcome, httpStatus }: AttemptEnd): string | undefined {
  if (httpStatus !== undefined) return String(httpStatus)
  return outcome === 'error' || outcome === 'timeout' || outcome === 'cancelled' ? outcome : undefined
}

function withoutUndefined(attributes: Attributes): Attributes {
  return Object.fromEntries(Object.entries(attributes).filter(([, value]) => value !== undefined))
}

function serverAttributes({ address }: ModelCall): Attributes {
  const url = address === undefined ? null : URL.parse(address)
  if (!url) return {}
  const port = Number(url.port) || (url.protocol === 'http:' ? 80 : 443)
  return { 'server.address': url.hostname, 'server.port': port }
}

/** What spans and metrics of a call have in common. Few values each: a metric keeps a series for every combination. */
function operationAttributes(call: ModelCall, end: AttemptEnd): Attributes {
  const provider = providerNames[call.provider] ?? call.provider
  return withoutUndefined({
    'gen_ai.operation.name': operationOf(call),
    'gen_ai.provider.name': provider,
    'gen_ai.request.model': modelOf(call),
    'gen_ai.response.model': call.answer?.servedModel,
    ...serverAttributes(call),
    'error.type': errorTypeOf(end),
  })
}

function callAttributes(call: ModelCall, end: AttemptEnd): Attributes {
  const { parameters } = call.request
  const { answer } = call
  const operation = operationAttributes(call, end)
  return withoutUndefined({
    ...operation,
    // Its name until version 1.37 of the conventions, which many tools still read.
    'gen_ai.system': operation['gen_ai.provider.name'],
    'gen_ai.request.temperature': parameters.temperature,
    'gen_ai.request.top_p': parameters.topP,
    'gen_ai.request.max_tokens': parameters.maxTokens,
    'gen_ai.request.frequency_penalty': parameters.frequencyPenalty,
    'gen_ai.request.presence_penalty': parameters.presencePenalty,
    'gen_ai.response.finish_reasons': answer?.finishReason === undefined ? undefined : [answer.finishReason],
    'gen_ai.usage.input_tokens': end.promptTokens,
    'gen_ai.usage.output_tokens': end.completionTokens,
    'benchmaker.call.purpose': call.purpose,
    'benchmaker.call.outcome': end.outcome,
    'benchmaker.call.cost': end.cost,
    'benchmaker.call.first_token_ms': end.firstTokenMs,
  })
}

/** A part that is not text, such as a picture, is named and left out. */
function partsOf({ content }: RequestMessage): { type: string; content: string }[] {
  if (typeof content === 'string') return [{ type: 'text', content }]
  return content.map((part) =>
    'text' in part ? { type: 'text', content: part.text } : { type: part.type, content: '' },
  )
}

function answerMessage({ response, toolCalls = [], finishReason }: ModelAnswer): object {
  const calls = toolCalls.map(({ name, arguments: given }) => ({ type: 'tool_call', name, arguments: given }))
  const text = response === '' ? [] : [{ type: 'text', content: response }]
  return { role: 'assistant', parts: [...text, ...calls], finish_reason: finishReason ?? 'stop' }
}

/** Prompt and answer, only for those who ask for them. */
function contentAttributes({ request, answer }: ModelCall): Attributes {
  const messages = request.messages.map((message) => ({ role: message.role, parts: partsOf(message) }))
  return {
    'gen_ai.input.messages': JSON.stringify(messages),
    ...(answer && { 'gen_ai.output.messages': JSON.stringify([answerMessage(answer)]) }),
  }
}

interface TraceOptions {
  tracer: Tracer
  meter: Meter
  /** Adds prompts and answers to the spans. */
  withContent: boolean
}

interface TracedRun {
  span: Span
  context: Context
  cells: Map<string, { span: Span; context: Context }>
}

type CallEnd = Extract<RunEvent, { type: 'attempt-ended' }>['end']

function cellAttributes({ testCaseId, modelId }: CellKey) {
  return { 'benchmaker.case.id': testCaseId, 'benchmaker.contestant': modelId }
}

function createMeasuring(meter: Meter): (call: ModelCall, end: CallEnd) => void {
  const tokens = meter.createHistogram(TOKEN_USAGE, {
    unit: '{token}',
    description: 'Number of input and output tokens used.',
    advice: { explicitBucketBoundaries: TOKEN_BUCKETS },
  })
  const duration = meter.createHistogram(OPERATION_DURATION, {
    unit: 's',
    description: 'GenAI operation duration.',
    advice: { explicitBucketBoundaries: DURATION_BUCKETS },
  })
  return (call, end) => {
    const operation = operationAttributes(call, end)
    duration.record((end.latencyMs ?? end.endedAt - call.startedAt) / 1000, operation)
    // A refused call is stored with 0 tokens, because it cost none; it used none either.
    if (!call.answer) return
    const { promptTokens, completionTokens } = end
    if (promptTokens !== undefined) tokens.record(promptTokens, { ...operation, 'gen_ai.token.type': 'input' })
    if (completionTokens !== undefined) tokens.record(completionTokens, { ...operation, 'gen_ai.token.type': 'output' })
  }
}

/** Turns the engine's events into spans for runs, cells and model calls, and into the metrics of the conventions. */
function traceRuns({ tracer, meter, withContent }: TraceOptions): (event: RunEvent) => void {
  const runs = new Map<string, TracedRun>()
  const measure = createMeasuring(meter)

  /** A cell whose answer was stored earlier starts when it is first heard of. */
  const openCell = (cell: CellKey, startTime?: number) => {
    const run = runs.get(cell.runId)
    const open = run?.cells.get(cellName(cell))
    if (!run || open) return open
    const span = tracer.startSpan(
      'cell',
      { attributes: cellAttributes(cell), ...(startTime !== undefined && { startTime }) },
      run.context,
    )
    const opened = { span, context: trace.setSpan(run.context, span) }
    run.cells.set(cellName(cell), opened)
    return opened
  }

  const closeCell = (cell: CellKey, outcome: string, score?: number) => {
    const open = openCell(cell)
    if (!open) return
    open.span.setAttribute('benchmaker.cell.outcome', outcome)
    if (score !== undefined) open.span.setAttribute('benchmaker.cell.score', score)
    if (outcome === 'failed') open.span.setStatus({ code: SpanStatusCode.ERROR })
    open.span.end()
    runs.get(cell.runId)?.cells.delete(cellName(cell))
  }

  const recordCall = (cell: CellKey, call: ModelCall, end: CallEnd) => {
    const parent = openCell(cell, call.startedAt)
    const span = tracer.startSpan(
      nameCall(call),
      {
        kind: SpanKind.CLIENT,
        startTime: call.startedAt,
        attributes: {
          ...callAttributes(call, end),
          // On a worker, which has no span of the run: its id ties the requests together.
          ...(!parent && { 'benchmaker.run.id': cell.runId, ...cellAttributes(cell) }),
          ...(withContent && contentAttributes(call)),
        },
      },
      parent?.context ?? ROOT_CONTEXT,
    )
    // Without its message: a provider may quote the prompt in it.
    if (errorTypeOf(end) !== undefined) span.setStatus({ code: SpanStatusCode.ERROR })
    span.end(Math.max(call.startedAt, end.endedAt))
    measure(call, end)
  }

  return (event) => {
    switch (event.type) {
      case 'run-started': {
        const { run, cells, open, runNumber, runsPlanned } = event
        const span = tracer.startSpan('run', {
          root: true,
          attributes: {
            'benchmaker.run.id': run.id,
            'benchmaker.run.number': runNumber,
            'benchmaker.run.planned': runsPlanned,
            'benchmaker.run.models': run.models,
            'benchmaker.run.cells': cells,
            'benchmaker.run.open_cells': open,
            ...(run.seriesId !== undefined && { 'benchmaker.series.id': run.seriesId }),
            ...(run.testSuiteId !== undefined && { 'benchmaker.suite.id': run.testSuiteId }),
          },
        })
        runs.set(run.id, { span, context: trace.setSpan(ROOT_CONTEXT, span), cells: new Map() })
        return
      }
      case 'cell-started':
        openCell(event.cell)
        return
      case 'attempt-ended':
        if (event.call) recordCall(event.attempt, event.call, event.end)
        return
      case 'cell-scored':
        if ('unscored' in event.score) closeCell(event.cell, 'unscored')
        else closeCell(event.cell, 'scored', event.score.score)
        return
      case 'cell-failed':
        closeCell(event.cell, 'failed')
        return
      case 'run-finished': {
        const run = runs.get(event.runId)
        if (!run) return
        for (const { span } of run.cells.values()) {
          span.setAttribute('benchmaker.cell.outcome', 'open')
          span.end()
        }
        run.span.setAttribute('benchmaker.run.status', event.status)
        if (event.status === 'failed') run.span.setStatus({ code: SpanStatusCode.ERROR })
        run.span.end()
        runs.delete(event.runId)
      }
    }
  }
}

export interface Telemetry {
  onRunEvent(event: RunEvent): void
  /** Sends what was collected. A collector that does not reply must not hold up the process. */
  close(): Promise<void>
}

type Environment = Readonly<Record<string, string | undefined>>

const NAME = 'benchmaker'
const CLOSE_MS = 5_000
const EXPORT_EVERY_MS = 60_000

function readInterval({ OTEL_METRIC_EXPORT_INTERVAL: written }: Environment): number {
  if (!written) return EXPORT_EVERY_MS
  const interval = Number(written)
  if (Number.isInteger(interval) && interval > 0) return interval
  throw new InputError(`OTEL_METRIC_EXPORT_INTERVAL is ${written}: it must be a number of milliseconds`)
}

function refuseOtherProtocols(env: Environment): void {
  for (const signal of ['', '_TRACES', '_METRICS']) {
    const name = `OTEL_EXPORTER_OTLP${signal}_PROTOCOL`
    const protocol = env[name]
    if (protocol && protocol !== 'http/json')
      throw new InputError(`${name} is ${protocol}: Benchmaker sends http/json, which collectors accept on port 4318`)
  }
}

function processResource({ OTEL_SERVICE_NAME: name }: Environment, version: string) {
  const own = resourceFromAttributes({
    'service.name': name || NAME,
    'service.version': version,
    'service.instance.id': randomUUID(),
  })
  // What the administrator sets wins.
  return defaultResource()
    .merge(own)
    .merge(detectResources({ detectors: [envDetector] }))
}

async function waitAtMost(work: Promise<unknown>, milliseconds: number): Promise<void> {
  let timer: NodeJS.Timeout | undefined
  const timeout = new Promise<void>((resolve) => {
    timer = setTimeout(() => resolve(), milliseconds)
  })
  await Promise.race([work.catch(() => undefined), timeout])
  clearTimeout(timer)
}

/** Sends spans and metrics to the collector that OpenTelemetry's own variables name; its exporters read those. */
export function startTelemetry({ env, version }: { env: Environment; version: string }): Telemetry {
  refuseOtherProtocols(env)
  const resource = processResource(env, version)
  const isWanted = (signal: string) =>
    env[`OTEL_${signal}_EXPORTER`] !== 'none' &&
    Boolean(env['OTEL_EXPORTER_OTLP_ENDPOINT'] || env[`OTEL_EXPORTER_OTLP_${signal}_ENDPOINT`])
  const traces = new NodeTracerProvider({
    resource,
    spanProcessors: isWanted('TRACES') ? [new BatchSpanProcessor(new OTLPTraceExporter())] : [],
  })
  const metrics = new MeterProvider({
    resource,
    readers: isWanted('METRICS')
      ? [
          new PeriodicExportingMetricReader({
            exporter: new OTLPMetricExporter(),
            exportIntervalMillis: readInterval(env),
            exportTimeoutMillis: Math.min(readInterval(env), 30_000),
          }),
        ]
      : [],
  })
  const captured = env['OTEL_INSTRUMENTATION_GENAI_CAPTURE_MESSAGE_CONTENT'] ?? ''
  return {
    onRunEvent: traceRuns({
      tracer: traces.getTracer(NAME, version),
      meter: metrics.getMeter(NAME, version),
      withContent: captured.toLowerCase() === 'true',
    }),
    close: () => waitAtMost(Promise.all([traces.shutdown(), metrics.shutdown()]), CLOSE_MS),
  }
}
