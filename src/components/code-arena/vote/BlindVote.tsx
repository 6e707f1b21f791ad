import type { ArenaPair } from '../../../server/code-arena/arena-pairs.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import type { VoteRequest } from '../../../contract/index.ts'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { usePageKeys } from '../../results/keys.ts'
import { Link, useQuery as useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { EmptyState, FailureNotice, Loading } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { defaultViewportWidth, readViewportWidth } from '../preview/fit-viewport.ts'
import { Revealed } from './Revealed.tsx'
import { choiceOfKey, choices } from './vote-choices.ts'
import { ViewportSwitch } from '../preview/ViewportSwitch.tsx'
import { VotePage } from './VotePage.tsx'

function NoPair({ failure, runId }: { failure: unknown; runId: string | undefined }) {
  if (!(failure instanceof ApiFailure) || failure.status !== 404)
    return <FailureNotice title="No pair could be loaded" failure={failure} />
  const areAllVoted = failure.code === 'all-voted'
  return (
    <EmptyState
      title={
        areAllVoted
          ? 'Every pair has a vote.'
          : runId === undefined
            ? 'There is nothing to vote on yet.'
            : 'This run has nothing to vote on.'
      }
      action={
        <div className="flex flex-wrap justify-center gap-2">
          {runId !== undefined && (
            <Link to="/code-arena?tab=vote" className={buttonClass()}>
              Vote on any run
            </Link>
          )}
          {areAllVoted && (
            <Link to="/code-arena?tab=ranking" className={buttonClass()}>
              View the ranking
            </Link>
          )}
          <Link to="/code-arena" className={buttonClass('primary')}>
            Start a run
          </Link>
        </div>
      }
    >
      {areAllVoted
        ? 'Start another run for new pairs.'
        : 'Voting needs a finished run in which at least two models built a working page.'}
    </EmptyState>
  )
}

function Choices({ isDisabled, onVote }: { isDisabled: boolean; onVote: (choice: VoteRequest['choice']) => void }) {
  return (
    <div role="group" aria-label="Your vote" className="grid grid-cols-2 gap-2 sm:flex sm:flex-wrap sm:justify-center">
      {choices.map(({ choice, label, key }) => (
        <Button key={choice} disabled={isDisabled} onClick={() => onVote(choice)} aria-keyshortcuts={key}>
          {label}{' '}
          <kbd aria-hidden className="rounded border border-line px-1 text-xs text-muted">
            {key}
          </kbd>
        </Button>
      ))}
    </div>
  )
}

function OnePair({ pair, onNext }: { pair: ArenaPair; onNext: () => void }) {
  const queries = useQueryClient()
  const [query, changeQuery] = useAddress()
  const next = useRef<HTMLButtonElement>(null)
  const width = readViewportWidth(query.get('width'), defaultViewportWidth(window.innerWidth))
  const refreshCounts = () => {
    void queries.invalidateQueries({ queryKey: ['code-arena', 'ranking'] })
    void queries.invalidateQueries({ queryKey: ['code-arena', 'runs'] })
  }
  const vote = useMutation({
    mutationFn: (choice: VoteRequest['choice']) =>
      readReply(api.codeArena.votes.$post({ json: { pairId: pair.pairId, choice } })),
    onSuccess: refreshCounts,
    onError: (error) => {
      toast(`Not counted: ${error.message}`)
      // Voted on in another tab, or its run is gone.
      if (error instanceof ApiFailure && (error.status === 409 || error.status === 404)) onNext()
    },
  })
  const undo = useMutation({
    mutationFn: () => readReply(api.codeArena.votes[':pairId'].$delete({ param: { pairId: pair.pairId } })),
    onSuccess: () => {
      refreshCounts()
      vote.reset()
      toast('Your vote was undone.')
    },
    onError: (error) => toast(error.message),
  })
  const isOpen = !vote.data && !vote.isPending
  usePageKeys((key) => {
    const choice = choiceOfKey(key)
    if (!choice || !isOpen) return false
    vote.mutate(choice)
    return true
  })
  const hasVoted = vote.data !== undefined
  useEffect(() => {
    if (hasVoted) next.current?.focus()
  }, [hasVoted])
  return (
    <div className="flex flex-col gap-3">
      <div className="flex flex-wrap items-start gap-x-4 gap-y-2">
        <div
          className="max-h-24 min-w-0 flex-1 basis-72 overflow-auto break-words whitespace-pre-wrap"
          tabIndex={0}
          role="region"
          aria-label="Prompt"
        >
          {pair.prompt}
        </div>
        <ViewportSwitch width={width} onChange={(value) => changeQuery({ width: String(value) })} />
      </div>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <VotePage side="A" page={pair.left} width={width} />
        <VotePage side="B" page={pair.right} width={width} />
      </div>
      <div className="sticky bottom-0 z-20 -mx-4 -mb-4 flex flex-col items-center gap-2 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:px-6">
        {vote.data ? (
          <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
            <Revealed result={vote.data} />
            <div className="flex gap-2">
              <Button disabled={undo.isPending} onClick={() => undo.mutate()}>
                <Undo2 size={14} aria-hidden />
                Undo
              </Button>
              <button
                ref={next}
                type="button"
                className={buttonClass('primary')}
                disabled={undo.isPending}
                onClick={onNext}
              >
                Next pair
              </button>
            </div>
          </div>
        ) : (
          <>
            <Choices isDisabled={!isOpen} onVote={(choice) => vote.mutate(choice)} />
            <div className="text-xs text-muted">
              {formatCount(pair.remaining, 'pair')} in this run without a vote. Press 1 to 4 to vote while the focus is
              outside the pages.
            </div>
          </>
        )}
      </div>
    </div>
  )
}

/** Two anonymous pages; their models are revealed after the vote. */
export function BlindVote({ runId }: { runId: string | undefined }) {
  const [number, setNumber] = useState(1)
  const pair = useQuery({
    queryKey: ['code-arena', 'pair', runId ?? '', number],
    queryFn: () => readReply(api.codeArena.pair.$get({ query: { runId } })),
    // Pairs are random: a refetch would replace the one on screen.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  if (pair.isPending) return <Loading label="Loading a pair…" rows={8} />
  if (pair.isError) return <NoPair failure={pair.error} runId={runId} />
  return <OnePair key={pair.data.pairId} pair={pair.data} onNext={() => setNumber(number + 1)} />
}
