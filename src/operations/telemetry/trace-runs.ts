import {
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  type Context,
  type Meter,
  type Span,
  type Tracer,
} from '@opentelemetry/api'
import type { CellKey } from '../../contract/index.ts'
import type { ModelCall, RunEvent } from '../../services/index.ts'
import {
  callAttributes,
  contentAttributes,
  operationAttributes,
  DURATION_BUCKETS,
  errorTypeOf,
  nameCall,
  OPERATION_DURATION,
  TOKEN_BUCKETS,
  TOKEN_USAGE,
} from './conventions.ts'

export interface TraceOptions {
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

function keyOf({ testCaseId, modelId }: CellKey): string {
  return JSON.stringify([testCaseId, modelId])
}

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
export function traceRuns({ tracer, meter, withContent }: TraceOptions): (event: RunEvent) => void {
  const runs = new Map<string, TracedRun>()
  const measure = createMeasuring(meter)

  /** A cell whose answer was stored earlier starts when it is first heard of. */
  const openCell = (cell: CellKey, startTime?: number) => {
    const run = runs.get(cell.runId)
    const open = run?.cells.get(keyOf(cell))
    if (!run || open) return open
    const span = tracer.startSpan(
      'cell',
      { attributes: cellAttributes(cell), ...(startTime !== undefined && { startTime }) },
      run.context,
    )
    const opened = { span, context: trace.setSpan(run.context, span) }
    run.cells.set(keyOf(cell), opened)
    return opened
  }

  const closeCell = (cell: CellKey, outcome: string, score?: number) => {
    const open = openCell(cell)
    if (!open) return
    open.span.setAttribute('benchmaker.cell.outcome', outcome)
    if (score !== undefined) open.span.setAttribute('benchmaker.cell.score', score)
    if (outcome === 'failed') open.span.setStatus({ code: SpanStatusCode.ERROR })
    open.span.end()
    runs.get(cell.runId)?.cells.delete(keyOf(cell))
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
