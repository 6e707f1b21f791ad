import type { SettingsView } from '../../server/settings/routes.ts'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { toast } from '../ui/toast.ts'

/** Changes a setting and reloads what depends on keys and endpoints, such as the list of models. */
export function useSaveSettings<T>(
  change: (value: T) => Promise<SettingsView>,
  describe: (value: T) => string,
): UseMutationResult<SettingsView, Error, T> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (settings, value) => {
      queries.setQueryData(['settings'], settings)
      for (const key of ['app', 'models', 'estimate', 'browser']) void queries.invalidateQueries({ queryKey: [key] })
      toast(describe(value))
    },
  })
}
