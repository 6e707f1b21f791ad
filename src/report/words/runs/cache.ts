import type { CellResult } from '../../../contract/index.ts'
import type { CachedAnswers } from '../../model/standings/report-row.ts'
import { formatCount, formatTime } from '../numbers.ts'

const UNITS: [name: string, milliseconds: number][] = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
]

/** `3 days`, rounded up: an answer is never older than it says. */
function formatAge(milliseconds: number): string {
  for (const [name, size] of UNITS)
    if (milliseconds >= size) return formatCount(Math.ceil(Math.round((milliseconds / size) * 1000) / 1000), name)
  return 'less than a minute'
}

/** For a table: `12 of 50, up to 3 days old`. */
export function formatCached({ cached }: { cached?: CachedAnswers | undefined }): string {
  if (!cached) return '0'
  const share = `${formatCount(cached.count)} of ${formatCount(cached.of)}`
  return cached.count === 0 ? share : `${share}, ${describeAge(cached)}`
}

function describeAge({ maxAgeMs }: CachedAnswers): string {
  const age = formatAge(maxAgeMs)
  return age.startsWith('less') ? `${age} old` : `up to ${age} old`
}

/** One sentence for all models; undefined if nothing came from the cache. */
export function describeCache(rows: readonly { cached?: CachedAnswers | undefined }[]): string | undefined {
  const cached = rows.flatMap((row) => row.cached ?? [])
  const count = cached.reduce((sum, row) => sum + row.count, 0)
  if (count === 0) return undefined
  const of = cached.reduce((sum, row) => sum + row.of, 0)
  const oldest = { count, of, maxAgeMs: Math.max(...cached.map(({ maxAgeMs }) => maxAgeMs)) }
  return `${formatCount(count)} of ${formatCount(of, 'answer')} came from the cache, ${describeAge(oldest)} when the run started: they cost nothing now and are not in the latency.`
}

/** Of one answer: `from the cache, given 2026-11-02 14:05 UTC`; its latency is then that of the time it was given. */
export function describeCachedAt({ cachedAt }: Pick<CellResult, 'cachedAt'>): string | undefined {
  if (cachedAt === undefined) return undefined
  return `from the cache, answered ${formatTime(cachedAt)}`
}

/** `1,200 input tokens (800 from the vendor’s cache)`, `300 output tokens (256 of them reasoning)` */
export function describeTokens({
  promptTokens,
  completionTokens,
  tokenDetails = {},
}: Pick<CellResult, 'promptTokens' | 'completionTokens' | 'tokenDetails'>): string[] {
  const { cachedPrompt = 0, cacheWrite = 0, cacheWriteHour = 0, reasoning = 0 } = tokenDetails
  const written = cacheWrite + cacheWriteHour
  const parts = [
    ...(cachedPrompt > 0 ? [`${formatCount(cachedPrompt)} from the vendor’s cache`] : []),
    ...(written > 0 ? [`${formatCount(written)} written to it`] : []),
  ]
  return [
    ...(promptTokens === undefined
      ? []
      : [`${formatCount(promptTokens, 'input token')}${parts.length > 0 ? ` (${parts.join(', ')})` : ''}`]),
    ...(completionTokens === undefined
      ? []
      : [
          `${formatCount(completionTokens, 'output token')}${reasoning > 0 ? ` (${formatCount(reasoning)} of them reasoning)` : ''}`,
        ]),
  ]
}
