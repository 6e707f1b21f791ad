import type { ModelComparison } from '../../statistics/index.ts'
import { formatCount, formatP } from '../words/numbers.ts'
import { findPair } from '../words/verdicts/first-place.ts'
import { describeGapEnds, formatGap, seeGap, type Gap } from '../words/verdicts/pairs/gap.ts'
import { describePairWord } from '../words/verdicts/outcome.ts'
import type { Table } from './table.ts'

/** Two models, the one with the better place first. */
interface OrderedPair {
  ahead: string
  behind: string
  paired: NonNullable<ModelComparison['paired']>
  /** From the side of the first. */
  gap: Gap
  won: number
  lost: number
}

export const isSignificantPair = ({ paired }: OrderedPair) => paired.isSignificant

/** In the order of the leaderboard; without pairs that share no case. */
export function orderPairs(models: readonly string[], comparisons: readonly ModelComparison[]): OrderedPair[] {
  return models.flatMap((ahead, index) =>
    models.slice(index + 1).flatMap((behind): OrderedPair[] => {
      const pair = findPair(ahead, behind, comparisons)
      if (!pair?.paired) return []
      const { paired } = pair
      const { wins, losses } = paired
      const [won, lost] = pair.modelA === ahead ? [wins, losses] : [losses, wins]
      return [{ ahead, behind, paired, gap: seeGap(ahead, { ...pair, paired }), won, lost }]
    }),
  )
}

/** Every pair in a line. p is corrected for all of them. */
export const pairsTable: Table<OrderedPair> = [
  { key: 'ahead', label: 'Pair', role: 'name', cut: 'middle', text: ({ ahead }) => ahead },
  { key: 'verdict', label: '', text: ({ paired, gap }) => describePairWord(paired, gap) },
  { key: 'behind', label: '', cut: 'middle', text: ({ behind }) => behind },
  {
    key: 'gap',
    label: 'Gap',
    align: 'end',
    role: 'main',
    text: ({ gap }) => `${gap.mean < 0 ? '−' : ''}${formatGap(gap)}`,
  },
  { key: 'interval', label: '95 % CI', align: 'end', role: 'interval', text: ({ gap }) => describeGapEnds(gap) },
  {
    key: 'won',
    label: 'Won : lost',
    align: 'end',
    text: ({ won, lost }) => `${formatCount(won)} : ${formatCount(lost)}`,
  },
  { key: 'p', label: 'p', align: 'end', text: ({ paired }) => formatP(paired.adjustedP).replace(/^p (?:= )?/, '') },
]
