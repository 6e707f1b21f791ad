import { Loaded } from '../ui/Loaded.tsx'
import { canResume, findShownState, isLive, whereRunning } from '../../contract/index.ts'
import type { ArenaRun } from '../../stores/liveRunStore.ts'
import { Columns2, Square } from 'lucide-react'
import { useCallback, useEffect, useRef, useState } from 'react'
import { useLive, useLiveConnection } from '../arena/live/use-live-run.ts'
import { SeriesLinks } from '../arena/live/SeriesLinks.tsx'
import { usePageKeys } from '../ui/keys.ts'
import { navigate, useAddress, type ScreenProps } from '../router.tsx'
import { classes } from '../ui/classes.ts'
import { runAddress } from '../results/addresses.ts'
import { useNarrow } from '../ui/use-narrow.ts'
import { BrowserNotice } from './BrowserNotice.tsx'
import { ArenaPanels } from './panel/ArenaPanels.tsx'
import { useFullScreen } from './panel/use-full-screen.ts'
import { defaultViewportWidth, readViewportWidth } from './preview/fit-viewport.ts'
import { readSwipe } from './preview/read-swipe.ts'
import { Segments } from './preview/Segments.tsx'
import { ViewportSwitch } from './preview/ViewportSwitch.tsx'
import { RunHeader } from './RunHeader.tsx'
import { Forks } from './fork/Forks.tsx'
import { FollowUp } from './turns/FollowUp.tsx'
import { TurnComparison } from './turns/TurnComparison.tsx'
import { Turns } from './turns/Turns.tsx'
import { type BallotPage, drawOrder, letterOf } from './vote/ballot.ts'
import { useBallot } from './vote/use-ballot.ts'
import { VoteBar } from './vote/VoteBar.tsx'
import { getVoter, markNamesSeen, arenaRunAddress, useHasSeenNames } from './vote/voter.ts'
import { ResumeButton, StopButton } from '../arena/RunButtons.tsx'
import { ShareMenu } from './share/ShareMenu.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Button } from '../ui/Button.tsx'

interface RunNoticesProps {
  view: ArenaRun
  areNamesShown: boolean
  isLost: boolean
  failure: unknown
  onClose: () => void
}

/** What is wrong with the run, if anything. */
function RunNotices({ view, areNamesShown, isLost, failure, onClose }: RunNoticesProps) {
  const { stopped, usedUpBudget } = view
  const isOutOfBudget = usedUpBudget !== undefined
  return (
    <>
      {isLost && (
        <Notice kind="warning">
          The connection to Benchmaker was lost. Reconnecting… The run continues as long as Benchmaker is running.
        </Notice>
      )}
      {failure !== undefined && (
        <FailureNotice
          failure={failure}
          title="Something went wrong. Finished pages are saved."
          action={<Button onClick={onClose}>Close</Button>}
        />
      )}
      {view.workedOnBy && (
        <Notice title="Running in another process">
          The run is running {whereRunning(view.workedOnBy)}. This page shows what is stored; reload it to see more.
        </Notice>
      )}
      {view.state === 'interrupted' && (
        <Notice kind="warning" title="The run was interrupted">
          The process that was running it ended. Finished pages are saved; Resume sends only the rest.
        </Notice>
      )}
      {view.state !== 'interrupted' && stopped !== undefined && (
        // A reason other than the budget may name a model.
        <Notice kind="warning" title={areNamesShown || isOutOfBudget ? stopped : 'The run stopped early'}>
          Finished pages are saved; Resume sends only the rest{isOutOfBudget && ', with a higher budget'}.
        </Notice>
      )}
    </>
  )
}

interface ArenaRunActionsProps {
  view: ArenaRun
  areNamesShown: boolean
  onResumed: () => void
  onFailure: (failure: unknown) => void
}

/** Stop, resume and share. */
function ArenaRunActions({ view, areNamesShown, onResumed, onFailure }: ArenaRunActionsProps) {
  return (
    <>
      {isLive(view) && <StopButton runId={view.runId} onFailure={onFailure} />}
      {canResume(view, view.errors) && (
        <ResumeButton
          runId={view.runId}
          title="Runs the remaining pages and retries those that failed"
          usedUpBudget={view.usedUpBudget}
          workedOnBy={view.workedOnBy}
          onFailure={onFailure}
          onResumed={(runId) =>
            runId === view.runId ? onResumed() : navigate(arenaRunAddress(runId), { replace: true })
          }
        />
      )}
      {!isLive(view) && <ShareMenu runId={view.runId} areNamesShown={areNamesShown} />}
    </>
  )
}

