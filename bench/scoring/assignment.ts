/**
 * Effects credit for 100 expected and 100 actual calls of one tool, compared with only filling the same 100 × 100 table
 * of similarities. Run: `node bench/scoring/assignment.ts`
 */
import { scoreToolCalls } from '../../src/scoring/index.ts'
import { compareTimes, formatTime } from '../measure.ts'

const expected = Array.from({ length: 100 }, (_, index) => ({
  name: 'send',
  arguments: { to: `user-${index}`, amount: index % 7 },
}))
const actual = expected.toReversed()

function fillTable(): number {
  let same = 0
  for (const { arguments: wanted } of expected)
    for (const { arguments: called } of actual)
      same += Number(wanted.to === called.to) + Number(wanted.amount === called.amount)
  return same
}

const { ours, bare, ratio } = await compareTimes(
  () => scoreToolCalls(expected, actual, { credit: 'effects' }),
  fillTable,
)
console.log(
  `100 × 100 calls, effects credit: ${formatTime(ours)}; bare table ${formatTime(bare)} (${ratio.toFixed(0)} ×)`,
)
