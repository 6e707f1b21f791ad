import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useMemo } from 'react'
import { gradedTable } from '../../report/tables/graded-trajectories.ts'
import { recordedRunTable } from '../../report/tables/recorded-runs.ts'
import { trajectoryFigureTable } from '../../report/tables/trajectory-figures.ts'
import { formatCount } from '../../report/words/index.ts'
import {
  DESCRIBES_ONLY,
  describeTrajectoryComparison,
  listMeasures,
} from '../../report/words/tool-calls/trajectory-comparison.ts'
import { describeExcused } from '../../report/words/tool-calls/trajectory-faults.ts'
import { describeGradeVerdict } from '../../report/words/tool-calls/trajectory-grades.ts'
import { nameTrajectory, nameTrajectoryFormat, TURNS_NOTE } from '../../report/words/tool-calls/trajectory-words.ts'
import type { RunRow, TrajectorySetReply } from '../../server/trajectories/routes.ts'
import { RunnersOnly } from '../access/for-runners.tsx'
import { Link, navigate, useAddress, type ScreenProps } from '../router.tsx'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { useRowKeys } from '../ui/keys.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { BackLink, Page, Section } from '../ui/Page.tsx'
import { DataTable } from '../ui/table/DataTable.tsx'
import { Pager } from '../ui/table/Pager.tsx'
import { GradeChoices } from './GradeChoices.tsx'
import { TaskChoices } from './TaskChoices.tsx'
import { useSet } from './use-set.ts'

const PAGE = 100

/** Recorded runs that were added together: the runs, the models compared, and their grades. */
export function AgentSet({ params: { id = '' } }: ScreenProps) {
  const set = useSet(id)
  return (
    <Loaded query={set} what="the recorded runs" page="Recorded runs" back={{ to: '/agents', label: 'Agents' }}>
      {(reply) => <SetPage reply={reply} />}
    </Loaded>
  )
}

function SetPage({ reply }: { reply: TrajectorySetReply }) {
  const { about, rows, comparison, summary, skipped, notes } = reply
  const queries = useQueryClient()
  const change = useMutation({
    mutationFn: (send: () => Promise<TrajectorySetReply>) => send(),
    onSuccess: (changed) => {
      queries.setQueryData(['trajectories', about.id], changed)
      void queries.invalidateQueries({ queryKey: ['trajectories', about.id, 'run'] })
    },
  })
  const verdict = summary ? describeGradeVerdict(summary) : undefined
  return (
    <Page
      title={about.name}
      subtitle={[
        about.formats.map(nameTrajectoryFormat).join(', '),
        formatCount(rows.length, 'run'),
        formatLocalTime(about.addedAt),
      ].join(' · ')}
    >
      <BackLink to="/agents">Agents</BackLink>
      {change.isPending && <p role="status">Reading the files again…</p>}
      <FailureNotice title="Nothing was changed" failure={change.error} />
      {summary && (
        <Section title="Grades" aside={`credit ${about.choices.credit}`}>
          {verdict !== undefined && <p className="text-base font-semibold">{verdict}</p>}
          <DataTable label="Grades" columns={gradedTable(summary)} rows={summary.models} keyOf={({ model }) => model} />
          <p className="text-[13px] text-muted">{describeExcused(summary.models)}</p>
        </Section>
      )}
      <Runs id={about.id} rows={rows} />
      {comparison.models.length > 1 && (
        <Section title="Compared without a key">
          <DataTable
            label="Figures per run"
            columns={trajectoryFigureTable(comparison.models)}
            rows={listMeasures(comparison.models)}
            keyOf={(measure) => measure}
          />
          <ul className="flex flex-col gap-1">
            {describeTrajectoryComparison(comparison, 'say below where the files name their tasks').map((sentence) => (
              <li key={sentence}>{sentence}</li>
            ))}
          </ul>
          <p className="text-[13px] text-muted">{DESCRIBES_ONLY}</p>
        </Section>
      )}
      <RunnersOnly>
        <TaskChoices reply={reply} isBusy={change.isPending} onChange={change.mutate} />
        <GradeChoices reply={reply} isBusy={change.isPending} onChange={change.mutate} />
      </RunnersOnly>
      {notes.map((note) => (
        <Notice key={note}>{note}</Notice>
      ))}
      {skipped.length > 0 && (
        <p className="text-[13px] break-words text-muted">
          {formatCount(skipped.length, 'file')} without recorded runs left out: {skipped.slice(0, 5).join(', ')}
          {skipped.length > 5 && ' …'}
        </p>
      )}
    </Page>
  )
}

