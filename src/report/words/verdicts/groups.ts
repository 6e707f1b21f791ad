import type { GroupPair } from '../../../statistics/index.ts'
import { FEWEST_UNITS } from '../../../statistics/tests/verdict-p.ts'
import type { GroupedStandings, GroupStandings } from '../../model/standings/grouped-standings.ts'
import { groupingWords } from '../groups.ts'
import { formatPassed } from '../passed.ts'
import { capitalise, excerpt, joinNames, joinWords } from '../names.ts'
import { describeInterval, formatCount, formatDifference, formatPoints, formatScore } from '../numbers.ts'
import { intervalOf } from './pairs/gap.ts'
import { areSame, BEATS, describeSameWithin, TOO_CLOSE } from './verdicts.ts'

const MAX_NAME = 60
const MAX_CLAUSES = 4
const MAX_LOSERS = 3

interface Win {
  winner: string
  loser: string
  gap: number
}

function listWins(pairs: readonly GroupPair[]): Win[] {
  return pairs
    .filter(({ isSignificant }) => isSignificant)
    .map(({ modelA, modelB, meanDiff }) =>
      meanDiff > 0
        ? { winner: modelA, loser: modelB, gap: meanDiff }
        : { winner: modelB, loser: modelA, gap: -meanDiff },
    )
}

const unitsOf = (groups: readonly GroupStandings[]) =>
  groups.some(({ cases, clusters }) => clusters < cases) ? 'independent cases' : 'cases'

const isTooSmall = ({ pairs }: GroupStandings) => pairs.every(({ clusters }) => clusters < FEWEST_UNITS)

/** The margin within which all pairs are practically the same; undefined if some may not be. */
function findSameMargin(pairs: readonly GroupPair[]): number | undefined {
  return pairs.length > 0 && pairs.every(areSame) ? pairs[0]!.equivalence!.margin : undefined
}

/** Who is better in a group: `a beats b by 23.0 points (4.1 to 41.9)`, or why nobody is. */
export function describeGroupVerdict(group: GroupStandings): string {
  const { pairs, rows } = group
  const [first] = pairs
  if (!first) return rows.filter(({ score }) => score).length < 2 ? '–' : 'no case in common'
  const wins = listWins(pairs)
  if (pairs.length === 1 && wins[0]) {
    const [low, high] = first.shownInterval
    const [from, to] = first.meanDiff > 0 ? [low, high] : [0 - high, 0 - low]
    const { winner, loser, gap } = wins[0]
    return `${winner} ${BEATS} ${loser} by ${formatPoints(gap)} (${describeInterval([from, to])})`
  }
  if (wins.length > 0)
    return Array.from(
      Map.groupBy(wins, ({ winner }) => winner),
      ([winner, own]) =>
        `${winner} ${BEATS} ${joinNames(
          own.map(({ loser }) => loser),
          MAX_LOSERS,
        )}`,
    ).join('; ')
  if (isTooSmall(group)) return `too few ${unitsOf([group])} for a verdict`
  const margin = findSameMargin(pairs)
  if (margin !== undefined) return describeSameWithin(margin)
  return pairs.length === 1 ? `${TOO_CLOSE} (${describeInterval(intervalOf(first))})` : TOO_CLOSE
}

/** `A beats B in algebra by 23.0 and in code by 12.0 points` */
function describeWins(wins: readonly (Win & { value: string })[]): string {
  const [{ winner, loser }] = wins as [Win & { value: string }, ...Win[]]
  const where = wins.map(
    ({ value, gap }, index) =>
      `in ${excerpt(value, MAX_NAME)} by ${index === wins.length - 1 ? formatPoints(gap) : formatScore(gap)}`,
  )
  return `${winner} ${BEATS} ${loser} ${joinWords(where)}`
}

/** What is left of a breakdown once its differences are named. */
function describeRest(rest: readonly GroupStandings[], isAll: boolean): string | undefined {
  if (rest.length === 0) return undefined
  const margins = rest.map(({ pairs }) => findSameMargin(pairs))
  const margin = margins.every((own) => own !== undefined) ? margins[0] : undefined
  if (isAll) {
    if (margin !== undefined) return `${describeSameWithin(margin)} in every group`
    return rest.every(isTooSmall)
      ? `every group has too few ${unitsOf(rest)} for a verdict (at least ${formatCount(FEWEST_UNITS)})`
      : 'no group shows a difference that holds'
  }
  const others = rest.length === 1 ? 'the other group' : `the other ${formatCount(rest.length)} groups`
  if (margin !== undefined) return `in ${others} they are ${describeSameWithin(margin)}`
  return `${others} ${rest.length === 1 ? 'is' : 'are'} ${TOO_CLOSE}`
}

