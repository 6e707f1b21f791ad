import { Loaded } from '../ui/Loaded.tsx'
import { Pager } from '../ui/table/Pager.tsx'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { classes } from '../ui/classes.ts'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { recordTable } from '../../report/tables/tool-calls.ts'
import { formatCount, formatScore } from '../../report/words/index.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { Section } from '../ui/Page.tsx'
import { usePageKeys } from '../ui/keys.ts'
import { scoreStyle } from '../ui/charts/score-colour.ts'
import type { Credit } from './credit.ts'
import { RecordDetail } from './RecordDetail.tsx'

const PAGE_SIZE = 50

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

  const open = (index: number) =>
    changeQuery({ record: String(index) === selected ? undefined : String(index), call: undefined })

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
            <div className="flex min-w-0 flex-col rounded-lg border border-line bg-surface">
              <DataTable
                label="Records; select one to see its reasons"
                isFramed={false}
                columns={recordTable.filter(({ key }) => key !== 'rating' || selected === null)}
                rows={records}
                keyOf={({ index }) => String(index)}
                onOpen={({ index }) => open(index)}
                isChosen={({ index }) => String(index) === selected}
                hints={{ [credit]: ({ range: found, problems }) => found ?? problems[0] }}
                draw={{
                  task: ({ index, taskId }) => (
                    <button
                      type="button"
                      aria-pressed={String(index) === selected}
                      className="w-full truncate text-left font-normal text-accent-ink hover:underline"
                      title={taskId}
                      onClick={() => open(index)}
                    >
                      {taskId}
                    </button>
                  ),
                  [credit]: ({ score }) => (
                    <span className="inline-block min-w-11 rounded px-1" style={scoreStyle(score ?? undefined)}>
                      {formatScore(score)}
                    </span>
                  ),
                }}
              />
              {records.length === 0 && <p className="p-3 text-muted">No matching records.</p>}
              <Pager
                offset={offset}
                count={records.length}
                size={PAGE_SIZE}
                total={total}
                className="justify-between border-t border-line p-2"
                onOffset={(next) => changeQuery({ offset: String(next), record: undefined })}
              />
            </div>
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
