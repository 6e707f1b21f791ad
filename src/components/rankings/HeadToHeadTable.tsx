import type { HeadToHead } from '../../statistics/index.ts'
import { describeInterval, formatCount, formatScore, reverseHeadToHead } from '../../report/words/index.ts'
import { CutName } from '../ui/names/ModelName.tsx'
import { TableHead } from '../ui/TableHead.tsx'

function Meeting({ pair }: { pair: HeadToHead | undefined }) {
  if (!pair?.share) return <span className="text-muted">never met</span>
  const { wins, ties, losses, n, share } = pair
  return (
    <>
      <div>
        <span className="font-medium">{formatScore(share.mean)} %</span>{' '}
        <span className="text-muted">({describeInterval(share)})</span>
      </div>
      <div className="text-xs text-muted">
        {formatCount(wins)}–{formatCount(ties)}–{formatCount(losses)} of {formatCount(n, 'case')}
      </div>
    </>
  )
}

/** Every model against every other: its share of points, a tie half. */
export function HeadToHeadTable({ pairs, models }: { pairs: readonly HeadToHead[]; models: readonly string[] }) {
  const find = (row: string, column: string): HeadToHead | undefined => {
    const own = pairs.find(({ modelA, modelB }) => modelA === row && modelB === column)
    const other = pairs.find(({ modelA, modelB }) => modelA === column && modelB === row)
    return own ?? (other && reverseHeadToHead(other))
  }
  return (
    <div className="scroll-cue overflow-x-auto" tabIndex={0} role="region" aria-label="Head to head, scrolls sideways">
      <table className="w-full text-left text-[13px]">
        <TableHead
          columns={[
            { title: 'Model', className: 'px-3 py-1.5' },
            ...models.map((model) => ({
              key: model,
              title: <CutName name={model} />,
              className: 'max-w-48 min-w-36 px-3',
            })),
          ]}
        />
        <tbody>
          {models.map((row) => (
            <tr key={row} className="border-t border-line hover:bg-hover">
              <th scope="row" className="sticky left-0 max-w-36 bg-surface px-3 font-medium sm:max-w-64">
                <CutName name={row} />
              </th>
              {models.map((column) => (
                <td key={column} className="px-3 py-1.5 whitespace-nowrap tabular-nums">
                  {row === column ? <span className="text-muted">–</span> : <Meeting pair={find(row, column)} />}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
