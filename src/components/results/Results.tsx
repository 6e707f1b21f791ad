import { LiveEvidence, RunEvidence } from '../arena/live/LiveEvidence.tsx'
import { LiveProgress } from '../arena/live/LiveProgress.tsx'
import { EndNoticeButton } from '../arena/live/EndNoticeButton.tsx'
import { useLiveView, type LiveView } from '../arena/live/use-live-run.ts'
import { StopButton } from '../arena/RunButtons.tsx'
import { describeLiveOutcome, describeTitle, LEAVE_PAGE } from '../../report/words/runs/progress.ts'
import { Loaded, isMissing } from '../ui/Loaded.tsx'
import { Ellipsis } from 'lucide-react'
import { useMay } from '../access/session.ts'
import type { ResultsView } from '../../server/results/results-view.ts'
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect } from 'react'
import { isInProgress, isLive as isLiveRun, messageOf, whereRunning } from '../../contract/index.ts'
import { api } from '../api.ts'
import { useNamesShown } from '../code-arena/vote/voter.ts'
import { readReply } from '../api-request.ts'
import { Link, navigate, useAddress, usePath, type ScreenProps } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { formatCount, formatSpent } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { Menu, MenuItem } from '../ui/Menu.tsx'
import { EmptyState, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'
import {
  compareAddress,
  moveOldAddress,
  parseSelection,
  rateAddress,
  readResultView,
  resultViews,
  viewAddress,
  type ResultViewName,
} from './addresses.ts'
import { RunLabelHead } from './runs/RunLabelHead.tsx'
import { CaseGrid } from './grid/CaseGrid.tsx'
import { readCaseQuery } from './grid/case-query.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { Leaderboard } from './Leaderboard.tsx'
import { Cost } from './cost/Cost.tsx'
import { BrokenReasons } from './overview/BrokenReasons.tsx'
import { FailurePlaces, TellingFailures } from './overview/TellingFailures.tsx'
import { Statistics } from './sections/Statistics.tsx'
import { casePageQuery } from './grid/use-case-pages.ts'
import { readSmallestDifference } from './SmallestDifference.tsx'
import { AgainActions, NextAction } from './ResultsActions.tsx'
import { GroupNotice } from './Groups.tsx'
import { VerdictCard } from './VerdictCard.tsx'
import { isComparing, isLive } from './verdicts.ts'
import { NoSuchRun } from './NoSuchRun.tsx'
import { describeCases } from '../../report/words/verdicts/verdicts.ts'
import { describeTotal } from '../../report/words/numbers.ts'

const REFRESH_MS = 2000

/** Large results take a second to build, which the run needs itself. */
const CELLS_PER_MS = 2

const refreshEvery = ({ totalCells }: ResultsView) => Math.max(REFRESH_MS, totalCells / CELLS_PER_MS)

/** The server waits for the verdict of a large result before it replies without. */
const COMPARING_MS = 50

/** Of a series that was interrupted: `2 of 3 runs`. */
function describeRuns({ runs, seriesId, resume }: ResultsView): string {
  const missing = seriesId === undefined || runs.length < 2 ? 0 : (resume?.runsNotStarted ?? 0)
  return `${missing > 0 ? `${formatCount(runs.length)} of ` : ''}${formatCount(runs.length + missing, 'run')}`
}

/** What was run: the settings are under Statistics. */
function Facts({ selection, view, live }: { selection: string; view: ResultsView; live: LiveView | undefined }) {
  const [first] = view.runs
  const facts = [
    live && live.facts.runsPlanned > 1
      ? `run ${live.facts.runNumber} of ${live.facts.runsPlanned}`
      : describeRuns(view),
    view.suite && describeCases({ n: view.suite.cases, clusters: view.suite.clusters }),
    formatCount(view.rows.length, 'model'),
    formatLocalTime(first?.startedAt),
    first?.startedBy && `started by ${first.startedBy.name}`,
    !live && describeTotal(view, { isGroup: view.group !== undefined }),
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-[13px] break-words">
      {facts
        .filter((fact) => typeof fact === 'string')
        .map((fact, index, { length }) => (
          <span key={fact} className="flex min-w-0 gap-2 sm:whitespace-nowrap">
            {fact}
            {index < length - 1 && <span aria-hidden>·</span>}
          </span>
        ))}
      {view.rows.some(({ isSimulated }) => isSimulated) && (
        <Badge title="Answers come from the built-in simulation, not real models">simulated</Badge>
      )}
      {!selection.includes(',') && (
        <RunLabelHead runId={view.runs[0]!.id} isSeries={view.runs[0]!.seriesId !== undefined} />
      )}
    </div>
  )
}

/** Runs that another process works on. */
function RunNotices({ view }: { view: ResultsView }) {
  const elsewhere = view.runs.find((run) => run.workedOnBy)
  return (
    elsewhere?.workedOnBy && (
      <Notice title="Another process is working on this run">
        It is running {whereRunning(elsewhere.workedOnBy)}. This page shows what is stored and refreshes every few
        seconds.
      </Notice>
    )
  )
}

/** The suite's page; undefined if it is not stored. */
function suiteAddressOf({ kind, suite }: ResultsView): string | undefined {
  if (suite?.id === undefined || kind !== 'suite') return undefined
  return `/suites/${encodeURIComponent(suite.id)}`
}

/** Each view has an address of its own; the group and the margin stay when another is opened. */
function ViewTabs({ selection, view, current }: { selection: string; view: ResultsView; current: ResultViewName }) {
  const [address] = useAddress()
  return (
    <nav
      aria-label="Results"
      className="-mx-4 -mt-2 flex gap-1 overflow-x-auto border-b border-line px-4 md:mx-0 md:px-0"
    >
      {Object.entries(resultViews).map(([name, { title }]) => (
        <Link
          key={name}
          to={viewAddress(selection, name as ResultViewName, { from: address })}
          aria-current={name === current ? 'page' : undefined}
          className={classes(
            '-mb-px flex h-9 items-center gap-1.5 border-b-2 px-3 whitespace-nowrap',
            name === current ? 'border-accent font-semibold' : 'border-transparent text-muted hover:text-ink',
          )}
        >
          {title}
          {name === 'cases' && (
            <span className="text-xs font-normal text-muted tabular-nums">{formatCount(view.caseCount)}</span>
          )}
        </Link>
      ))}
    </nav>
  )
}

interface ViewProps {
  selection: string
  view: ResultsView
}

interface LiveProps extends ViewProps {
  live: LiveView | undefined
}

/** What the verdict card shows while a run goes on. */
function showProgress({ selection, view: { rows }, live }: LiveProps) {
  if (!live) return undefined
  const errors = rows.reduce((sum, row) => sum + row.errors, 0)
  const unscored = rows.reduce((sum, row) => sum + row.unscored, 0)
  const address = viewAddress(selection, 'cases', { state: errors > 0 ? 'error' : 'missing' })
  return {
    outcome: describeLiveOutcome(live.progress),
    progress: <LiveProgress live={live} errors={errors} unscored={unscored} address={address} />,
    nextLine: LEAVE_PAGE,
  }
}

function Overview({ selection, view, live }: LiveProps) {
  const [address] = useAddress()
  const { state } = view.verdictCard
  const statistics = viewAddress(selection, 'statistics', { from: address })
  const failures = (
    <TellingFailures
      selection={selection}
      group={address.get('group') ?? undefined}
      models={view.rows.map(({ modelId }) => modelId)}
    />
  )
  return (
    <>
      <VerdictCard
        view={view}
        statistics={statistics}
        live={showProgress({ selection, view, live })}
        action={<NextAction selection={selection} view={view} suiteAddress={suiteAddressOf(view)} />}
      />
      {state === 'broken' && <BrokenReasons selection={selection} otherwise={failures} />}
      <Leaderboard view={view} />
      {live?.progress.deciding ? (
        <LiveEvidence deciding={live.progress.deciding} />
      ) : state === 'running' ? (
        <FailurePlaces note="shown when the run is done" />
      ) : (
        !isComparing(view) && state !== 'none' && state !== 'broken' && failures
      )}
    </>
  )
}

function View({ selection, view, live, name }: LiveProps & { name: ResultViewName }) {
  const queries = useQueryClient()
  const isRunning = isLive(view)
  // The last cells may be scored after the last refresh.
  useEffect(() => {
    if (isRunning) return () => void queries.invalidateQueries({ queryKey: ['cases', selection] })
    return undefined
  }, [isRunning, queries, selection])
  // The browser looked for the place before there was one.
  useEffect(() => {
    const { hash } = window.location
    if (hash !== '') document.getElementById(hash.slice(1))?.scrollIntoView()
  }, [])
  return (
    <>
      <ViewTabs selection={selection} view={view} current={name} />
      <RunNotices view={view} />
      <GroupNotice view={view} />
      {name === 'overview' && <Overview selection={selection} view={view} live={live} />}
      {name === 'cases' && (
        <CaseGrid
          selection={selection}
          view={view}
          live={live?.connection.store}
          refreshMs={isRunning ? refreshEvery(view) : false}
        />
      )}
      {name === 'statistics' && <Statistics selection={selection} view={view} />}
      {name === 'statistics' && view.verdictCard.decided && <RunEvidence runId={view.runs.at(-1)!.id} />}
      {name === 'cost' && <Cost selection={selection} view={view} />}
    </>
  )
}

/** What is done with the results less often. */
function More({ selection, view }: ViewProps) {
  const mayRun = useMay('runner')
  const suite = suiteAddressOf(view)
  return (
    <Menu
      trigger={
        <Button aria-label="More" className="w-8 px-0!">
          <Ellipsis size={16} aria-hidden className="shrink-0" />
        </Button>
      }
    >
      <MenuItem onSelect={() => navigate(compareAddress('', selection))}>Compare with another run</MenuItem>
      {mayRun && <MenuItem onSelect={() => navigate(rateAddress(selection))}>Rate answers</MenuItem>}
      {suite !== undefined && <MenuItem onSelect={() => navigate(suite)}>Open the suite</MenuItem>}
    </Menu>
  )
}

/** Loads the first cases beside the verdict: elsewhere they would compete with it. */
function FirstCases({ selection }: { selection: string }) {
  const [address] = useAddress()
  usePrefetchQuery(casePageQuery({ selection, query: readCaseQuery(address), refreshMs: false }, 0))
  return null
}

/** The results of one run, several runs or a series, in four views. */
export function Results({ params }: ScreenProps) {
  const selection = params['selection'] ?? ''
  const name = readResultView(usePath())
  const [address, changeQuery] = useAddress()
  const moved =
    name === 'overview' ? moveOldAddress(selection, window.location.search, window.location.hash) : undefined
  useEffect(() => {
    if (moved !== undefined) navigate(moved, { replace: true })
  }, [moved])
  const smallestDifference = readSmallestDifference(address)
  const group = address.get('group') ?? undefined
  const results = useQuery({
    queryKey: ['results', selection, smallestDifference, group],
    queryFn: () =>
      readReply(api.results[':selection'].$get({ param: { selection }, query: { smallestDifference, group } })),
    // The rest of the page stays while plans for another difference are made.
    placeholderData: (before, query) => (query?.queryKey[1] === selection ? before : undefined),
    enabled: parseSelection(selection) !== undefined,
    refetchInterval: ({ state }) =>
      !state.data
        ? false
        : isComparing(state.data)
          ? COMPARING_MS
          : isLive(state.data)
            ? refreshEvery(state.data)
            : false,
  })
  const view = isMissing(results.error) ? undefined : results.data
  const seen = useLiveView(view?.runs.find(({ state }) => isInProgress(state))?.id)
  const isSeen = seen && view?.runs.some(({ id }) => id === seen.facts.runId)
  const live = view && isLive(view) ? seen : undefined
  const phase = seen && view && [isSeen, seen.hasEnded, seen.state].join(' ')
  const queries = useQueryClient()
  // It has ended, or somebody has resumed it.
  useEffect(() => {
    if (phase !== undefined) void queries.invalidateQueries({ queryKey: ['results', selection] })
  }, [phase, queries, selection])
  useNamesShown(
    view?.kind,
    view?.runs.map(({ id }) => id),
  )
  return (
    <Page
      title={view?.title ?? 'Results'}
      {...(isSeen && { windowTitle: describeTitle(seen.facts.suiteName, seen.progress, seen.state) })}
      subtitle={view && <Facts selection={selection} view={view} live={live} />}
      actions={
        view && (
          <>
            {live && isLiveRun({ ...live.progress, state: live.state }) && (
              <>
                <EndNoticeButton live={live} />
                <StopButton
                  runId={live.facts.runId}
                  onFailure={(failure) => toast(`Not stopped: ${messageOf(failure)}`)}
                />
              </>
            )}
            {view.kind === 'page' && (
              <Link to={`/code-arena/${encodeURIComponent(view.runs.at(-1)!.id)}`} className={buttonClass()}>
                View the pages
              </Link>
            )}
            {view.again && view.kind !== 'page' && !isLive(view) && (
              <AgainActions
                selection={selection}
                again={view.again}
                models={view.rows.map(({ modelId }) => modelId)}
                cost={formatSpent(view)}
                cells={view.totalCells}
              />
            )}
            <ExportMenu selection={selection} smallestDifference={smallestDifference} />
            <More selection={selection} view={view} />
          </>
        )
      }
    >
      {name === 'cases' && <FirstCases selection={selection} />}
      <Loaded
        // The live run says that the connection is lost.
        query={live?.isLost && !isMissing(results.error) ? { ...results, error: null } : results}
        what="the results"
        rows={12}
        missing={
          group === undefined ? (
            <NoSuchRun />
          ) : (
            <EmptyState
              title="No case is in this group."
              action={<Button onClick={() => changeQuery({ group: undefined })}>Show all cases</Button>}
            />
          )
        }
      >
        {(loaded) => <View selection={selection} view={loaded} live={live} name={name} />}
      </Loaded>
    </Page>
  )
}
