import { useQuery } from '@tanstack/react-query'
import type { ArenaRun } from '../../../stores/liveRunStore.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useHasSeenNames } from '../vote/voter.ts'
import { listSteps, type TurnStep } from './turn-path.ts'

/** The turns of the conversation that a run is part of; read again when the run ends. */
export function useTurns({ runId, state }: Pick<ArenaRun, 'runId' | 'state'>): TurnStep[] {
  const names = useHasSeenNames(runId) ? 'shown' : 'hidden'
  const { data } = useQuery({
    queryKey: ['code-arena', 'turns', runId, state, names],
    queryFn: () => readReply(api.arenaPages[':runId'].turns.$get({ param: { runId }, query: { names } })),
    staleTime: 5_000,
  })
  return data ? listSteps(data, runId) : []
}
