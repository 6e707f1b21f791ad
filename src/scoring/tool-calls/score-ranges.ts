/** Names for partial scores, best first; a score belongs to the first range whose `from` it reaches. */
export const scoreRanges = [
  { label: 'perfect', from: 1 },
  { label: 'near miss', from: 0.9 },
  { label: 'partial success', from: 0.4 },
  { label: 'wrong approach', from: 0 },
] as const

export type ScoreRange = (typeof scoreRanges)[number]['label']

export function rangeOf(score: number): ScoreRange {
  return scoreRanges.find(({ from }) => score >= from)?.label ?? 'wrong approach'
}

export const isSuccess = (reward: number | undefined): boolean => reward !== undefined && reward > 0.9
