import type { PartialRanking } from '../../statistics/index.ts'
import { formatCount, formatRatingInterval } from '../../report/words/index.ts'
import { CutName } from '../ui/names/ModelName.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import { TableHead } from '../ui/TableHead.tsx'

/** Ratings over parts of the cases or of the time, a column each. */
export function PartsTable({
  title,
  parts,
  models,
}: {
  title: string
  parts: readonly PartialRanking[]
  models: readonly string[]
}) {
  if (parts.length < 2) return null
  return (
    <Section title={title} aside="in each column 1,000 is the mean of its models">
      <Panel>
        <div
          className="scroll-cue overflow-x-auto"
          tabIndex={0}
          role="region"
          aria-label={`${title}, scrolls sideways`}
        >
          <table className="w-full text-left text-[13px]">
            <TableHead
              columns={[
                { title: 'Model', className: 'px-3 py-1.5' },
                ...parts.map(({ name, cases }) => ({
                  key: name,
                  title: `${name} · ${formatCount(cases, 'case')}`,
                  className: 'px-3 text-right whitespace-nowrap',
                })),
              ]}
            />
            <tbody>
              {models.map((modelId) => (
                <tr key={modelId} className="border-t border-line hover:bg-hover">
                  <th scope="row" className="sticky left-0 max-w-36 bg-surface px-3 font-medium sm:max-w-64">
                    <CutName name={modelId} />
                  </th>
                  {parts.map((part) => {
                    const found = part.models.find((model) => model.modelId === modelId)
                    return (
                      <td key={part.name} className="px-3 py-1.5 text-right whitespace-nowrap tabular-nums">
                        {found ? formatRatingInterval(found) : <span className="text-muted">–</span>}
                      </td>
                    )
                  })}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      </Panel>
    </Section>
  )
}
