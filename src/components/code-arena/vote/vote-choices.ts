import type { VoteResult } from '../../../server/code-arena/arena-pairs.ts'
import type { VoteRequest } from '../../../contract/index.ts'

type Choice = VoteRequest['choice']

/** Digits, because letters after `g` switch screens. */
export const choices: { choice: Choice; label: string; key: string }[] = [
  { choice: 'left', label: 'A is better', key: '1' },
  { choice: 'right', label: 'B is better', key: '2' },
  { choice: 'tie', label: 'Tie', key: '3' },
  { choice: 'both-bad', label: 'Both bad', key: '4' },
]

export function choiceOfKey(pressed: string): Choice | undefined {
  return choices.find(({ key }) => key === pressed)?.choice
}

/** The vote in words, with the models' names. */
export function describeVote({ left, right, choice }: VoteResult): string {
  if (choice === 'left') return `You preferred ${left} to ${right}.`
  if (choice === 'right') return `You preferred ${right} to ${left}.`
  return choice === 'tie'
    ? `You saw no difference between ${left} and ${right}.`
    : `You liked neither ${left} nor ${right}.`
}
