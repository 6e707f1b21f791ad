import { createServer } from 'node:http'

interface CollectedSpan {
  traceId: string
  spanId: string
  parentSpanId?: string
  name: string
  kind: number
  status: { code: number; message?: string }
  attributes: Record<string, unknown>
  milliseconds: number
}

interface CollectedPoint {
  metric: string
  unit: string
  attributes: Record<string, unknown>
  bounds: number[]
  count: number
  sum: number
}

/** OTLP's JSON: numbers may be texts. */
interface Value {
  stringValue?: string
  intValue?: string | number
  doubleValue?: number
  boolValue?: boolean
  arrayValue?: { values: Value[] }
}
type Pair = { key: string; value: Value }

function readValue({ stringValue, intValue, doubleValue, boolValue, arrayValue }: Value): unknown {
  if (arrayValue) return arrayValue.values.map(readValue)
  return stringValue ?? (intValue === undefined ? undefined : Number(intValue)) ?? doubleValue ?? boolValue
}

function readAttributes(pairs: Pair[] = []): Record<string, unknown> {
  return Object.fromEntries(pairs.map(({ key, value }) => [key, readValue(value)]))
}

interface OtlpSpan extends Omit<CollectedSpan, 'attributes' | 'milliseconds'> {
  attributes: Pair[]
  startTimeUnixNano: string
  endTimeUnixNano: string
}

interface OtlpMetric {
  name: string
  unit: string
  histogram: { dataPoints: { attributes: Pair[]; explicitBounds: number[]; count: string | number; sum: number }[] }
}

interface OtlpBody {
  resourceSpans?: { resource: { attributes: Pair[] }; scopeSpans: { spans: OtlpSpan[] }[] }[]
  resourceMetrics?: { resource: { attributes: Pair[] }; scopeMetrics: { metrics: OtlpMetric[] }[] }[]
}

function readSpan({ attributes, startTimeUnixNano, endTimeUnixNano, ...span }: OtlpSpan): CollectedSpan {
  const milliseconds = Number(BigInt(endTimeUnixNano) - BigInt(startTimeUnixNano)) / 1e6
  return { ...span, attributes: readAttributes(attributes), milliseconds }
}

function readPoints({ name, unit, histogram }: OtlpMetric): CollectedPoint[] {
  return histogram.dataPoints.map(({ attributes, explicitBounds, count, sum }) => ({
    metric: name,
    unit,
    attributes: readAttributes(attributes),
    bounds: explicitBounds,
    count: Number(count),
    sum,
  }))
}

/** A collector on loopback that takes OTLP over HTTP as JSON and keeps what it gets. */
export async function startCollector() {
  const bodies: { path: string; text: string; headers: NodeJS.Dict<string | string[]> }[] = []
  const server = createServer((request, response) => {
    const pieces: Buffer[] = []
    request.on('data', (piece: Buffer) => pieces.push(piece))
    request.on('end', () => {
      bodies.push({ path: request.url ?? '', text: Buffer.concat(pieces).toString('utf8'), headers: request.headers })
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  const parsed = () => bodies.map(({ text }): OtlpBody => JSON.parse(text))
  return {
    endpoint: `http://127.0.0.1:${typeof address === 'object' && address !== null ? address.port : 0}`,
    bodies,
    resources: () =>
      parsed().flatMap(({ resourceSpans = [], resourceMetrics = [] }) =>
        [...resourceSpans, ...resourceMetrics].map(({ resource }) => readAttributes(resource.attributes)),
      ),
    spans: () =>
      parsed().flatMap(({ resourceSpans = [] }) =>
        resourceSpans.flatMap(({ scopeSpans }) => scopeSpans.flatMap(({ spans }) => spans.map(readSpan))),
      ),
    /** Of the last export: metrics are sums since the start. */
    points: () =>
      (parsed().findLast(({ resourceMetrics }) => resourceMetrics)?.resourceMetrics ?? []).flatMap(({ scopeMetrics }) =>
        scopeMetrics.flatMap(({ metrics }) => metrics.flatMap(readPoints)),
      ),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}
