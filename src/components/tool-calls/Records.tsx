import { Loaded } from '../ui/Loaded.tsx'
import { Pager } from '../ui/table/Pager.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { classes } from '../ui/classes.ts'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { formatCount, formatScore, formatStatistic } from '../../report/words/index.ts'
import { Section, TablePanel } from '../ui/Page.tsx'
import { usePageKeys } from '../ui/keys.ts'
import { scoreStyle } from '../ui/charts/score-colour.ts'
import { creditNames, type Credit } from './credit.ts'
import { RecordDetail } from './RecordDetail.tsx'

const PAGE_SIZE = 50

/** Effects credit leads, whichever the page shows. */
const shownCredits = ['effects', 'calls'] as const
const ranges = ['perfect', 'near miss', 'partial success', 'wrong approach'] as const
const rewards = ['passed', 'failed', 'unknown'] as const

/** The records, and the reasons for the score of the selected one. */
export function Records({ id, credit }: { id: string; credit: Credit }) {
  const [query, changeQuery] = useAddress()
  const offset = Math.max(0, Number(query.get('offset') ?? 0) || 0)
  const search = query.get('search') ?? ''
  const range = ranges.find((name) => name === query.get('range')) ?? ''
  const reward = rewards.find((name) => name === query.get('reward')) ?? ''
  const selected = query.get('record')
  const page = useQuery({
    queryKey: ['toolCallRecords', id, credit, offset, search, range, reward],
    queryFn: () =>
      readReply(
        api.toolCalls[':id'].records.$get({
          param: { id },
          query: { credit, offset: String(offset), limit: String(PAGE_SIZE), search, range, reward },
        }),
      ),
    placeholderData: keepPreviousData,
  })
  const records = page.data?.records ?? []

  usePageKeys((key) => {
    if (key === 'Escape' && selected !== null) changeQuery({ record: undefined, call: undefined })
    if (key !== 'j' && key !== 'k') return false
    const at = records.findIndex(({ index }) => String(index) === selected)
    const next = records[Math.min(records.length - 1, Math.max(0, at + (key === 'j' ? 1 : -1)))]
    if (next) changeQuery({ record: String(next.index), call: undefined })
    return next !== undefined
  })

  return (
    <Section title="Records" aside={page.data && `${formatCount(page.data.total)} match`}>
      <div className="flex flex-wrap gap-2">
        <TextField
          type="search"
          label="Search tasks"
          isLabelHidden
          placeholder="Search tasks"
          className="w-48"
          value={search}
          onChange={(text) => changeQuery({ search: text, offset: undefined })}
        />
        <SelectField
          label="Partial score"
          isLabelHidden
          className="w-44"
          value={range}
          onChange={(value) => changeQuery({ range: value, offset: undefined })}
        >
          <option value="">Any partial score</option>
          <SelectOptions of={ranges} />
        </SelectField>
        <SelectField
          label="Reward"
          isLabelHidden
          className="w-44"
          value={reward}
          onChange={(value) => changeQuery({ reward: value, offset: undefined })}
        >
          <option value="">Any reward</option>
          <option value="passed">Succeeded</option>
          <option value="failed">Failed</option>
        </SelectField>
      </div>
      <Loaded query={page} what="the records">
        {({ total }) => (
          <div
            className={classes(
              'grid items-start gap-3',
              selected !== null && 'xl:grid-cols-[minmax(0,4fr)_minmax(0,9fr)]',
            )}
          >
            <TablePanel label="Records">
              <table className="w-full">
                <caption className="sr-only">Records; select one to see its reasons</caption>
                <thead className="text-left text-xs text-muted">
                  <tr className="border-b border-line">
                    <th className="px-2 py-1.5 font-medium">Task</th>
                    <th className="px-2 py-1.5 text-right font-medium">Trial</th>
                    <th className="px-2 py-1.5 font-medium">Reward</th>
                    {shownCredits.map((name) => (
                      <th key={name} className="px-2 py-1.5 text-right font-medium whitespace-nowrap">
                        {creditNames[name].short}
                      </th>
                    ))}
                    {selected === null && <th className="px-3 py-1.5 font-medium max-sm:hidden">Rating</th>}
                  </tr>
                </thead>
                <tbody>
                  {records.map((record) => {
                    const isSelected = String(record.index) === selected
                    return (
                      <tr
                        key={record.index}
                        className={classes(
                          'border-b border-line last:border-0',
                          isSelected ? 'bg-accent-soft' : 'hover:bg-hover',
                        )}
                      >
                        <td className="max-w-40 px-1 py-0.5">
                          <button
                            type="button"
                            aria-pressed={isSelected}
                            className="w-full truncate rounded px-2 py-1 text-left text-accent-ink hover:underline"
                            title={record.taskId}
                            onClick={() =>
                              changeQuery({ record: isSelected ? undefined : String(record.index), call: undefined })
                            }
                          >
                            {record.taskId}
                          </button>
                        </td>
                        <td className="px-2 text-right">{record.trial}</td>
                        <td className="px-2 whitespace-nowrap">{describeReward(record.reward)}</td>
                        {shownCredits.map((name) => {
                          const score = name === credit ? record.score : record.scores?.[name]
                          return (
                            <td key={name} className="px-2 text-right">
                              <span
                                className="inline-block min-w-11 rounded px-1"
                                style={name === credit ? scoreStyle(score ?? undefined) : undefined}
                                title={name === credit ? (record.range ?? record.problems[0]) : undefined}
                              >
                                {formatScore(score)}
                              </span>
                            </td>
                          )
                        })}
                        {selected === null && (
                          <td className="px-3 whitespace-nowrap max-sm:hidden">
                            {record.range ?? record.problems[0] ?? ''}
                          </td>
                        )}
                      </tr>
                    )
                  })}
                </tbody>
              </table>
              {records.length === 0 && <p className="p-3 text-muted">No matching records.</p>}
              <Pager
                offset={offset}
                count={records.length}
                size={PAGE_SIZE}
                total={total}
                className="justify-between border-t border-line p-2"
                onOffset={(next) => changeQuery({ offset: String(next), record: undefined })}
              />
            </TablePanel>
            {selected === null ? (
              <p className="text-muted">Select a record to see which call matched which action, and what differed.</p>
            ) : (
              <div className="min-w-0 xl:sticky xl:top-4">
                <RecordDetail id={id} index={Number(selected)} credit={credit} />
              </div>
            )}
          </div>
        )}
      </Loaded>
    </Section>
  )
}

function describeReward(reward: number | undefined): string {
  if (reward === undefined) return '–'
  if (reward > 0.9) return 'succeeded'
  return reward < 0.1 ? 'failed' : formatStatistic(reward)
}