/** The pages in their drawn order, with what is known about them so far. */
function useBallotPages(view: ArenaRun): [BallotPage[], (modelId: string, state: BallotPage['state']) => void] {
  const [states, setStates] = useState<Record<string, BallotPage['state']>>({})
  const setState = useCallback(
    (modelId: string, state: BallotPage['state']) => setStates((before) => ({ ...before, [modelId]: state })),
    [],
  )
  const order = drawOrder(
    view.pages.map(({ modelId }) => modelId),
    { runId: view.runId, voter: getVoter() },
  )
  const pages = order.map((modelId, index) => ({
    modelId,
    letter: letterOf(index),
    state: states[modelId] ?? ('writing' as const),
  }))
  return [pages, setState]
}

interface LoadedRunProps {
  view: ArenaRun
  isLost: boolean
  reopen: () => void
}

function LoadedRun({ view, isLost, reopen }: LoadedRunProps) {
  const [query, changeQuery] = useAddress()
  const [failure, setFailure] = useState<unknown>()
  const [pages, setPageState] = useBallotPages(view)
  const ballot = useBallot(view, pages)
  const { container, isFull, toggle: toggleFullScreen } = useFullScreen<HTMLDivElement>()
  const isNarrow = useNarrow()
  const touch = useRef({ x: 0, y: 0 })
  const isNamed = query.get('names') === 'shown'
  useEffect(() => {
    if (isNamed) markNamesSeen(view.runId)
  }, [isNamed, view.runId])

  // Six pages have fifteen pairs: from three pages on, the best of all is asked for first.
  const question = ballot.pages.length > 2 && query.get('vote') !== 'pair' ? 'best' : 'pair'
  const candidates = ballot.isAsking && question === 'pair' ? ballot.open[0]! : pages
  const isOne = candidates.length === 1 || isNarrow || query.get('view') === 'one'
  const current = candidates.find(({ letter }) => letter === query.get('page')) ?? candidates[0]
  const shown = isOne && current ? [current] : candidates
  const width = readViewportWidth(
    query.get('width'),
    isOne && window.innerWidth >= 1024 ? 1440 : defaultViewportWidth(window.innerWidth),
  )
  const step = (by: number) => {
    const next = current && candidates[candidates.indexOf(current) + by]
    if (next) changeQuery({ page: next.letter })
  }
  const toggleCode = () => {
    const names = shown.map((page) => `show${pages.findIndex(({ modelId }) => modelId === page.modelId) + 1}`)
    const value = names.every((name) => query.get(name) === 'code') ? '' : 'code'
    changeQuery(Object.fromEntries(names.map((name) => [name, value])))
  }
  usePageKeys((key) => {
    if (key === 'f') toggleFullScreen()
    else if (key === 'c') toggleCode()
    else if (isOne && (key === 'h' || key === 'l')) step(key === 'h' ? -1 : 1)
    else return false
    return true
  })

  const nameOf = (modelId: string) =>
    ballot.areNamesShown ? modelId : `Page ${pages.find((page) => page.modelId === modelId)?.letter ?? ''}`
  const controls = (
    <>
      <SeriesLinks runIds={view.seriesRuns} runId={view.runId} addressOf={arenaRunAddress} />
      {!isNarrow && candidates.length > 1 && (
        <Segments
          label="Page layout"
          value={isOne ? 'one' : 'all'}
          options={[
            { value: 'all', label: <Columns2 size={16} aria-hidden />, name: 'Side by side' },
            { value: 'one', label: <Square size={16} aria-hidden />, name: 'One at a time' },
          ]}
          onChange={(value) => changeQuery({ view: value === 'one' ? 'one' : '' })}
        />
      )}
      {isOne && current && candidates.length > 1 && (
        <Segments
          label="Page shown"
          value={current.letter}
          options={candidates.map(({ letter, modelId }) => ({
            value: letter,
            label: letter,
            name: ballot.areNamesShown ? modelId : `Page ${letter}`,
          }))}
          onChange={(letter) => changeQuery({ page: letter })}
        />
      )}
      <ViewportSwitch width={width} onChange={(value) => changeQuery({ width: String(value) })} />
    </>
  )
  return (
    <div
      className="flex min-h-[calc(100dvh-48px)] min-w-0 flex-col md:min-h-dvh"
      onTouchStart={({ touches }) => {
        const first = touches.item(0)
        if (first) touch.current = { x: first.clientX, y: first.clientY }
      }}
      onTouchEnd={({ changedTouches }) => {
        const first = changedTouches.item(0)
        if (first && isOne) step(readSwipe(touch.current, { x: first.clientX, y: first.clientY }))
      }}
    >
      <div className="flex flex-col gap-2 px-4 pt-2 pb-2 md:px-6">
        <RunHeader
          view={view}
          areNamesShown={ballot.areNamesShown}
          controls={controls}
          actions={
            <ArenaRunActions
              view={view}
              areNamesShown={ballot.areNamesShown}
              onFailure={setFailure}
              onResumed={() => {
                setFailure(undefined)
                reopen()
              }}
            />
          }
        />
        <RunNotices
          view={view}
          areNamesShown={ballot.areNamesShown}
          isLost={isLost}
          failure={failure}
          onClose={() => setFailure(undefined)}
        />
        {isLive(view) && <BrowserNotice areProblemsEnough />}
        <Turns view={view} nameOf={nameOf} />
      </div>
      <div
        ref={container}
        className={classes('flex min-w-0 flex-1 flex-col bg-canvas', isFull && 'overflow-auto pt-3')}
      >
        <div className="flex min-w-0 flex-1 flex-col gap-3 px-4 pb-3 md:px-6">
          {query.get('turns') === 'compare' ? (
            <TurnComparison view={view} nameOf={nameOf} areGradesShown={ballot.areNamesShown} width={width} />
          ) : (
            <ArenaPanels
              view={view}
              pages={pages}
              shown={new Set(shown.map(({ modelId }) => modelId))}
              areNamesShown={ballot.areNamesShown}
              width={width}
              onPageState={setPageState}
            />
          )}
          <FollowUp view={view} nameOf={nameOf} />
          <Forks runId={view.runId} nameOf={nameOf} />
        </div>
        {pages.length > 1 && (
          <VoteBar
            ballot={ballot}
            question={question}
            onQuestion={(value) => changeQuery({ vote: value })}
            shownAlone={isOne ? current : undefined}
          />
        )}
      </div>
    </div>
  )
}

