import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TeamView } from '../../server/access/team-routes.ts'
import { toast } from '../ui/toast.ts'
import { SESSION_KEY } from './session.ts'

/** Saves a change of the team, shows the team as it is then, and says what happened. */
export function useSaveTeam<Input>(save: (input: Input) => Promise<TeamView>, describe: (input: Input) => string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: (team, input) => {
      queries.setQueryData(['team'], team)
      void queries.invalidateQueries({ queryKey: ['team-log'] })
      // The budget may be the admin's own.
      void queries.invalidateQueries({ queryKey: SESSION_KEY })
      toast(describe(input))
    },
    onError: (error) => toast(`Not saved: ${error.message}`),
  })
}
