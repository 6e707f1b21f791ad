import { isJsonObject, LongInteger } from '../../contract/index.ts'

type SecretKind = 'key' | 'token' | 'private key' | 'password' | 'cookie' | 'home folder' | 'mail address'

/** Something that was taken out, and how often. */
interface RemovedSecret {
  kind: SecretKind
  /** As much of it as tells it from others. */
  shown: string
  count: number
  /** Where it stood first: `steps[3].message`. */
  where: string
}

export interface Redacted<Value> {
  value: Value
  removed: RemovedSecret[]
}

interface Shape {
  kind: SecretKind
  /** The group named `secret` is taken out; without one, all of it. */
  pattern: RegExp
  replacement?: string
}

const names =
  'api[_-]?key|secret|token(?!s)|passw(?:or)?d|passphrase|pwd|credentials?|private[_-]?key|(?:access|account|signing|encryption)[_-]?key|auth[_-]?key|client[_-]?secret|session[_-]?key'

const shapes: readonly Shape[] = [
  {
    kind: 'private key',
    pattern: /-----BEGIN [A-Z ]*PRIVATE KEY(?: BLOCK)?-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY(?: BLOCK)?-----|$)/g,
  },
  // Providers of models, clouds, code and payments.
  {
    kind: 'key',
    pattern:
      /\b(?:sk|pk|rk|gsk|xai|hf|r8|nvapi|pplx|fw|csk|voyage|pa|key)[-_](?=[A-Za-z0-9_*-]*\d)[A-Za-z0-9*_-]{16,}/g,
  },
  // Those of Hugging Face have letters only.
  { kind: 'key', pattern: /\bhf_[A-Za-z]{30,}/g },
  { kind: 'key', pattern: /\bAIza[A-Za-z0-9_-]{20,}/g },
  { kind: 'key', pattern: /\b(?:AKIA|ASIA|AROA|AIDA|ABIA|ACCA)[A-Z0-9]{12,}/g },
  { kind: 'token', pattern: /\b(?:gh[opusr]_|github_pat_|glpat-|gldt-|glrt-)[A-Za-z0-9_-]{16,}/g },
  { kind: 'token', pattern: /\bxox[abeoprs]-[A-Za-z0-9-]{10,}|\bxapp-[A-Za-z0-9-]{10,}/g },
  {
    kind: 'token',
    pattern:
      /\b(?:npm_|pypi-|dop_v1_|doo_v1_|shp(?:at|ca|pa|ss)_|lin_api_|ntn_|secret_|atlasv1\.|hvs\.|figd_|dapi|eyJrIjoi)[A-Za-z0-9_.-]{20,}/g,
  },
  { kind: 'token', pattern: /\bSG\.[A-Za-z0-9_-]{16,}\.[A-Za-z0-9_-]{16,}/g },
  { kind: 'token', pattern: /\bya29\.[A-Za-z0-9_-]{16,}|\b1\/\/0[A-Za-z0-9_-]{20,}/g },
  { kind: 'token', pattern: /\beyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*)?/g },
  { kind: 'token', pattern: /(?<!\d)\d{8,10}:AA[A-Za-z0-9_-]{30,}/g },
  { kind: 'token', pattern: /https:\/\/(?:hooks\.slack\.com\/services|discord(?:app)?\.com\/api\/webhooks)\/[\w/-]+/g },
  {
    kind: 'token',
    pattern: /\b(?:bearer|basic|token)\s+(?=[A-Za-z0-9._~+/=-]*[\d=])(?<secret>[A-Za-z0-9._~+/=-]{12,})/gi,
  },
  { kind: 'cookie', pattern: /\b(?:set-)?cookie\\*["']?\s*[:=]\s*\\*["']?(?<secret>[^\r\n"'\\]{6,})/gi },
  { kind: 'password', pattern: /\b[a-z][a-z0-9+.-]{1,20}:\/\/[^\s:@/'"]{0,100}:(?<secret>[^\s@/'"]{3,})@/gi },
  // `API_KEY=…`, `"password": "…"`, also inside JSON text: quoted, or joined without a blank.
  {
    kind: 'password',
    pattern: new RegExp(
      `(?:${names})[\\w-]{0,20}\\\\*["']?\\s*(?::|=>?)\\s*\\\\*["'](?<secret>[^"'\\\\\\r\\n]{4,})`,
      'gi',
    ),
  },
  { kind: 'password', pattern: new RegExp(`(?:${names})[\\w-]{0,20}=(?<secret>[^\\s"'\\\\&;,)<>{}$]{4,})`, 'gi') },
  {
    kind: 'password',
    pattern: new RegExp(`(?:${names})\\s*:\\s*(?<secret>(?=\\S*\\d)[^\\s"'\\\\&;,)(<>{}$]{6,})`, 'gi'),
  },
  { kind: 'password', pattern: /\s(?:--?(?:password|passwd|token|api-key|secret))[ =](?<secret>[^\s"'\\]{4,})/gi },
  {
    kind: 'password',
    pattern: /\s(?:-u|--user|--proxy-user)[ =]?\\*["']?[^\s:"'\\]{1,100}:(?<secret>[^\s"'\\]{4,})/g,
  },
  {
    kind: 'home folder',
    pattern: /(?:\/home|\/Users|\/var\/home|\/export\/home)\/(?!Shared\b)[^/\s"'`\\:;,<>|()[\]{}$*]+/g,
    replacement: '~',
  },
  { kind: 'home folder', pattern: /\b[A-Za-z]:(?:\\{1,4}|\/)Users(?:\\{1,4}|\/)[^\\/\s"'`:;,<>|]+/g, replacement: '~' },
  // Claude Code names its folders after paths.
  { kind: 'home folder', pattern: /(?<=\/)-(?:home|Users)-[A-Za-z0-9_]+(?=[-/"'\s]|$)/g, replacement: '~' },
  { kind: 'mail address', pattern: /\b[A-Za-z0-9][\w.+-]*@(?:[A-Za-z0-9-]+\.)+[A-Za-z]{2,}\b/g },
]

/** Fields whose text is secret, whatever it looks like. */
const secretField = new RegExp(`^(?:.*[_-])?(?:${names}|authorization|cookie|bearer)s?$`, 'i')
const secretWords = /(?:Token|Secret|Password|ApiKey|PrivateKey|AccessKey)$/

const notSecret =
  /^(?:string|number|boolean|null|none|true|false|undefined|required|optional|any|unknown|\d{1,5}[.,;]?|[*.x•]+|<[^>]*>|\[removed [a-z ]+\])$/i

/** Takes keys, tokens, passwords, home folders and mail addresses out of every text, and says what was taken out. */
export function redactSecrets<Value>(value: Value): Redacted<Value>
export function redactSecrets(value: unknown): Redacted<unknown> {
  const found = new Map<string, RemovedSecret>()
  const note = (kind: SecretKind, secret: string, where: string): string => {
    const known = found.get(`${kind} ${secret}`)
    if (known) known.count += 1
    else found.set(`${kind} ${secret}`, { kind, shown: abbreviate(kind, secret), count: 1, where })
    return `[removed ${kind}]`
  }
  const redactText = (text: string, where: string): string =>
    shapes.reduce(
      (rest, { kind, pattern, replacement }) =>
        rest.replaceAll(pattern, (whole: string, ...groups: unknown[]) => {
          const named = groups.at(-1)
          const secret = isJsonObject(named) && typeof named['secret'] === 'string' ? named['secret'] : undefined
          if (secret !== undefined && notSecret.test(secret.trim())) return whole
          const mark = note(kind, secret ?? whole, where)
          return secret === undefined ? (replacement ?? mark) : replaceLast(whole, secret, mark)
        }),
      text,
    )
  const visit = (inner: unknown, where: string, name: string): unknown => {
    if (typeof inner === 'string') {
      const isSecret = (secretField.test(name) || secretWords.test(name)) && inner.length >= 4 && !notSecret.test(inner)
      return isSecret ? note('password', inner, where) : redactText(inner, where)
    }
    if (inner instanceof LongInteger) return inner
    if (Array.isArray(inner)) return inner.map((item, index) => visit(item, `${where}[${index}]`, name))
    if (!isJsonObject(inner)) return inner
    return Object.fromEntries(
      Object.entries(inner).map(([key, item]) => {
        const clean = redactText(key, where)
        return [clean, visit(item, where === '' ? clean : `${where}.${clean}`, key)]
      }),
    )
  }
  return { value: visit(value, '', ''), removed: [...found.values()] }
}

function replaceLast(whole: string, secret: string, mark: string): string {
  const at = whole.lastIndexOf(secret)
  return whole.slice(0, at) + mark + whole.slice(at + secret.length)
}

/** Nothing of a password, and of anything else less than a third. */
function abbreviate(kind: SecretKind, secret: string): string {
  if (kind === 'password' || kind === 'cookie' || kind === 'private key') return '…'
  if (kind === 'home folder')
    return `${secret.slice(0, Math.min(6, secret.lastIndexOf(secret.includes('\\') ? '\\' : '/')))}…`
  if (kind === 'mail address') return `${secret[0]}…@…`
  return `${secret.slice(0, Math.min(5, Math.floor(secret.length / 3)))}…`
}
