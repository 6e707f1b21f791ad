import type { RunVote } from '../../../server/code-arena/run-votes.ts'

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

const keyOf = (a: string, b: string) => JSON.stringify([a, b].toSorted())

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
  const voted = new Set(votes?.map(({ left, right }) => keyOf(left, right)))
  const isOpen = ([a, b]: Pair) => !voted.has(keyOf(a.modelId, b.modelId))
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