const listValues = (rows: readonly RunRow[], valueOf: (row: RunRow) => string | null): string[] =>
  [...new Set(rows.flatMap((row) => valueOf(row) ?? []))].toSorted()

/** The runs by task and model, filtered by the address. */
function Runs({ id, rows }: { id: string; rows: readonly RunRow[] }) {
  const [address, changeAddress] = useAddress()
  const [model, task, result, search] = ['model', 'task', 'result', 'search'].map((name) => address.get(name) ?? '')
  const models = useMemo(() => listValues(rows, (row) => row.model), [rows])
  const tasks = useMemo(() => listValues(rows, (row) => row.task), [rows])
  const isGraded = rows.some(({ passed, unscored }) => passed !== null || unscored !== null)
  const shown = rows.filter((row) => {
    if (model !== '' && row.model !== model) return false
    if (task !== '' && row.task !== task) return false
    if (
      result === 'excused'
        ? !row.excused
        : result !== '' && (row.passed === null ? 'unscored' : row.passed ? 'passed' : 'failed') !== result
    )
      return false
    const text = `${row.title} ${row.file} ${row.task ?? ''} ${row.model ?? ''}`.toLowerCase()
    return text.includes((search ?? '').trim().toLowerCase())
  })
  const offset = Math.max(0, Math.min(Number(address.get('offset') ?? 0) || 0, Math.max(0, shown.length - 1)))
  const to = ({ index }: RunRow) => `/agents/${encodeURIComponent(id)}/${index}`
  useRowKeys('a[data-row]')
  const choose = (name: string) => (value: string) => changeAddress({ [name]: value, offset: undefined })
  return (
    <Section
      title="Runs"
      aside={shown.length < rows.length ? `${formatCount(shown.length)} of ${formatCount(rows.length)}` : undefined}
    >
      <div className="flex flex-wrap items-end gap-2">
        <TextField
          label="Search"
          isLabelHidden
          type="search"
          placeholder="Search"
          className="w-44"
          value={search ?? ''}
          onChange={choose('search')}
        />
        {models.length > 1 && (
          <SelectField label="Model" isLabelHidden value={model ?? ''} onChange={choose('model')} className="max-w-56">
            <option value="">All models</option>
            <SelectOptions of={models} />
          </SelectField>
        )}
        {tasks.length > 1 && (
          <SelectField label="Task" isLabelHidden value={task ?? ''} onChange={choose('task')} className="max-w-56">
            <option value="">All tasks</option>
            <SelectOptions of={tasks.slice(0, 1000)} />
          </SelectField>
        )}
        {isGraded && (
          <SelectField
            label="Result"
            isLabelHidden
            value={result ?? ''}
            onChange={choose('result')}
            className="max-w-56"
          >
            <option value="">All results</option>
            <SelectOptions of={['passed', 'failed', 'unscored', 'excused']} />
          </SelectField>
        )}
      </div>
      {shown.length === 0 ? (
        <p className="text-muted">No run matches.</p>
      ) : (
        <DataTable
          label="Runs"
          columns={recordedRunTable}
          rows={shown.slice(offset, offset + PAGE)}
          keyOf={({ index }) => String(index)}
          onOpen={(row) => navigate(to(row))}
          draw={{
            run: (row) => (
              <Link to={to(row)} data-row className="break-words text-accent-ink hover:underline">
                {nameTrajectory(row)}
                {row.agents > 0 && (
                  <span className="font-normal text-muted"> + {formatCount(row.agents, 'sub-agent')}</span>
                )}
              </Link>
            ),
          }}
        />
      )}
      {shown.length > PAGE && (
        <Pager
          offset={offset}
          count={Math.min(PAGE, shown.length - offset)}
          size={PAGE}
          total={shown.length}
          onOffset={(next) => changeAddress({ offset: next === 0 ? undefined : String(next) })}
        />
      )}
      <p className="text-xs text-muted">{TURNS_NOTE}</p>
    </Section>
  )
}
