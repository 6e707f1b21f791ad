import type { ArenaVote, CodeArenaRequestInput, LiveCell, ModelParameters } from '../../contract/index.ts'
import type { ArenaKind, ArenaStyle } from '../model/arena/arena-ranking.ts'
import { describeStyleWeights } from './judges/judging.ts'
import { joinWords } from './names.ts'
import {
  describeInterval,
  formatCost,
  formatCount,
  formatDuration,
  formatPercent,
  formatScore,
  formatStatistic,
} from './numbers.ts'
import { describeArenaGroups, type ArenaGames } from './verdicts/rankings.ts'

type Page = Omit<LiveCell, 'text'> & { response: string }

/** The state of a page in words; without `isLive`, a page without an answer was not requested. */
export function describePageState(
  { state, step, response, message, outcome, page: { inspection, unscored } = {} }: Page,
  { isLive }: { isLive: boolean },
): string {
  if (step === 'sent') return message ?? 'Waiting for the first token'
  if (step === 'streaming') return `Writing, ${formatCount(response.length, 'character')} so far`
  if (step === 'scoring') return message ?? (inspection ? 'Judging' : 'Written, inspecting the page in a browser')
  if (state === 'error') return message ?? 'Error'
  if (state === 'unscored')
    return unscored?.code === 'not-judged'
      ? 'Done, not judged'
      : `Done, unscored: ${message ?? unscored?.message ?? 'no reason given'}`
  if (state !== 'scored') return message ?? (isLive ? 'Pending' : 'Not run')
  return outcome === undefined || outcome === 'ok' ? 'Judged' : `Judged; the answer was ${outcome}`
}

/** The same before the vote: nothing that could tell the model, such as the messages of its provider. */
export function describeBlindPage(
  { state, step, response }: Pick<Page, 'state' | 'step' | 'response'>,
  { isLive }: { isLive: boolean },
): string {
  if (step === 'streaming') return `Writing, ${formatCount(response.length, 'character')} so far`
  if (state === 'error') return 'Error'
  if (response !== '') return 'Written'
  return isLive ? 'Pending' : 'Not run'
}

/** Latency, tokens and cost: `12.4 s · 3,204 tokens · $0.012` */
export function describeEffort({ page: { latencyMs, completionTokens, cost } = {} }: Page): string[] {
  return [
    latencyMs !== undefined && formatDuration(latencyMs),
    completionTokens !== undefined && `${formatCount(completionTokens)} tokens`,
    cost !== undefined && formatCost(cost),
  ].filter((part) => part !== false)
}

/** `judged by demo/judge from the code alone` */
export function describePageJudges(judges: readonly string[], { isQuickJudge }: { isQuickJudge?: boolean }): string {
  if (judges.length === 0) return 'no judge, people vote'
  const names = judges.length === 1 ? judges[0] : formatCount(judges.length, 'judge')
  return `judged by ${names}${isQuickJudge ? ' from the code alone' : ''}`
}

interface ChosenOptions {
  judges: readonly string[]
  task: { systemPrompt: string; isQuickJudge: boolean }
  parameters: ModelParameters
  defaults: ModelParameters
  maxCost: number | undefined
}

/** The options in one line, for when they are closed. */
export function describeArenaOptions({ judges, task, parameters, defaults, maxCost }: ChosenOptions): string {
  const usual = new Map<string, unknown>(Object.entries(defaults))
  const isChanged = Object.entries(parameters).some(([name, value]) => usual.get(name) !== value)
  return [
    describePageJudges(judges, task),
    ...(task.systemPrompt.trim() === '' ? [] : ['custom system prompt']),
    isChanged ? 'changed parameters' : 'default parameters',
    maxCost === undefined ? 'no budget' : `at most ${formatCost(maxCost)}`,
  ].join(' · ')
}

/** What the run would do, in one line. */
export function describeArenaRequest({
  models,
  judgeModelIds = [],
  isQuickJudge,
  maxCost,
}: CodeArenaRequestInput): string {
  return [
    `${formatCount(models.length, 'page')}, one per model`,
    `${describePageJudges(judgeModelIds, { isQuickJudge })}${isQuickJudge || judgeModelIds.length === 0 ? '' : ' from screenshots, findings and code'}`,
    ...(maxCost === undefined ? [] : [`at most ${formatCost(maxCost)}`]),
  ].join(' · ')
}

