import type { ServedPair, RunsComparison } from '../../../server/results/compare/compare-view.ts'
import { namePair, pairTable } from '../../../report/tables/comparing.ts'
import { intervalOf } from '../../../report/words/verdicts/pairs/gap.ts'
import { describeInterval, describeVerdictShortly, formatDifference } from '../../../report/words/index.ts'
import { useAddress } from '../../router.tsx'
import { DataTable } from '../../ui/table/DataTable.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { DifferenceMark } from './DifferenceMark.tsx'

const COLUMNS = new Set(['model', 'a', 'b', 'change', 'verdict', 'better', 'worse'])

/** All pairs, one a row; the cases of the chosen one are listed below. */
export function PairTable({
  comparison,
  chosen,
  reach,
}: {
  comparison: RunsComparison
  chosen: ServedPair | undefined
  reach: number
}) {
  const [, changeQuery] = useAddress()
  return (
    <DataTable
      label="Differences between A and B; choose a row to see its cases"
      columns={pairTable.filter(({ key }) => COLUMNS.has(key))}
      rows={comparison.pairs}
      keyOf={({ before, after }) => JSON.stringify([before, after])}
      isChosen={(pair) => pair === chosen}
      draw={{
        model: (pair) => (
          <>
            <button
              type="button"
              aria-pressed={pair === chosen}
              className="w-full rounded text-left text-accent-ink hover:underline"
              onClick={() => changeQuery({ pa: pair.before, pb: pair.after, offset: undefined })}
            >
              <CutName name={pair.before} />
              {pair.after !== pair.before && <CutName name={`→ ${pair.after}`} />}
            </button>
            <span className="block text-xs font-normal lg:hidden">{describeVerdictShortly(pair.comparison)}</span>
          </>
        ),
      }}
      chart={{
        label: '95 % CI',
        className: 'w-48 min-w-32 max-lg:hidden',
        draw: (pair) => {
          const paired = pair.comparison?.paired
          if (!paired) return undefined
          const { meanDiff } = paired
          const [low, high] = intervalOf(paired)
          return (
            <DifferenceMark
              mean={meanDiff}
              low={low}
              high={high}
              reach={reach}
              label={`${namePair(pair)}, B minus A: ${formatDifference(meanDiff)}, 95 % CI ${describeInterval({ low, high })}`}
            />
          )
        },
      }}
    />
  )
}