/**
 * Who wins where, in one sentence: `By category: A beats B in algebra by 23.0 points; the other 3 groups are too close to
 * call.` From the groups' own scores, never the pooled ones. Undefined if no group has two models to compare.
 */
export function describeGroups({ by, groups }: GroupedStandings): string | undefined {
  const compared = groups.filter(({ pairs }) => pairs.length > 0)
  if (compared.length === 0) return undefined
  const wins = compared.flatMap(({ value, pairs }) => listWins(pairs).map((win) => ({ ...win, value })))
  const byPair = [...Map.groupBy(wins, ({ winner, loser }) => JSON.stringify([winner, loser])).values()].map((own) =>
    own.toSorted((a, b) => b.gap - a.gap),
  )
  byPair.sort((a, b) => b.length - a.length || b[0]!.gap - a[0]!.gap)
  const shown = byPair.slice(0, MAX_CLAUSES).map((own) => own.slice(0, MAX_CLAUSES))
  const left = wins.length - shown.flat().length
  const won = new Set(wins.map(({ value }) => value))
  const rest = describeRest(
    compared.filter(({ value }) => !won.has(value)),
    won.size === 0,
  )
  const clauses = [
    ...shown.map(describeWins),
    ...(left > 0 ? [`${formatCount(left, 'more difference holds', 'more differences hold')}`] : []),
    ...(rest === undefined ? [] : [rest]),
  ]
  return `${capitalise(`by ${groupingWords[by].one}`)}: ${clauses.join('; ')}.`
}

/** A score as it is, and drawn towards the other groups with the interval of that: `72.0 · 68.3 (60.1 to 76.2)` */
export function formatInGroup(
  { score, pooled }: GroupStandings['rows'][number],
  { withInterval = false }: { withInterval?: boolean } = {},
): string {
  const raw = formatScore(score?.mean)
  if (!pooled) return raw
  return `${raw} · ${formatScore(pooled.estimate)}${withInterval ? ` (${describeInterval(pooled)})` : ''}`
}

/** The figures behind a score of a group: `95 % CI 60.1 to 83.9; 12/15 passed; drawn towards the other groups 68.3 (60.1 to 76.2)` */
export function describeGroupScore(
  score: NonNullable<GroupStandings['rows'][number]['score']>,
  pooled: GroupStandings['rows'][number]['pooled'],
): string {
  const facts = [`95 % CI ${describeInterval(score)}`, `${formatPassed(score)} passed`]
  if (pooled) facts.push(`drawn towards the other groups ${formatScore(pooled.estimate)} (${describeInterval(pooled)})`)
  return facts.join('; ')
}

/** The difference of the only pair: `+23.0 · +15.2 (4.1 to 26.3)`, with the interval of the pooled one. */
export function formatGroupDifference({ pairs }: GroupStandings): string {
  const [pair] = pairs
  if (!pair || pairs.length > 1) return '–'
  const raw = formatDifference(pair.meanDiff)
  if (!pair.pooled) return `${raw} (${describeInterval(intervalOf(pair))})`
  return `${raw} · ${formatDifference(pair.pooled.estimate)} (${describeInterval(pair.pooled)})`
}

/** What the figures of a breakdown are, a sentence each. */
export function explainGroups({ groups, tests, leader }: GroupedStandings): string[] {
  const isPooled = groups.some(
    ({ rows, pairs }) => rows.some(({ pooled }) => pooled) || pairs.some((pair) => pair.pooled),
  )
  return [
    ...(tests > 1
      ? [`Verdicts and their intervals hold for all ${formatCount(tests)} comparisons together (95 %).`]
      : []),
    ...(leader === undefined
      ? []
      : [`Only the pairs with ${leader} are compared; the correction is for all pairs of models.`]),
    ...(isPooled
      ? [
          'The second figure, with its 95 % CI, is drawn towards the other groups, because a group of fewer than 30 cases says little by itself; verdicts rest on the first.',
        ]
      : []),
  ]
}
