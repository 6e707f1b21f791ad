import { isRecord } from '../../../contract/index.ts'

/** `{{env.NAME}}`, `{{ env['NAME'] }}`, `{{ env.NAME | default('x') }}` */
const ENV =
  /\{\{-?\s*env(?:\.(\w+)|\[\s*['"](\w+)['"]\s*\])\s*(?:\|\s*default\(\s*(['"])([^'"]*)\3\s*(?:,\s*true\s*)?\)\s*)?-?\}\}/g

const SECRETS = /key|token|secret|password|credential|auth/i

/**
 * Fills `{{env.NAME}}` in every text of a config with what the config itself says under `env`, or with its default. The
 * environment of this machine is not read: a config of somebody else would get its keys into prompts.
 */
export function readEnvironment(config: unknown): (value: unknown) => unknown {
  const env = new Map(isRecord(config) && isRecord(config['env']) ? Object.entries(config['env']) : [])
  const fillText = (text: string): string =>
    text.replaceAll(ENV, (tag, plain: string | undefined, quoted: string | undefined, _quote, other?: string) => {
      const name = plain ?? quoted ?? ''
      const value = SECRETS.test(name) ? undefined : env.get(name)
      return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
        ? String(value)
        : (other ?? tag)
    })
  const fill = (value: unknown): unknown => {
    if (typeof value === 'string') return value.includes('{{') ? fillText(value) : value
    if (Array.isArray(value)) return value.map(fill)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, inner]) => [key, fill(inner)]))
  }
  return fill
}