/** A Code Arena run: the pages of all models, live or stored. */
export function CodeArenaRun({ params }: ScreenProps) {
  const runId = params['runId']!
  const { connection, state } = useLiveConnection(runId, { areNamesShown: useHasSeenNames(runId) })
  const facts = useLive(connection.store, ({ getFacts }) => getFacts())
  const progress = useLive(connection.store, ({ getProgress }) => getProgress())
  const pages = useLive(connection.store, ({ getPages }) => getPages())
  const hasEnded = useLive(connection.store, (store) => store.hasEnded())
  const isOther = facts !== undefined && facts.kind !== 'page'
  const liveRunId = facts?.runId
  const view: ArenaRun | undefined = facts?.arena &&
    progress && {
      runId: facts.runId,
      seriesId: facts.seriesId,
      ...facts.arena,
      ...progress,
      state: findShownState(progress, { hasEnded, isLastRun: facts.runNumber >= facts.runsPlanned }),
      pages,
    }
  useEffect(() => {
    // The series started its next run, so this page follows it.
    if (liveRunId !== undefined && liveRunId !== runId) navigate(arenaRunAddress(liveRunId), { replace: true })
  }, [liveRunId, runId])
  useEffect(() => {
    if (isOther) navigate(runAddress({ runId }), { replace: true })
  }, [isOther, runId])
  return (
    <Loaded
      query={{
        data: view,
        error: state.kind === 'refused' ? state.failure : undefined,
        fetchStatus: 'fetching',
        refetch: connection.reopen,
      }}
      what="the run"
      rows={10}
      page="Code Arena"
      back={{ to: '/code-arena?tab=history', label: 'All runs' }}
    >
      {(loaded) => (
        <LoadedRun key={loaded.runId} view={loaded} isLost={state.kind === 'lost'} reopen={connection.reopen} />
      )}
    </Loaded>
  )
}
