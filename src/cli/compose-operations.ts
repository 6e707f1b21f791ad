import { createRedactor } from '../providers/http/redact.ts'
import type { Operations } from '../operations/operations.ts'
import { readVersion } from './package-files.ts'
import type { Terminal } from './output/terminal.ts'

const SECRET_NAME = /KEY|SECRET|TOKEN|PASSWORD/

/** `name=value,name=value`, as in OTEL_EXPORTER_OTLP_HEADERS. */
function valuesOfHeaders(text: string): string[] {
  return text.split(',').map((pair) => pair.slice(pair.indexOf('=') + 1).replace(/^(?:Bearer|Basic)(?: |%20)/i, ''))
}

/** The passwords and keys in the environment, and those in the addresses there. */
function listEnvironmentSecrets(env: NodeJS.ProcessEnv): string[] {
  return Object.entries(env).flatMap(([name, value = '']) => {
    const password = URL.parse(value)?.password
    return [
      ...(SECRET_NAME.test(name) ? [value] : []),
      ...(name.endsWith('_HEADERS') ? valuesOfHeaders(value) : []),
      ...(password ? [password, decodeURIComponent(password)] : []),
    ]
  })
}

/** Opens the log and telemetry of this process. */
export async function composeOperations(
  env: NodeJS.ProcessEnv,
  { stderr }: Pick<Terminal, 'stderr'>,
  options: { redact?: (text: string) => string } = {},
): Promise<Operations> {
  const { startOperations } = await import('../operations/operations.ts')
  const redact = createRedactor(listEnvironmentSecrets(env))
  return startOperations({
    env,
    version: readVersion(),
    write: (line) => stderr.write(line),
    redact: (text) => redact(options.redact?.(text) ?? text),
    now: Date.now,
  })
}
