import { joinNames } from '../../names.ts'
import { formatCount } from '../../numbers.ts'

interface HardCase {
  id: string
  cells: readonly { mean?: number; passed: number; answers: readonly { score?: unknown }[] }[]
}

const MAX_NAMED = 5

/** A model failed a case if most of its answers did. */
function countFailed({ cells }: HardCase): { failed: number; scored: number } {
  const scored = cells.filter(({ mean }) => mean !== undefined)
  const failed = scored.filter(({ passed, answers }) => passed * 2 < answers.filter(({ score }) => score).length)
  return { failed: failed.length, scored: scored.length }
}

/** `No model passed 3 of 12 cases: a, b and c.` Or how many cases the most models failed; undefined if none failed. */
export function describeHardest(cases: readonly HardCase[]): string | undefined {
  const counted = cases
    .map((testCase) => ({ id: testCase.id, ...countFailed(testCase) }))
    .filter((one) => one.scored > 0)
  const most = Math.max(0, ...counted.map(({ failed, scored }) => failed / scored))
  if (most === 0) return undefined
  const hardest = counted.filter(({ failed, scored }) => failed / scored === most)
  const names = joinNames(
    hardest.map(({ id }) => id),
    MAX_NAMED,
  )
  const [{ failed, scored }] = hardest as [(typeof hardest)[number]]
  if (scored === 1) return `Failed ${formatCount(hardest.length)} of ${formatCount(counted.length, 'case')}: ${names}.`
  const who = most === 1 ? 'No model passed' : `${formatCount(failed)} of ${formatCount(scored, 'model')} failed`
  return `${who} ${formatCount(hardest.length)} of ${formatCount(counted.length, 'case')}: ${names}.`
}
