import { Loaded, isMissing } from '../ui/Loaded.tsx'
import { RunnersOnly } from '../access/for-runners.tsx'
import type { ResultsView } from '../../server/results/results-view.ts'
import { usePrefetchQuery, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { isLive as isLiveRun, whereRunning } from '../../contract/index.ts'
import { api } from '../api.ts'
import { useNamesShown } from '../code-arena/vote/voter.ts'
import { readReply } from '../api-request.ts'
import { Link, useAddress, type ScreenProps } from '../router.tsx'
import { Badge } from '../ui/Badge.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { describeParameters, formatCount } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { EmptyState, Notice } from '../ui/Notice.tsx'
import { Page, Panel, Section } from '../ui/Page.tsx'
import { compareAddress, parseSelection, rateAddress } from './addresses.ts'
import { RunLabelHead } from './runs/RunLabelHead.tsx'
import { Agreement } from './sections/Agreement.tsx'
import { Judging } from './sections/Judging.tsx'
import { CaseGrid } from './grid/CaseGrid.tsx'
import { readCaseQuery } from './grid/case-query.ts'
import { ExportMenu } from './ExportMenu.tsx'
import { Leaderboard } from './Leaderboard.tsx'
import { Method } from './sections/Method.tsx'
import { MultiRun } from './sections/MultiRun.tsx'
import { People } from './rating/People.tsx'
import { PairPanel } from './compare/PairPanel.tsx'
import { Tradeoffs } from './sections/Tradeoffs.tsx'
import { casePageQuery } from './grid/use-case-pages.ts'
import { readSmallestDifference, SmallestDifference } from './SmallestDifference.tsx'
import { AgainActions, NextAction } from './ResultsActions.tsx'
import { GroupNotice, Groups } from './Groups.tsx'
import { listGroupings } from './groupings.ts'
import { VerdictCard } from './VerdictCard.tsx'
import { Verdicts } from './Verdicts.tsx'
import { isComparing, isLive } from './verdicts.ts'
import { NoSuchRun } from './NoSuchRun.tsx'
import { describeTotal } from '../../report/words/numbers.ts'

const REFRESH_MS = 2000

function Facts({ view }: { view: ResultsView }) {
  const [first] = view.runs
  const judges = [...new Set(view.runs.flatMap(({ judgeModel }) => judgeModel?.split(',') ?? []))]
  const suiteAddress = suiteAddressOf(view)
  const facts = [
    view.runs.length > 1 ? formatCount(view.runs.length, 'run') : undefined,
    formatLocalTime(first?.startedAt),
    first?.startedBy && `started by ${first.startedBy.name}`,
    first?.project === undefined ? undefined : `paid by ${first.project}`,
    `${view.suite ? `${formatCount(view.suite.cases, 'case')}, ` : ''}${formatCount(view.rows.length, 'model')}, ${formatCount(view.totalCells, 'cell')}`,
    describeParameters(first?.parameters),
    judges.length > 0 ? `judged by ${judges.join(', ')}` : 'no judge',
    describeTotal(view, { isGroup: view.group !== undefined }),
  ]
  return (
    <div className="flex flex-wrap items-center gap-x-1.5 break-words">
      {facts
        .filter((fact) => fact !== undefined)
        .map((fact, index, { length }) => (
          <span key={fact} className="min-w-0">
            {fact}
            {(index < length - 1 || suiteAddress !== undefined) && <span aria-hidden> ·</span>}
          </span>
        ))}
      {suiteAddress !== undefined && (
        <Link to={suiteAddress} className="text-accent-ink hover:underline">
          Suite
        </Link>
      )}
      {view.rows.some(({ isSimulated }) => isSimulated) && (
        <Badge title="Answers come from the built-in simulation, not real models">simulated</Badge>
      )}
    </div>
  )
}

/** Runs that are still in progress. */
function RunNotices({ view }: { view: ResultsView }) {
  const live = view.runs.find(isLiveRun)
  const elsewhere = view.runs.find((run) => run.workedOnBy)
  const linkTo = (id: string, text: string) => (
    <Link to={`/arena/run/${encodeURIComponent(id)}`} className="underline">
      {text}
    </Link>
  )
  return (
    <>
      {live && (
        <Notice>
          This run is in progress.{live.waiting !== undefined && ` ${live.waiting}.`} The page shows the scores so far
          and refreshes every 2 seconds. {linkTo(live.id, 'Watch it live')}
        </Notice>
      )}
      {elsewhere?.workedOnBy && (
        <Notice>
          This run is running {whereRunning(elsewhere.workedOnBy)}. The page shows the scores so far.{' '}
          {linkTo(elsewhere.id, 'Open it')}
        </Notice>
      )}
    </>
  )
}

function SectionLinks({ view }: { view: ResultsView }) {
  const places = [
    ['leaderboard', 'Leaderboard'],
    listGroupings(view.suite).length > 0 && ['groups', 'By group'],
    view.runs.length > 1 ? ['multi-run', 'Multi-Run Analysis'] : view.rows.length > 1 && ['pair', 'Two models'],
    ['tradeoffs', 'Cost and latency'],
    view.agreement && ['agreement', 'Judges'],
    view.people && ['people', 'Human ratings'],
    view.suite?.methods.includes('pairwise') && ['pairwise', 'Pairs'],
    view.suite?.methods.includes('rubric') && ['criteria', 'Criteria'],
    ['cases', 'Cases'],
    ['method', 'Method'],
  ]
  return (
    <nav aria-label="On this page" className="flex flex-wrap gap-x-4 text-[13px]">
      {places.map((place) =>
        Array.isArray(place) ? (
          <a key={place[0]} href={`#${place[0]}`} className="py-1 text-accent-ink hover:underline">
            {place[1]}
          </a>
        ) : null,
      )}
    </nav>
  )
}

/** Loaded only when expanded. */
function ExpandablePair({ selection, models }: { selection: string; models: string[] }) {
  const [isOpen, setOpen] = useState(() => new URLSearchParams(window.location.search).has('a'))
  return (
    <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary className="w-fit py-1 text-muted hover:text-ink">Compare two models, case by case</summary>
      {isOpen && (
        <Panel className="p-4">
          <PairPanel selection={selection} models={models} isSeries={false} />
        </Panel>
      )}
    </details>
  )
}

/** The suite's page; undefined if it is not stored. */
function suiteAddressOf({ kind, suite }: ResultsView): string | undefined {
  if (suite?.id === undefined || kind !== 'suite') return undefined
  return `/suites/${encodeURIComponent(suite.id)}`
}

/** A plan is shown for differences that are not significant. */
function hasOpenVerdict({ comparisons }: ResultsView): boolean {
  return comparisons.some(({ comparison }) => comparison.paired && !comparison.paired.isSignificant)
}

function ResultsSections({ selection, view }: { selection: string; view: ResultsView }) {
  const models = view.rows.map(({ modelId }) => modelId)
  const queries = useQueryClient()
  const [address] = useAddress()
  const isRunning = isLive(view)
  // The last cells may be scored after the last refresh.
  useEffect(() => {
    if (isRunning) return () => void queries.invalidateQueries({ queryKey: ['cases', selection] })
    return undefined
  }, [isRunning, queries, selection])
  return (
    <>
      {(view.runs.length === 1 || view.seriesId !== undefined) && (
        <RunLabelHead runId={view.runs[0]!.id} isSeries={view.seriesId !== undefined} />
      )}
      <RunNotices view={view} />
      <GroupNotice view={view} />
      <VerdictCard
        card={view.verdictCard}
        action={<NextAction selection={selection} view={view} suiteAddress={suiteAddressOf(view)} />}
      >
        <Verdicts view={view} startsOpen={readSmallestDifference(address) !== undefined}>
          {hasOpenVerdict(view) && <SmallestDifference />}
        </Verdicts>
      </VerdictCard>
      <SectionLinks view={view} />
      <Leaderboard view={view} />
      <Groups selection={selection} view={view} />
      {view.runs.length > 1 && <MultiRun selection={selection} view={view} />}
      {view.runs.length <= 1 && models.length > 1 && !view.group && (
        <Section title="Two models" id="pair">
          <ExpandablePair selection={selection} models={models} />
        </Section>
      )}
      <Tradeoffs rows={view.rows} />
      {view.agreement && <Agreement agreement={view.agreement} />}
      {view.people && <People selection={selection} people={view.people} />}
      <Judging selection={selection} view={view} />
      <CaseGrid selection={selection} view={view} refreshMs={isRunning ? REFRESH_MS : false} />
      <Method view={view} />
    </>
  )
}

/** The results of one run, several runs or a series. */
export function Results({ params }: ScreenProps) {
  const selection = params['selection'] ?? ''
  const [address, changeQuery] = useAddress()
  const smallestDifference = readSmallestDifference(address)
  const group = address.get('group') ?? undefined
  usePrefetchQuery(casePageQuery({ selection, query: readCaseQuery(address), refreshMs: false }, 0))
  const results = useQuery({
    queryKey: ['results', selection, smallestDifference, group],
    queryFn: () =>
      readReply(api.results[':selection'].$get({ param: { selection }, query: { smallestDifference, group } })),
    // The rest of the page stays while plans for another difference are made.
    placeholderData: (before, query) => (query?.queryKey[1] === selection ? before : undefined),
    enabled: parseSelection(selection) !== undefined,
    refetchInterval: ({ state }) =>
      state.data && (isLive(state.data) || isComparing(state.data)) ? REFRESH_MS : false,
  })
  const view = isMissing(results.error) ? undefined : results.data
  useNamesShown(
    view?.kind,
    view?.runs.map(({ id }) => id),
  )
  return (
    <Page
      title={view?.title ?? 'Results'}
      subtitle={view && <Facts view={view} />}
      actions={
        view && (
          <>
            {view.kind === 'page' && (
              <Link to={`/code-arena/${encodeURIComponent(view.runs.at(-1)!.id)}`} className={buttonClass()}>
                View the pages
              </Link>
            )}
            {view.again && view.kind !== 'page' && !isLive(view) && (
              <AgainActions selection={selection} again={view.again} models={view.rows.map(({ modelId }) => modelId)} />
            )}
            <RunnersOnly>
              <Link to={rateAddress(selection)} className={buttonClass()}>
                Rate answers
              </Link>
            </RunnersOnly>
            <Link to={compareAddress('', selection)} className={buttonClass()} title="Compare with another run">
              Compare
            </Link>
            <ExportMenu selection={selection} smallestDifference={smallestDifference} />
          </>
        )
      }
    >
      <Loaded
        query={results}
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
        {(loaded) => <ResultsSections selection={selection} view={loaded} />}
      </Loaded>
    </Page>
  )
}
