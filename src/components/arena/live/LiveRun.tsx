import { memo, useEffect, useState } from 'react'
import { ARENA_NAME_PREFIX } from '../../../contract/index.ts'
import type { LiveFilter, LiveRunFacts, LiveRunStore } from '../../../stores/liveRunStore.ts'
import { ApiFailure } from '../../api-request.ts'
import { Link, navigate, useQuery, type ScreenProps } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { FailureNotice, Loading, Notice } from '../../ui/Notice.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import type { ConnectionState } from './live-connection.ts'
import { LiveActions } from './LiveActions.tsx'
import { LiveGrid } from './LiveGrid.tsx'
import { LiveLeaderboard } from './LiveLeaderboard.tsx'
import { LiveProgressBar } from './LiveProgressBar.tsx'
import { findPhase } from './run-words.ts'
import { SeriesRuns } from './SeriesRuns.tsx'
import { useLive, useLiveConnection, useSlowVersion } from './use-live-run.ts'

function runAddress(runId: string): string {
  return `/arena/run/${encodeURIComponent(runId)}`
}

function readFilter(text: string | null): LiveFilter {
  return text === 'going' || text === 'missing' ? text : 'all'
}

function ConnectionNotice({ state, onRetry }: { state: ConnectionState; onRetry: () => void }) {
  if (state.kind === 'lost')
    return (
      <Notice kind="warning">
        The connection to Benchmaker was lost. Trying again; the run goes on without this page as long as its program
        does.
      </Notice>
    )
  if (state.kind !== 'refused') return null
  return (
    <FailureNotice
      title={state.failure.status === 404 ? 'There is no such run' : 'The run cannot be watched'}
      failure={state.failure}
      action={
        state.failure.status === 404 ? (
          <Link to="/results" className={buttonClass()}>
            All runs
          </Link>
        ) : (
          <Button onClick={onRetry}>Try again</Button>
        )
      }
    />
  )
}

/** Apart from the figures above it, which change with every beat. */
const LiveCases = memo(function LiveCases({ store, facts }: { store: LiveRunStore; facts: LiveRunFacts }) {
  const [query, changeQuery] = useQuery()
  const filter = readFilter(query.get('show'))
  const search = query.get('search') ?? ''
  useSlowVersion(store)
  const rows = store.findRows(filter, search)
  const { casesLeftOut = 0 } = facts
  return (
    <Section
      title="Cases"
      aside={
        rows.length === facts.cases.length
          ? undefined
          : `${formatCount(rows.length)} of ${formatCount(facts.cases.length)} shown`
      }
    >
      <div className="grid max-w-xl grid-cols-2 gap-2">
        <TextField
          label="Search cases"
          isLabelHidden
          type="search"
          placeholder="Search cases"
          value={search}
          onChange={({ target }) => changeQuery({ search: target.value })}
        />
        <SelectField
          label="Which cases"
          isLabelHidden
          value={filter}
          onChange={({ target }) => changeQuery({ show: target.value === 'all' ? '' : target.value })}
        >
          <option value="all">All cases</option>
          <option value="going">Being worked on</option>
          <option value="missing">With errors or unscored cells</option>
        </SelectField>
      </div>
      <LiveGrid store={store} facts={facts} rows={rows} />
      {casesLeftOut > 0 && (
        <div className="text-muted">
          The last {formatCount(casesLeftOut, 'case')} are counted above but not shown here: there are too many. Results
          shows all.
        </div>
      )}
    </Section>
  )
})

/** A run as it goes on: it does so whether or not this page is open. */
export function LiveRun({ params }: ScreenProps) {
  const runId = params['runId']!
  const { connection, state } = useLiveConnection(runId)
  const { store } = connection
  const facts = useLive(store, ({ getFacts }) => getFacts())
  const progress = useLive(store, ({ getProgress }) => getProgress())
  const hasEnded = useLive(store, ({ hasEnded: read }) => read())
  const [failure, setFailure] = useState<unknown>()
  const followed = facts?.runId
  const isArenaRun = facts?.suiteName.startsWith(ARENA_NAME_PREFIX) ?? false
  useEffect(() => {
    if (isArenaRun) navigate(`/code-arena/${encodeURIComponent(runId)}`, { replace: true })
  }, [isArenaRun, runId])
  useEffect(() => {
    if (followed !== undefined && followed !== runId)
      navigate(`${runAddress(followed)}${window.location.search}`, { replace: true })
  }, [followed, runId])

  if (!facts || !progress) {
    return (
      <Page title="Run">
        <ConnectionNotice state={state} onRetry={connection.reopen} />
        {state.kind !== 'refused' && <Loading label="Getting the state of the run …" rows={10} />}
      </Page>
    )
  }
  const phase = findPhase(progress, { hasEnded, isLastRun: facts.runNumber >= facts.runsPlanned })
  const number = facts.runsPlanned > 1 ? `run ${facts.runNumber} of ${facts.runsPlanned} · ` : ''
  return (
    <Page
      title={facts.suiteName}
      subtitle={`${number}${formatCount(facts.cases.length + (facts.casesLeftOut ?? 0), 'case')} × ${formatCount(facts.models.length, 'model')} · begun ${formatLocalTime(progress.startedAt)}`}
      actions={
        <LiveActions
          facts={facts}
          progress={progress}
          phase={phase}
          onFailure={setFailure}
          onResumed={() => {
            setFailure(undefined)
            connection.reopen()
          }}
        />
      }
    >
      <ConnectionNotice state={state} onRetry={connection.reopen} />
      {failure !== undefined && (
        <FailureNotice
          failure={failure}
          title={
            failure instanceof ApiFailure && failure.code === 'complete'
              ? 'Nothing to resume'
              : 'That did not work. What is done is kept.'
          }
        />
      )}
      {phase === 'interrupted' && (
        <Notice kind="warning" title="The run was interrupted">
          The program that worked on it was ended. Everything it had finished is kept; Resume asks only what is left.
        </Notice>
      )}
      {phase !== 'interrupted' && progress.stopped !== undefined && (
        <Notice kind="warning" title="Stopped before its end">
          {progress.stopped} What is done is kept.
        </Notice>
      )}
      <LiveProgressBar progress={progress} phase={phase} missingAddress={`${runAddress(facts.runId)}?show=missing`} />
      <SeriesRuns facts={facts} />
      <LiveLeaderboard store={store} phase={phase} />
      <LiveCases store={store} facts={facts} />
    </Page>
  )
}
