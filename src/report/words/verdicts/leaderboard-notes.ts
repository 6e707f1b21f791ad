import type { LeaderboardBasis, ReportRow } from '../../model/standings/report-row.ts'
import { FEWEST_UNITS } from '../../../statistics/tests/verdict-p.ts'
import { NOTHING_SHARED } from './verdict-card.ts'
import { joinNames } from '../names.ts'
import { describeInterval, formatCount, formatPercent, formatScore } from '../numbers.ts'

/** Less luck than this, 0 to 1, is not worth a sentence. */
const LEAST_LUCK = 0.005

/** The rows beyond these have their figures in the leaderboard. */
const MAX_ROWS = 12

interface Noted extends LeaderboardBasis {
  rows: readonly Pick<ReportRow, 'modelId' | 'own' | 'isLeftOut' | 'score' | 'readings'>[]
}

/** `62.5, lacks 1` */
export function describeOwnMean({ own }: { own?: { mean: number; lacks: number } }): string {
  if (!own) return '–'
  return own.lacks === 0 ? formatScore(own.mean) : `${formatScore(own.mean)}, lacks ${formatCount(own.lacks)}`
}

/** `own mean 62.5; 50.0 to 70.0 if they scored 0 or 100` */
function describeAlone({ mean, boundsWithMissing }: NonNullable<ReportRow['own']>): string {
  return `own mean ${formatScore(mean)}; ${describeInterval(boundsWithMissing)} if they all scored 0 or 100`
}

/** On which cases the leaderboard is, if not on all. */
function describeCasesShared({ rows, shared }: Noted): string | undefined {
  if (!shared) return undefined
  const { cases, of, leftOut } = shared
  if (!rows.some(({ own, isLeftOut }) => own && !isLeftOut)) return `${NOTHING_SHARED} Each mean is over other cases.`
  return cases === of
    ? undefined
    : `Scores and ranks are over the ${formatCount(cases)} of ${formatCount(of, 'case')} that ${leftOut.length > 0 ? 'all ranked' : 'all'} models have a score for.`
}

/** The same with the models that are left out, in one line. */
export function describeBasis(standings: Noted): string | undefined {
  const { leftOut = [] } = standings.shared ?? {}
  const basis = describeCasesShared(standings)
  const left = leftOut.length === 0 ? [] : [`Not ranked, because they lack too many cases: ${joinNames(leftOut)}.`]
  return basis === undefined && left.length === 0
    ? undefined
    : [...(basis === undefined ? [] : [basis]), ...left].join(' ')
}

function describeShared({ rows, shared }: Noted): string[] {
  if (!shared) return []
  const ranked = rows.filter(({ own, isLeftOut }) => own && !isLeftOut)
  const basis = describeCasesShared({ rows, shared })
  const lacking = rows.flatMap(({ modelId, own, isLeftOut }) => {
    if (!own || own.lacks === 0) return []
    const lacks = `lacks ${formatCount(own.lacks)} of ${formatCount(own.of, 'case')}`
    return isLeftOut && ranked.length > 0
      ? `${modelId} is left out of the ranking: it ${lacks} (${describeAlone(own)}).`
      : `${modelId} ${lacks}: ${describeAlone(own)}.`
  })
  const rest = lacking.length - MAX_ROWS
  return [
    ...(basis === undefined ? [] : [basis]),
    ...lacking.slice(0, MAX_ROWS),
    ...(rest > 0 ? [`${formatCount(rest, 'other model lacks', 'other models lack')} cases too.`] : []),
  ]
}

/** `a is first of 10: expect about 4 points less on new cases.` */
function describeLuck({ leader, rows }: Noted): string[] {
  if (!leader || leader.luck < LEAST_LUCK) return []
  // Of so few cases nothing is known, and luck may be anything.
  const units = rows.find(({ modelId }) => modelId === leader.modelId)?.score?.clusters
  if (units !== undefined && units < FEWEST_UNITS) return []
  const points = Math.max(1, Math.round(leader.luck * 100))
  return [
    `${leader.modelId} is first of ${formatCount(leader.models)}: expect about ${formatCount(points, 'point')} less on new cases.`,
  ]
}

/** Models named in one sentence: the rest has its figures in the exports. */
const MAX_READ = 3

/**
 * `12 failures contain the expected answer, and 2 passes may not give it. Passed (read loosely, read strictly): a 61.0 %
 * (66.0 %, 60.0 %).` Undefined if no other reading would change a score.
 */
export function describeReadings(rows: Noted['rows']): string | undefined {
  const read = rows.flatMap(({ modelId, readings }) => (readings ? [{ modelId, ...readings }] : []))
  const [looser, stricter] = (['looser', 'stricter'] as const).map((way) =>
    read.reduce((sum, counts) => sum + counts[way], 0),
  )
  const found = [
    looser! > 0 && `${formatCount(looser!, 'failure contains', 'failures contain')} the expected answer`,
    stricter! > 0 &&
      `${formatCount(stricter!, 'pass may', 'passes may')} not give ${looser! > 0 ? 'it' : 'the expected answer'}`,
  ].filter((part) => part !== false)
  if (found.length === 0) return undefined
  const listReadings = (loosely: string, strictly: string) =>
    [looser! > 0 && loosely, stricter! > 0 && strictly].filter((part) => part !== false).join(', ')
  const shares = read.slice(0, MAX_READ).map(({ modelId, scored, passed, ...counts }) => {
    const [loosely, strictly] = [passed + counts.looser, passed - counts.stricter].map((n) => formatPercent(n / scored))
    return `${modelId} ${formatPercent(passed / scored)} (${listReadings(loosely!, strictly!)})`
  })
  const rest = read.length - MAX_READ
  return `${found.join(', and ')}. Passed (${listReadings('read loosely', 'read strictly')}): ${shares.join('; ')}${rest > 0 ? `; and ${formatCount(rest, 'other model')}` : ''}.`
}

/** What to know before reading the leaderboard: on which cases it is, what models lack, and what the first owes to luck. */
export function describeLeaderboard(standings: Noted): string[] {
  return [
    ...describeShared(standings),
    ...describeLuck(standings),
    ...[describeReadings(standings.rows)].flatMap((sentence) => sentence ?? []),
  ]
}
