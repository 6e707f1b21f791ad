import { amountOf } from './json-values.ts'

export type HeaderValues = Record<string, string | string[] | undefined>

const UNITS: Record<string, number> = { ms: 1, s: 1000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** Parses `1s`, `6m0s`, `20ms` or `34.07s`, as OpenAI and Google write them; `undefined` for anything else. */
export function parseDuration(text: string): number | undefined {
  if (!/^(?:\d+(?:\.\d+)?(?:ms|[smhd]))+$/.test(text)) return undefined
  return [...text.matchAll(/(\d+(?:\.\d+)?)(ms|[smhd])/g)].reduce(
    (sum, [, count, unit]) => sum + Number(count) * UNITS[unit!]!,
    0,
  )
}

/** Accepts epoch milliseconds, epoch seconds or seconds from now, distinguished by their size. */
function waitUntil(text: string, now: number): number | undefined {
  const number = amountOf(text)
  if (number === undefined) return parseDuration(text)
  if (number > 1e11) return Math.max(0, number - now)
  return number > 1e9 ? Math.max(0, number * 1000 - now) : number * 1000
}

function retryAfter(text: string, now: number): number | undefined {
  const seconds = amountOf(text)
  if (seconds !== undefined) return seconds * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? parseDuration(text) : Math.max(0, date - now)
}

/**
 * How long the server asked to wait: `retry-after-ms`, else `Retry-After` (seconds or a date), else the reset time of
 * an exhausted limit (`x-ratelimit-remaining-requests: 0` with `x-ratelimit-reset-requests: 6m0s`).
 */
export function readRetryAfter(headers: HeaderValues, now: number): number | undefined {
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), Array.isArray(value) ? value[0] : value]),
  )
  const milliseconds = amountOf(byName.get('retry-after-ms'))
  if (milliseconds !== undefined) return milliseconds
  const plain = byName.get('retry-after')
  if (plain !== undefined) return retryAfter(plain.trim(), now)
  const resets = ['', '-requests', '-tokens'].flatMap((limit) => {
    const reset = byName.get(`x-ratelimit-reset${limit}`)
    const wait =
      reset !== undefined && byName.get(`x-ratelimit-remaining${limit}`) === '0'
        ? waitUntil(reset.trim(), now)
        : undefined
    return wait === undefined ? [] : [wait]
  })
  return resets.length === 0 ? undefined : Math.max(...resets)
}
