import { isJsonObject, LongInteger } from '../../../contract/index.ts'
import { field, idField, listField, numberField, textField } from '../../tool-results/formats/fields.ts'
import { readAttributes, readLogRecords } from '../../text/otlp-values.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder } from '../recorder.ts'
import { isAgentSpan, type Span } from '../span.ts'
import { addSpans, countUserMessages } from '../spans.ts'
import { readNumber } from '../values.ts'

/** OpenTelemetry's own JSON: one object, a list, or one object a line. */
export const otlpJson: TrajectoryReader = {
  name: 'otlp-json',
  looksLike: 'OpenTelemetry traces (OTLP JSON with resourceSpans and gen_ai attributes)',
  recognises: (sample) => sample.flatMap(listSpans).some(isAgentSpan),
  listTraces: (records) => namesOf([...records].flatMap(listSpans)),
  read(source) {
    const documents = [...source.records()].flat()
    const told = Map.groupBy(keepOnce(documents.flatMap(listLogs)), ({ span }) => span)
    const all = documents.flatMap(listSpans).map((span) => {
      const events = told.get(span.id)
      return events ? { ...span, events: [...span.events, ...events] } : span
    })
    const byTrace = Map.groupBy(all, ({ trace }) => trace)
    const others = documents.filter(
      (document) => field(document, 'resourceSpans') === undefined && listLogs(document).length === 0,
    )
    const byRun = Map.groupBy(
      [...byTrace].filter(([, spans]) => spans.some(isAgentSpan)),
      ([trace, spans]) => findConversation(spans) ?? trace,
    )
    return [...byRun].map(([id, traces], index) => {
      const recorder = createRecorder({
        file: source.file,
        format: this.name,
        marksErrors: true,
        countsUserTurns: false,
      })
      recorder.facts.id = id
      // Logs and metrics are written into the same files.
      if (index === 0)
        for (const other of others) recorder.noteUnknown(Object.keys(Object(other))[0]?.slice(0, 60) ?? 'an empty line')
      addSpans(
        traces.flatMap(([, spans]) => spans),
        recorder,
      )
      return recorder.finish()
    })
  },
}

const namesOf = (spans: readonly Span[]): string[] => spans.flatMap(({ trace }) => (/[^0]/.test(trace) ? [trace] : []))

/** Records are exported again, as spans are. */
const keepOnce = (logs: ReturnType<typeof listLogs>) => [
  ...new Map(logs.map((log) => [JSON.stringify(log), log])).values(),
]

/** A conversation can have a trace for each of its turns. */
function findConversation(spans: readonly Span[]): string | undefined {
  for (const { attributes } of spans) {
    const id = attributes['gen_ai.conversation.id']
    if (typeof id === 'string' && id !== '') return id
  }
  return undefined
}

function listSpans(document: unknown): Span[] {
  if (Array.isArray(document)) return document.flatMap(listSpans)
  return (listField(document, 'resourceSpans') ?? []).flatMap((resource) =>
    (listField(resource, 'scopeSpans') ?? listField(resource, 'instrumentationLibrarySpans') ?? []).flatMap((scope) =>
      (listField(scope, 'spans') ?? []).map(readSpan),
    ),
  )
}

/** Instrumentations before 1.37 write messages as log records that name their span. */
const listLogs = (document: unknown): (Span['events'][number] & { span: string; time: string })[] =>
  readLogRecords(document).flatMap(({ name, span = '', time, attributes, body }) =>
    name?.startsWith('gen_ai.') ? [{ name, span, time, attributes: { ...attributes, body } }] : [],
  )

const toMilliseconds = (nanoseconds: unknown): number | undefined => {
  const number = readNumber(nanoseconds instanceof LongInteger ? nanoseconds.digits : nanoseconds)
  return number === undefined || number === 0 ? undefined : number / 1e6
}

function readSpan(span: unknown): Span {
  const status = field(field(span, 'status'), 'code')
  return {
    trace: idField(span, 'traceId') ?? '',
    id: idField(span, 'spanId') ?? '',
    parent: idField(span, 'parentSpanId'),
    name: textField(span, 'name') ?? '',
    start: toMilliseconds(field(span, 'startTimeUnixNano')),
    end: toMilliseconds(field(span, 'endTimeUnixNano')),
    attributes: readAttributes(field(span, 'attributes')),
    events: (listField(span, 'events') ?? []).map((event) => ({
      name: textField(event, 'name') ?? '',
      attributes: readAttributes(field(event, 'attributes')),
    })),
    isError: status === 2 || status === 'STATUS_CODE_ERROR',
  }
}

/** Spans as any-agent and the OpenTelemetry SDKs print them: attributes are plain objects. */
export const plainSpans: TrajectoryReader = {
  name: 'otel-spans (any-agent)',
  looksLike: 'OpenTelemetry spans as an SDK prints them (spans with attributes)',
  recognises: (sample) => sample.flatMap(listPlainSpans).some(isAgentSpan),
  listTraces: (records) => namesOf([...records].flatMap(listPlainSpans)),
  read(source) {
    const byTrace = Map.groupBy([...source.records()].flatMap(listPlainSpans), ({ trace }) => trace)
    return [...byTrace].map(([id, spans]) => {
      const recorder = createRecorder({ file: source.file, format: this.name, marksErrors: true })
      recorder.facts.id = id
      addSpans(spans, recorder)
      recorder.addUserTurn(countUserMessages(spans))
      return recorder.finish()
    })
  },
}

function listPlainSpans(document: unknown): Span[] {
  if (Array.isArray(document)) return document.flatMap(listPlainSpans)
  const spans = listField(document, 'spans') ?? (isJsonObject(field(document, 'context')) ? [document] : [])
  return spans.filter((span) => isJsonObject(field(span, 'attributes'))).map(readPlainSpan)
}

function readPlainSpan(span: unknown): Span {
  const context = field(span, 'context')
  const parent = field(span, 'parent')
  const status = textField(field(span, 'status'), 'status_code') ?? numberField(field(span, 'status'), 'code')
  const attributes = field(span, 'attributes')
  return {
    trace: idField(context, 'trace_id') ?? idField(span, 'trace_id', 'traceId') ?? '',
    id: idField(context, 'span_id') ?? idField(span, 'span_id', 'spanId') ?? '',
    parent: idField(parent, 'span_id') ?? idField(span, 'parent_id', 'parent_span_id', 'parentSpanId'),
    name: textField(span, 'name') ?? '',
    start: readPlainTime(field(span, 'start_time')),
    end: readPlainTime(field(span, 'end_time')),
    attributes: isJsonObject(attributes) ? attributes : {},
    events: (listField(span, 'events') ?? []).map((event) => ({
      name: textField(event, 'name') ?? '',
      attributes: { ...Object(field(event, 'attributes')) },
    })),
    isError: status === 2 || (typeof status === 'string' && status.toLowerCase() === 'error'),
  }
}

function readPlainTime(time: unknown): number | undefined {
  if (typeof time === 'string' && Number.isNaN(Number(time))) {
    const parsed = Date.parse(time)
    return Number.isNaN(parsed) ? undefined : parsed
  }
  return toMilliseconds(time)
}
