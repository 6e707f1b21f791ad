import type { SettingsView } from '../../server/settings/routes.ts'
import { useMutation, useQueryClient, type UseMutationResult } from '@tanstack/react-query'
import { toast } from '../ui/toast.ts'

/** Changes a setting; what depends on keys and endpoints (models, what the app says of itself) is asked for anew. */
export function useSaveSettings<T>(
  change: (value: T) => Promise<SettingsView>,
  describe: (value: T) => string,
): UseMutationResult<SettingsView, Error, T> {
  const queries = useQueryClient()
  return useMutation({
    mutationFn: change,
    onSuccess: (settings, value) => {
      queries.setQueryData(['settings'], settings)
      for (const key of ['app', 'models', 'estimate']) void queries.invalidateQueries({ queryKey: [key] })
      toast(describe(value))
    },
  })
}
