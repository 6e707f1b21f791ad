import type { VoteChoice } from './vote-choices.ts'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import type { ArenaRun } from '../../../stores/liveRunStore.ts'
import type { RunVote, RunVotes } from '../../../server/code-arena/run-votes.ts'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { toast } from '../../ui/toast.ts'
import { readBallot, type Ballot, type BallotPage } from './ballot.ts'
import { getVoter, markNamesSeen, useHasSeenNames } from './voter.ts'

export interface OpenBallot extends Ballot {
  votes: readonly RunVote[]
  /** There are pages to choose between now. */
  isAsking: boolean
  isBusy: boolean
  canUndo: boolean
  /** `isLast`: nothing more is asked afterwards, so the names are shown. */
  cast: (choice: VoteChoice, options: { isLast: boolean }) => void
  undo: () => void
  showNames: () => void
  /** Asks although the names are known; such votes are marked. */
  voteAnyway: () => void
}

/** The votes on a run, and what this person may still vote on. */
export function useBallot(
  { runId, state }: Pick<ArenaRun, 'runId' | 'state'>,
  pages: readonly BallotPage[],
): OpenBallot {
  const queries = useQueryClient()
  const voter = getVoter()
  const hasSeenNames = useHasSeenNames(runId)
  const names = hasSeenNames ? 'shown' : 'hidden'
  const queryKey = ['code-arena', 'votes', runId, names]
  const stored = useQuery({
    queryKey,
    queryFn: () => readReply(api.codeArena[':runId'].votes.$get({ param: { runId }, query: { voter, names } })),
    enabled: pages.length > 1,
  })
  const ballot = readBallot({
    pages,
    votes: stored.data?.votes,
    hasSeenNames,
    // After a failure the reason matters more than a vote.
    isFinal: state === 'done' || state === 'failed',
  })
  const { areNamesShown } = ballot
  const [isVotingAnyway, setVotingAnyway] = useState(false)
  useEffect(() => {
    if (areNamesShown) markNamesSeen(runId)
  }, [areNamesShown, runId])

  const keep = (votes: RunVotes) => {
    queries.setQueryData(queryKey, votes)
    void queries.invalidateQueries({ queryKey: ['code-arena', 'ranking'] })
    void queries.invalidateQueries({ queryKey: ['code-arena', 'runs'] })
  }
  const cast = useSingleMutation({
    mutationFn: ({ choice: { votes } }: { choice: VoteChoice; isLast: boolean }) =>
      readReply(
        api.codeArena[':runId'].votes.$post({ param: { runId }, json: { voter, isBlind: !areNamesShown, votes } }),
      ),
    onSuccess: (votes, { isLast }) => {
      keep(votes)
      if (!isLast) return
      markNamesSeen(runId)
      setVotingAnyway(false)
    },
    onError: (error) => {
      toast(`Not counted: ${error.message}`)
      // Voted on in another tab.
      if (error instanceof ApiFailure && error.status === 409) void stored.refetch()
    },
  })
  const lastCastAt = stored.data?.lastCastAt
  const undo = useMutation({
    mutationFn: () =>
      readReply(
        api.codeArena[':runId'].votes[':castAt'].$delete({
          param: { runId, castAt: String(lastCastAt) },
          query: { voter },
        }),
      ),
    onSuccess: (votes) => {
      keep(votes)
      toast('Your vote was undone.')
    },
    onError: (error) => {
      toast(error.message)
      void stored.refetch()
    },
  })
  const isBusy = cast.isPending || undo.isPending
  return {
    ...ballot,
    votes: stored.data?.votes ?? [],
    isAsking: ballot.isWritten && ballot.open.length > 0 && (!areNamesShown || isVotingAnyway),
    isBusy,
    canUndo: lastCastAt !== undefined && !isBusy,
    cast: (choice, { isLast }) => cast.mutate({ choice, isLast }),
    undo: () => undo.mutate(),
    showNames: () => markNamesSeen(runId),
    voteAnyway: () => setVotingAnyway(true),
  }
}
