import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { TeamView } from '../../server/access/team-routes.ts'
import { toast } from '../ui/toast.ts'

/** Saves a change of the team, shows the team as it is then, and says what happened. */
export function useSaveTeam<Input>(save: (input: Input) => Promise<TeamView>, describe: (input: Input) => string) {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: save,
    onSuccess: (team, input) => {
      queries.setQueryData(['team'], team)
      void queries.invalidateQueries({ queryKey: ['team-log'] })
      toast(describe(input))
    },
    onError: (error) => toast(`Not saved: ${error.message}`),
  })
}
