import { arenaRunAddress } from '../../code-arena/vote/voter.ts'
import { memo, useEffect, useState, useSyncExternalStore } from 'react'
import {
  findShownState,
  isInProgress,
  whereRunning,
  type CellState,
  canResume,
  isLive,
  type LiveProgress,
  type RunState,
} from '../../../contract/index.ts'
import type { LiveFilter, LiveRunFacts, LiveRunStore } from '../../../stores/liveRunStore.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { Link, navigate, useAddress, type ScreenProps } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SelectField, TextField } from '../../ui/form/Field.tsx'
import { formatCount, describeResume } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { FailureNotice, Loading, Notice } from '../../ui/Notice.tsx'
import { Page, Section } from '../../ui/Page.tsx'
import { describeSimulated } from '../../../report/words/models.ts'
import type { ConnectionState, LiveConnection } from './live-connection.ts'
import { LiveEvidence } from './LiveEvidence.tsx'
import { LiveGrid } from './LiveGrid.tsx'
import { LiveLeaderboard } from './LiveLeaderboard.tsx'
import { LiveProgressBar } from './LiveProgressBar.tsx'
import { describeTitle, countProgress, describeEnd } from '../../../report/words/runs/progress.ts'
import { useLive, useLiveConnection, useSlowVersion } from './use-live-run.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { SeriesLinks } from './SeriesLinks.tsx'
import { ResumeButton, StopButton } from '../RunButtons.tsx'
import { Bell, BellRing } from 'lucide-react'
import { toast } from '../../ui/toast.ts'

/** The series whose end this tab announces, each with what stops the waiting. It goes on when its page is left. */
const waiting = new Map<string, () => void>()
const listeners = new Set<() => void>()

function isAwaited(seriesKey: string): boolean {
  return waiting.has(seriesKey)
}

function subscribeToNotices(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

function stopWaiting(seriesKey: string): void {
  waiting.get(seriesKey)?.()
  waiting.delete(seriesKey)
  for (const listener of listeners) listener()
}

/** True if the run has ended, and the notification was shown. */
function announceEnd({ store }: LiveConnection): boolean {
  const [facts, progress] = [store.getFacts(), store.getProgress()]
  if (!facts || !progress) return false
  const isLastRun = facts.runNumber >= facts.runsPlanned
  const state = findShownState(progress, { hasEnded: store.hasEnded(), isLastRun })
  if (isInProgress(state)) return false
  const [best] = store.getStandings()
  const { title, body } = describeEnd(facts.suiteName, progress, state, best)
  const notification = new Notification(title, { body })
  notification.addEventListener('click', () => {
    window.focus()
    navigate(`/arena/run/${encodeURIComponent(facts.runId)}`)
  })
  return true
}

/** Asks the browser for permission, so call it only on a click. False if it is refused. */
async function tellWhenDone(seriesKey: string, connection: LiveConnection): Promise<boolean> {
  if (!('Notification' in window) || (await Notification.requestPermission()) !== 'granted') return false
  if (waiting.has(seriesKey)) return true
  const release = connection.hold()
  const unsubscribe = connection.store.subscribe(() => {
    if (announceEnd(connection)) stopWaiting(seriesKey)
  })
  waiting.set(seriesKey, () => {
    unsubscribe()
    release()
  })
  // It may have ended while the browser asked.
  if (announceEnd(connection)) stopWaiting(seriesKey)
  for (const listener of listeners) listener()
  return true
}

const doNotTell = stopWaiting

/** A notification of the browser when the run, or the whole series, has ended. */
function EndNoticeButton({ connection, seriesKey }: { connection: LiveConnection; seriesKey: string }) {
  const isOn = useSyncExternalStore(subscribeToNotices, () => isAwaited(seriesKey))
  const toggle = async () => {
    if (isOn) doNotTell(seriesKey)
    else if (!(await tellWhenDone(seriesKey, connection)))
      toast('The browser does not allow notifications here. The window title shows the progress.')
  }
  const Icon = isOn ? BellRing : Bell
  return (
    <Button aria-pressed={isOn} onClick={() => void toggle()}>
      <Icon size={14} aria-hidden />
      {isOn ? 'You will be notified' : 'Notify me'}
    </Button>
  )
}

/** Results show a series as a whole. */
function resultsAddress({ runId, seriesId }: { runId: string; seriesId?: string | undefined }): string {
  return `/results/${encodeURIComponent(seriesId === undefined ? runId : `series:${seriesId}`)}`
}

interface LiveActionsProps {
  connection: LiveConnection
  facts: LiveRunFacts
  progress: LiveProgress
  state: RunState
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume, see results. */
function LiveActions({ connection, facts, progress, state, onResumed, onFailure }: LiveActionsProps) {
  const run = { ...progress, state }
  const isActive = isLive(run)
  const { done, total } = countProgress(progress)
  const remaining = state === 'done' ? 0 : total - done
  return (
    <>
      {isActive && <EndNoticeButton connection={connection} seriesKey={facts.seriesId ?? facts.runId} />}
      {isActive && <StopButton runId={facts.runId} onFailure={onFailure} />}
      {canResume(run, progress.errors) && (
        <ResumeButton
          runId={facts.runId}
          label={describeResume({ notRun: remaining, errors: progress.errors })}
          title={
            remaining > 0
              ? `Runs the ${formatCount(remaining, 'remaining cell')} and retries those that failed`
              : 'Retries the cells that failed'
          }
          usedUpBudget={progress.usedUpBudget}
          workedOnBy={progress.workedOnBy}
          onFailure={onFailure}
          onResumed={(runId) =>
            runId === facts.runId ? onResumed() : navigate(`/arena/run/${encodeURIComponent(runId)}`, { replace: true })
          }
        />
      )}
      <Link to={resultsAddress(facts)} className={buttonClass(isActive ? 'plain' : 'primary')}>
        See results
      </Link>
    </>
  )
}

/** Links to the runs of a series. */
function SeriesRuns({ facts }: { facts: LiveRunFacts }) {
  const { seriesId, runId, runsPlanned } = facts
  const runs = useQuery({
    queryKey: ['runs', { limit: 100, of: seriesId, at: runId }],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '100' } })),
    enabled: seriesId !== undefined,
    staleTime: 30_000,
  })
  const series = runs.data?.runs.filter((run) => run.seriesId === seriesId).toReversed() ?? []
  if (seriesId === undefined) return null
  return (
    <SeriesLinks
      runIds={series.map(({ id }) => id)}
      runId={runId}
      runsPlanned={runsPlanned}
      addressOf={(id) => `/arena/run/${encodeURIComponent(id)}`}
    />
  )
}

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
          onChange={(text) => changeQuery({ search: text })}
        />
        <SelectField
          label="Cases to show"
          isLabelHidden
          value={filter}
          onChange={(value) => changeQuery({ show: value === 'all' ? '' : value })}
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
    if (isArenaRun) navigate(arenaRunAddress(runId), { replace: true })
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
