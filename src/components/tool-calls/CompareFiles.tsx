import { Loaded } from '../ui/Loaded.tsx'
import { useToolCallFiles } from '../queries.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { SelectField } from '../ui/Field.tsx'
import { describeInterval, formatCount, formatDifference, formatP } from '../../report/words/index.ts'
import { Notice } from '../ui/Notice.tsx'
import { readSmallestDifference, SmallestDifference } from '../results/SmallestDifference.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import type { Credit } from './credit.ts'

/** Compares this file with another, task by task. */
export function CompareFiles({ id, credit }: { id: string; credit: Credit }) {
  const [query, changeQuery] = useAddress()
  const otherId = query.get('with') ?? ''
  const smallestDifference = readSmallestDifference(query)
  const files = useToolCallFiles()
  const others = files.data?.filter((file) => file.id !== id) ?? []
  const compared = useQuery({
    queryKey: ['compareToolCalls', id, otherId, credit, smallestDifference],
    queryFn: () => readReply(api.toolCalls.compare.$get({ query: { a: id, b: otherId, credit, smallestDifference } })),
    enabled: otherId !== '',
  })
  if (others.length === 0) return null
  return (
    <Section title="Compare with another file">
      <SelectField
        label="Other file"
        isLabelHidden
        className="max-w-md"
        value={otherId}
        onChange={(event) => changeQuery({ with: event.target.value })}
      >
        <option value="">Choose a file…</option>
        {others.map((file) => (
          <option key={file.id} value={file.id}>
            {file.name} ({file.format})
          </option>
        ))}
      </SelectField>
      {otherId !== '' && <SmallestDifference />}
      <Loaded query={compared} what="the comparison" rows={2}>
        {(comparison) => (
          <>
            {comparison.warnings.map((warning) => (
              <Notice key={warning} kind="warning" title="These files measure different things">
                {warning}
              </Notice>
            ))}
            <Panel className="flex flex-col gap-3 p-3">
              {comparison.sentences.map((sentence) => (
                <p key={sentence} className="whitespace-pre-line">
                  {sentence}
                </p>
              ))}
              <div className="overflow-x-auto">
                <table className="w-full text-right">
                  <thead className="text-xs text-muted">
                    <tr>
                      <th className="py-1 text-left font-medium">Measure</th>
                      <th className="px-3 py-1 font-medium">Tasks</th>
                      <th className="px-3 py-1 font-medium">Difference</th>
                      <th className="px-3 py-1 font-medium">95 % CI</th>
                      <th className="px-3 py-1 font-medium">Permutation test</th>
                      <th className="px-3 py-1 font-medium">Better · equal · worse</th>
                    </tr>
                  </thead>
                  <tbody>
                    {comparison.comparisons.map(({ measure, paired }) => (
                      <tr key={measure} className="border-t border-line">
                        <td className="py-1 text-left">{measure}</td>
                        {paired ? (
                          <>
                            <td className="px-3 py-1">{formatCount(paired.n)}</td>
                            <td className="px-3 py-1 font-medium">{formatDifference(paired.meanDiff)}</td>
                            <td className="px-3 py-1 whitespace-nowrap">{describeInterval(paired.confidence95)}</td>
                            <td className="px-3 py-1">{formatP(paired.adjustedP)}</td>
                            <td className="px-3 py-1">
                              {formatCount(paired.wins)} · {formatCount(paired.ties)} · {formatCount(paired.losses)}
                            </td>
                          </>
                        ) : (
                          <td colSpan={5} className="px-3 py-1 text-left text-muted">
                            no tasks in common
                          </td>
                        )}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </div>
            </Panel>
          </>
        )}
      </Loaded>
    </Section>
  )
}
