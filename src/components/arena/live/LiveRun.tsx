import { memo, useEffect, useState } from 'react'
import { isInProgress, whereRunning, type CellState } from '../../../contract/index.ts'
import type { LiveFilter, LiveRunFacts, LiveRunStore } from '../../../stores/liveRunStore.ts'
import { ApiFailure } from '../../api-request.ts'
import { Link, navigate, useAddress, type ScreenProps } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { FailureNotice, Loading, Notice } from '../../ui/Notice.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { describeSimulated } from '../../ui/names/simulated.ts'
import type { ConnectionState } from './live-connection.ts'
import { LiveActions } from './LiveActions.tsx'
import { LiveEvidence } from './LiveEvidence.tsx'
import { LiveGrid } from './LiveGrid.tsx'
import { LiveLeaderboard } from './LiveLeaderboard.tsx'
import { LiveProgressBar } from './LiveProgressBar.tsx'
import { describeTitle, findShownState } from './run-words.ts'
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
        The connection to Benchmaker was lost. Reconnecting… The run continues as long as Benchmaker is running.
      </Notice>
    )
  if (state.kind !== 'refused') return null
  return (
    <FailureNotice
      title={state.failure.status === 404 ? 'There is no such run' : 'The run cannot be shown'}
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

/** Memoised, because the figures above change with every update. */
const LiveCases = memo(function LiveCases({
  store,
  facts,
  unsent,
}: {
  store: LiveRunStore
  facts: LiveRunFacts
  unsent: CellState
}) {
  const [query, changeQuery] = useAddress()
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
          label="Cases to show"
          isLabelHidden
          value={filter}
          onChange={({ target }) => changeQuery({ show: target.value === 'all' ? '' : target.value })}
        >
          <option value="all">All cases</option>
          <option value="going">In progress</option>
          <option value="missing">With errors or unscored cells</option>
        </SelectField>
      </div>
      <LiveGrid store={store} facts={facts} rows={rows} unsent={unsent} />
      {casesLeftOut > 0 && (
        <div className="text-muted">
          The last {formatCount(casesLeftOut, 'case')} are counted above but not listed here, because there are too
          many. Results lists them all.
        </div>
      )}
    </Section>
  )
})

/** A live run. It continues even if this page is closed. */
export function LiveRun({ params }: ScreenProps) {
  const runId = params['runId']!
  const { connection, state } = useLiveConnection(runId)
  const { store } = connection
  const facts = useLive(store, ({ getFacts }) => getFacts())
  const progress = useLive(store, ({ getProgress }) => getProgress())
  const hasEnded = useLive(store, ({ hasEnded: read }) => read())
  const [failure, setFailure] = useState<unknown>()
  const liveRunId = facts?.runId
  const isArenaRun = facts?.kind === 'page'
  useEffect(() => {
    if (isArenaRun) navigate(`/code-arena/${encodeURIComponent(runId)}`, { replace: true })
  }, [isArenaRun, runId])
  useEffect(() => {
    if (liveRunId !== undefined && liveRunId !== runId)
      navigate(`${runAddress(liveRunId)}${window.location.search}`, { replace: true })
  }, [liveRunId, runId])

  if (!facts || !progress) {
    return (
      <Page title="Run">
        <ConnectionNotice state={state} onRetry={connection.reopen} />
        {state.kind !== 'refused' && <Loading label="Loading the run…" rows={10} />}
      </Page>
    )
  }
  const runState = findShownState(progress, { hasEnded, isLastRun: facts.runNumber >= facts.runsPlanned })
  const number = facts.runsPlanned > 1 ? `run ${facts.runNumber} of ${facts.runsPlanned} · ` : ''
  return (
    <Page
      title={facts.suiteName}
      windowTitle={describeTitle(facts.suiteName, progress, runState)}
      subtitle={`${number}${formatCount(facts.cases.length + (facts.casesLeftOut ?? 0), 'case')} × ${formatCount(facts.models.length, 'model')}${describeSimulated(facts.models)} · started ${formatLocalTime(progress.startedAt)}`}
      actions={
        <LiveActions
          connection={connection}
          facts={facts}
          progress={progress}
          state={runState}
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
              : 'Something went wrong. Finished cells are saved.'
          }
        />
      )}
      {runState === 'interrupted' && (
        <Notice kind="warning" title="The run was interrupted">
          The process that was running it ended. Finished cells are saved; Resume sends only the rest.
        </Notice>
      )}
      {runState === 'running' && progress.workedOnBy && (
        <Notice title="Another process is working on this run">
          It is running {whereRunning(progress.workedOnBy)}. This page shows what is stored and refreshes every few
          seconds.
        </Notice>
      )}
      {runState !== 'interrupted' && progress.stopped !== undefined && (
        <Notice kind="warning" title={progress.stopped}>
          Finished cells are saved; Resume sends only the rest.
        </Notice>
      )}
      <LiveProgressBar
        progress={progress}
        state={runState}
        missingAddress={`${runAddress(facts.runId)}?show=missing`}
      />
      <SeriesRuns facts={facts} />
      {progress.deciding && <LiveEvidence deciding={progress.deciding} />}
      <LiveLeaderboard store={store} state={runState} />
      <LiveCases store={store} facts={facts} unsent={isInProgress(runState) ? 'pending' : 'skipped'} />
    </Page>
  )
}
