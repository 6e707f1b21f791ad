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
  if (number > 1e11) return number - now
  return number > 1e9 ? number * 1000 - now : number * 1000
}

/** `Wed, 21 Oct 2026 07:28:00 GMT`. `Date.parse` alone would take `-5` for a date. */
const DATE = /^[A-Z][a-z]+,? .*\d:\d\d|^\d{4}-\d\d-\d\dT/

function retryAfter(text: string, now: number): number | undefined {
  const seconds = amountOf(text)
  if (seconds !== undefined) return seconds * 1000
  const date = DATE.test(text) ? Date.parse(text) : Number.NaN
  return Number.isNaN(date) ? parseDuration(text) : date - now
}

/** The longest wait; a server that says nothing, zero or a time in the past leaves it to us. */
function longestWait(waits: readonly (number | undefined)[]): number | undefined {
  const longest = Math.max(0, ...waits.map((wait) => wait ?? 0))
  return longest > 0 ? longest : undefined
}

/**
 * How long the server asked to wait: `retry-after-ms`, else `Retry-After` (seconds or a date), else the reset time of
 * an exhausted limit (`x-ratelimit-remaining-requests: 0` with `x-ratelimit-reset-requests: 6m0s`). Always positive.
 */
export function readRetryAfter(headers: HeaderValues, now: number): number | undefined {
  const byName = new Map(
    Object.entries(headers).map(([name, value]) => [
      name.toLowerCase(),
      [value ?? []].flat().map((text) => text.trim()),
    ]),
  )
  const read = (name: string, parse: (text: string) => number | undefined) =>
    longestWait((byName.get(name) ?? []).map(parse))
  const resets = ['', '-requests', '-tokens'].map((limit) =>
    byName.get(`x-ratelimit-remaining${limit}`)?.[0] === '0'
      ? read(`x-ratelimit-reset${limit}`, (text) => waitUntil(text, now))
      : undefined,
  )
  return read('retry-after-ms', amountOf) ?? read('retry-after', (text) => retryAfter(text, now)) ?? longestWait(resets)
}
