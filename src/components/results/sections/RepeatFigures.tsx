import type { ResultsView } from '../../../server/results/results-view.ts'
import { Link } from '../../router.tsx'
import { formatCount, formatPercent } from '../../../report/words/index.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { caseAddress } from '../addresses.ts'
import { TableHead } from '../../ui/TableHead.tsx'

type Repeats = ResultsView['repeats'][string]

const MAX_FLAKY = 12

/** The values of k to show: all up to 6; with more, the first 5 and the last. */
function columnsFor(repeatCount: number): number[] {
  const all = Array.from({ length: repeatCount }, (_, index) => index + 1)
  return repeatCount <= 6 ? all : [...all.slice(0, 5), repeatCount]
}

/** pass@k shows what retrying is worth, pass^k how reliable a model is. */
export function PassTable({ repeats }: { repeats: [modelId: string, repeats: Repeats][] }) {
  const repeatCount = Math.max(0, ...repeats.map(([, { passAtK }]) => passAtK.length))
  if (repeatCount === 0) return null
  const columns = columnsFor(repeatCount)
  const rows = repeats.flatMap(([modelId, { passAtK, passHatK }]) => [
    { modelId, kind: 'pass@k', values: passAtK },
    { modelId, kind: 'pass^k', values: passHatK },
  ])
  return (
    <div className="flex min-w-0 flex-col gap-1">
      <p className="text-[13px] text-muted">
        pass@k: at least one of k runs passes. pass^k: all k pass. The mean over cases, without their weights.
      </p>
      <div
        className="scroll-cue overflow-x-auto"
        tabIndex={0}
        role="group"
        aria-label="pass@k and pass^k, scrolls sideways"
      >
        <table className="text-[13px]">
          <TableHead
            columns={[
              { title: 'Model', className: 'py-1 pr-3 text-left' },
              { title: 'Figure', className: 'px-2 text-left' },
              ...columns.map((k) => ({ title: `k = ${k}`, className: 'px-2 text-right whitespace-nowrap' })),
            ]}
          />
          <tbody>
            {rows.map(({ modelId, kind, values }) => (
              <tr key={`${modelId} ${kind}`} className={kind === 'pass@k' ? 'border-t border-line' : ''}>
                <th scope="row" className="max-w-56 py-1 pr-3 text-left font-normal">
                  {kind === 'pass@k' ? <CutName name={modelId} /> : <span className="sr-only">{modelId}</span>}
                </th>
                <td className="px-2 font-mono text-xs">{kind}</td>
                {columns.map((k) => (
                  <td key={k} className="px-2 text-right whitespace-nowrap">
                    {formatPercent(values[k - 1])}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </div>
  )
}

/** Cases that passed in some runs and failed in others: a single run would be down to luck. */
export function FlakyCases({
  selection,
  repeats,
}: {
  selection: string
  repeats: [modelId: string, repeats: Repeats][]
}) {
  const flaky = repeats.filter(([, { flakyCount }]) => flakyCount > 0)
  if (flaky.length === 0) return <p className="text-[13px]">No flaky cases: each passed in all runs or in none.</p>
  return (
    <ul className="flex flex-col gap-1 text-[13px]">
      {flaky.map(([modelId, { flaky: ids, flakyCount }]) => (
        <li key={modelId} className="break-words">
          <span className="font-medium">{modelId}</span>: {formatCount(flakyCount, 'case')} passed only in some runs:{' '}
          {ids.slice(0, MAX_FLAKY).map((id, index) => (
            <span key={id}>
              {index > 0 && ', '}
              <Link to={caseAddress(selection, { id, model: modelId })} className="text-accent-ink underline">
                {id}
              </Link>
            </span>
          ))}
          {flakyCount > MAX_FLAKY && ` and ${flakyCount - Math.min(MAX_FLAKY, ids.length)} more`}
        </li>
      ))}
    </ul>
  )
}