/** What a shared report hides. */
export function describeLeftOut({
  isAnonymous,
  isWithoutTexts,
}: {
  isAnonymous?: boolean
  isWithoutTexts?: boolean
}): string | undefined {
  const parts = [isAnonymous && 'names of models, costs and times', isWithoutTexts && 'prompts, code and pictures']
  return parts.some(Boolean) ? parts.filter((part) => typeof part === 'string').join('; ') : undefined
}

/** A vote, once the names of the models are shown. */
export function describeVote({ left, right, choice }: ArenaVote): string {
  if (choice === 'left') return `You preferred ${left} to ${right}.`
  if (choice === 'right') return `You preferred ${right} to ${left}.`
  return choice === 'tie'
    ? `You called it a tie between ${left} and ${right}.`
    : `You liked neither ${left} nor ${right}.`
}

const winnerOf = ({ left, right, choice }: ArenaVote) =>
  choice === 'left' ? left : choice === 'right' ? right : undefined

/** The votes on the pages of a run. */
export function describeVotes(votes: readonly (ArenaVote & { isMine: boolean; isBlind: boolean })[]): string {
  const mine = votes.filter(({ isMine }) => isMine)
  const [first] = mine
  if (!first) return votes.length === 0 ? 'No votes.' : 'Others have voted on these pages.'
  const notBlind = mine.some(({ isBlind }) => !isBlind) ? ' Not blind: you had seen the names.' : ''
  if (mine.length === 1) return describeVote(first) + notBlind
  const winner = winnerOf(first)
  const isBest = winner !== undefined && mine.every((vote) => winnerOf(vote) === winner)
  return `${isBest ? `You preferred ${winner} to all others.` : `You voted on ${mine.length} pairs.`}${notBlind}`
}

/** `768 px at 51 %` */
export function describeViewport({ width, scale }: { width: number; scale: number }): string {
  return scale === 1 ? `${width} px, full size` : `${width} px at ${Math.round(scale * 100)} %`
}

/** `375 px, after use` */
export function describeScreenshot({
  width,
  isAfterInteraction,
  isStrip,
}: {
  width: number
  isAfterInteraction?: boolean
  isStrip?: boolean | undefined
}): string {
  if (isStrip) return 'the first 3 seconds'
  return `${width} px${isAfterInteraction ? ', after use' : ''}`
}

const countGames = (count: number, games: ArenaGames) => formatCount(count, games === 'votes' ? 'vote' : 'judged pair')

/** The kinds of task in which some models were never compared, and those with too few games to rank by. */
export function describeKinds(kinds: readonly ArenaKind[], games: ArenaGames): string[] {
  const small = kinds.filter(({ models }) => models.length === 0)
  const named = small.map((kind) => `${kind.name} (${formatCount(kind.games)})`)
  return [
    ...kinds.flatMap(({ name, models }) => {
      const apart = describeArenaGroups(models)
      return apart === undefined ? [] : [`${name}: ${apart}`]
    }),
    ...(small.length > 0
      ? [`Not ranked, with too few ${games === 'votes' ? 'votes' : 'judged pairs'}: ${joinWords(named)}.`]
      : []),
  ]
}

/** How much of a win is the length of the code. */
export function describeArenaStyle(style: ArenaStyle, games: ArenaGames): string {
  if (style.state === 'too-few') {
    const { games: count, runs, neededGames, neededRuns } = style
    return `Ratings at equal length of code need ${countGames(neededGames, games)} of models that were compared with each other, in ${formatCount(neededRuns, 'run')}; so far ${formatCount(count)} in ${formatCount(runs, 'run')}.`
  }
  const { decided, longerWon, longerWins, timesAsLong, weights, leftOut } = style
  const won =
    decided === 0
      ? []
      : [
          `The longer code won ${formatCount(longerWon)} of ${countGames(decided, games)} without a tie (${formatPercent(longerWon / decided, 0)}).`,
        ]
  const worth = longerWins
    ? [
        `Between models of equal rating, code ${formatStatistic(timesAsLong)} times as long wins ${formatScore(longerWins.mean)} % (${describeInterval(longerWins)}).`,
      ]
    : []
  const others = leftOut > 0 ? [`${formatCount(leftOut, 'model')} never compared with these left out.`] : []
  return [...won, ...worth, `${describeStyleWeights(weights)}.`, ...others].join(' ')
}
