import type { VoteRequest } from '../../../contract/index.ts'
import type { Ballot, Pair } from './ballot.ts'

type Votes = VoteRequest['votes']

/** One button of the ballot. */
export interface VoteChoice {
  label: string
  /** A digit, because letters after `g` switch screens. */
  key: string
  votes: Votes
  /** The page that is best, if the choice is for one. */
  letter?: string
}

export function choicesOfPair([left, right]: Pair): VoteChoice[] {
  const vote = (choice: Votes[number]['choice']): Votes => [{ left: left.modelId, right: right.modelId, choice }]
  return [
    { label: `${left.letter} is better`, key: '1', votes: vote('left') },
    { label: `${right.letter} is better`, key: '2', votes: vote('right') },
    { label: 'Tie', key: '3', votes: vote('tie') },
    { label: 'Both bad', key: '4', votes: vote('both-bad') },
  ]
}

/**
 * The best page wins against each of the others; about the others among themselves it says nothing. A tie and "all bad"
 * are about every pair.
 */
export function choicesOfBest({ pages, open }: Pick<Ballot, 'pages' | 'open'>): VoteChoice[] {
  const best = pages.map(({ modelId, letter }, index) => ({
    label: `${letter} is best`,
    letter,
    key: String(index + 1),
    votes: open
      .filter((pair) => pair.some((page) => page.modelId === modelId))
      .map(([a, b]) => ({
        left: modelId,
        right: (a.modelId === modelId ? b : a).modelId,
        choice: 'left' as const,
      })),
  }))
  const voteOnAll = (choice: 'tie' | 'both-bad') =>
    open.map(([left, right]) => ({ left: left.modelId, right: right.modelId, choice }))
  return [
    ...best.filter(({ votes }) => votes.length > 0),
    { label: 'Tie', key: String(pages.length + 1), votes: voteOnAll('tie') },
    { label: 'All bad', key: String(pages.length + 2), votes: voteOnAll('both-bad') },
  ]
}
