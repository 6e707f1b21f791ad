import type { RunVote } from '../../../server/code-arena/run-votes.ts'
import { pairName, isLive } from '../../../contract/index.ts'
import type { ArenaRunSummary } from '../../../server/code-arena/arena-list.ts'

/** A page of the run, named by a letter until its model may be shown. */
export interface BallotPage {
  modelId: string
  letter: string
  /** `none`: there will be no page to look at. */
  state: 'writing' | 'works' | 'none'
}

export type Pair = readonly [BallotPage, BallotPage]

export interface Ballot {
  /** No page is still being written, so people can vote. */
  isWritten: boolean
  /** Pages that can be voted on. */
  pages: BallotPage[]
  pairCount: number
  /** Pairs without a vote, in the order in which they are asked. */
  open: Pair[]
  areNamesShown: boolean
}

export const letterOf = (index: number) => String.fromCharCode(65 + index)

function pairUp<T>(items: readonly T[]): (readonly [T, T])[] {
  return items.flatMap((a, index) => items.slice(index + 1).map((b) => [a, b] as const))
}

interface BallotOptions {
  pages: readonly BallotPage[]
  /** Undefined while they load. */
  votes: readonly Pick<RunVote, 'left' | 'right'>[] | undefined
  hasSeenNames: boolean
  /** No more pages are to come, not even after a resume. */
  isFinal: boolean
}

/** What is left to vote on, and whether the names may be shown: after the last vote, or if there is nothing to vote on. */
export function readBallot({ pages, votes, hasSeenNames, isFinal }: BallotOptions): Ballot {
  const voted = new Set(votes?.map(({ left, right }) => pairName(left, right)))
  const isOpen = ([a, b]: Pair) => !voted.has(pairName(a.modelId, b.modelId))
  const isWritten = pages.every(({ state }) => state !== 'writing')
  const working = pages.filter(({ state }) => state === 'works')
  const open = pairUp(working).filter(isOpen)
  const pairCount = pairUp(working).length
  const isVoted = isWritten ? open.length === 0 && (pairCount > 0 || isFinal) : !pairUp(pages).some(isOpen)
  return {
    isWritten,
    pages: working,
    pairCount,
    open,
    areNamesShown: hasSeenNames || pages.length < 2 || (votes !== undefined && isVoted),
  }
}

/** FNV-1a with a final mix, so that similar texts do not end up side by side. */
function hash(text: string): number {
  let value = 0x811c9dc5
  for (let index = 0; index < text.length; index++) value = Math.imul(value ^ text.charCodeAt(index), 0x01000193)
  value = Math.imul(value ^ (value >>> 16), 0x85ebca6b)
  value = Math.imul(value ^ (value >>> 13), 0xc2b2ae35)
  return (value ^ (value >>> 16)) >>> 0
}

/**
 * The models of a run in an order drawn for this person and this run: the same after a reload, and no guide to the names
 * in the next run.
 */
export function drawOrder(modelIds: readonly string[], { runId, voter }: { runId: string; voter: string }): string[] {
  const drawn = new Map(modelIds.map((modelId) => [modelId, hash(JSON.stringify([voter, runId, modelId]))]))
  return modelIds.toSorted((a, b) => drawn.get(a)! - drawn.get(b)!)
}

type RunFacts = Pick<ArenaRunSummary, 'runId' | 'models' | 'votes' | 'state' | 'workedOnBy'>

/** At most: pages that do not work are found when the run is opened. */
export function countOpenPairs({ models, votes }: Pick<RunFacts, 'models' | 'votes'>): number {
  return Math.max(0, (models.length * (models.length - 1)) / 2 - votes)
}

/** True if a blind vote may be left. */
export function isWaitingForVote(run: RunFacts, namesSeen: ReadonlySet<string>): boolean {
  return !isLive(run) && countOpenPairs(run) > 0 && !namesSeen.has(run.runId)
}
