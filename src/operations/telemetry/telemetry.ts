import { randomUUID } from 'node:crypto'
import { OTLPMetricExporter } from '@opentelemetry/exporter-metrics-otlp-http'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http'
import { defaultResource, detectResources, envDetector, resourceFromAttributes } from '@opentelemetry/resources'
import { MeterProvider, PeriodicExportingMetricReader } from '@opentelemetry/sdk-metrics'
import { BatchSpanProcessor, NodeTracerProvider } from '@opentelemetry/sdk-trace-node'
import { InputError } from '../../contract/index.ts'
import type { RunEvent } from '../../services/index.ts'
import { traceRuns } from './trace-runs.ts'

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
