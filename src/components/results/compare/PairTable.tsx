import type { ComparedModels, RunsComparison } from '../../../server/results/compare/compare-view.ts'
import type { ModelComparison } from '../../../statistics/index.ts'
import { useAddress } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { describeInterval, formatCount, formatDifference, formatScore } from '../../../report/words/index.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { TablePanel } from '../../ui/Page.tsx'
import { DifferenceMark } from './DifferenceMark.tsx'

function describeVerdictShortly(comparison: ModelComparison | undefined): string {
  const paired = comparison?.paired
  if (!paired) return 'no case in common'
  if (!paired.isSignificant) return 'cannot be told apart yet'
  return paired.meanDiff > 0 ? 'B is better' : 'B is worse'
}

/** All pairs, one a row; the cases of the chosen one are listed below. */
export function PairTable({
  comparison,
  chosen,
  reach,
}: {
  comparison: RunsComparison
  chosen: ComparedModels | undefined
  reach: number
}) {
  const [, changeQuery] = useAddress()
  const head = 'px-1.5 py-1.5 sm:px-3 font-medium whitespace-nowrap'
  const figure = 'px-1.5 text-right sm:px-3 whitespace-nowrap tabular-nums'
  return (
    <TablePanel label="Models">
      <table className="w-full">
        <caption className="sr-only">Differences between A and B; choose a row to see its cases</caption>
        <thead className="text-right text-xs text-muted">
          <tr className="border-b border-line">
            <th className={`${head} text-left`}>Model</th>
            <th className={head}>A</th>
            <th className={head}>B</th>
            <th className={head}>B − A</th>
            <th className={`${head} w-48 text-left max-lg:hidden`}>
              <span className="sr-only">95 % interval</span>
            </th>
            <th className={`${head} text-left max-lg:hidden`}>Verdict</th>
            <th className={`${head} max-lg:hidden`}>Better</th>
            <th className={`${head} max-lg:hidden`}>Worse</th>
          </tr>
        </thead>
        <tbody>
          {comparison.pairs.map((pair) => {
            const { modelA, modelB, means, comparison: compared, better, worse } = pair
            const name = modelA === modelB ? modelA : `${modelA} → ${modelB}`
            const paired = compared?.paired
            return (
              <tr
                key={JSON.stringify([modelA, modelB])}
                className={classes(
                  'border-b border-line last:border-0',
                  pair === chosen ? 'bg-accent-soft' : 'hover:bg-hover',
                )}
              >
                <th scope="row" className="w-1/2 max-w-0 px-1 sm:w-2/5 py-0.5 text-left font-normal">
                  <button
                    type="button"
                    aria-pressed={pair === chosen}
                    className="w-full rounded px-2 py-1 text-left text-accent-ink hover:underline"
                    onClick={() => changeQuery({ pa: modelA, pb: modelB, offset: undefined })}
                  >
                    <CutName name={modelA} />
                    {modelB !== modelA && <CutName name={`→ ${modelB}`} />}
                  </button>
                  <span className="block px-2 pb-1 text-xs lg:hidden">{describeVerdictShortly(compared)}</span>
                </th>
                <td className={figure}>{formatScore(means?.a)}</td>
                <td className={figure}>{formatScore(means?.b)}</td>
                <td className={`${figure} font-medium`}>{formatDifference(paired?.meanDiff)}</td>
                <td className="min-w-32 px-1 max-lg:hidden">
                  {paired && (
                    <DifferenceMark
                      mean={paired.meanDiff}
                      low={paired.confidence95[0]}
                      high={paired.confidence95[1]}
                      reach={reach}
                      label={`${name}, B minus A: ${formatDifference(paired.meanDiff)}, 95 % interval ${describeInterval(paired.confidence95)}`}
                    />
                  )}
                </td>
                <td className="px-3 whitespace-nowrap max-lg:hidden">{describeVerdictShortly(compared)}</td>
                <td className={`${figure} max-lg:hidden`}>{formatCount(better)}</td>
                <td className={`${figure} max-lg:hidden`}>{formatCount(worse)}</td>
              </tr>
            )
          })}
        </tbody>
      </table>
    </TablePanel>
  )
}
