type Environment = Readonly<Record<string, string | undefined>>

/** True if spans and metrics are sent somewhere, by the variables that OpenTelemetry defines. */
export function isTelemetryEnabled(env: Environment): boolean {
  const { OTEL_SDK_DISABLED: disabled = '' } = env
  if (disabled.toLowerCase() === 'true') return false
  const endpoints = ['', '_TRACES', '_METRICS'].map((signal) => env[`OTEL_EXPORTER_OTLP${signal}_ENDPOINT`])
  return endpoints.some((endpoint) => endpoint?.trim())
}

/** False for most users: then nothing of this room needs to be loaded. */
export function areOperationsEnabled(env: Environment): boolean {
  return Boolean(env['BENCHMAKER_LOG']) || isTelemetryEnabled(env)
}
