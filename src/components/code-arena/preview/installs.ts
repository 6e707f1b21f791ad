import { useQuery, type QueryClient } from '@tanstack/react-query'

const KEY = ['packages-installed']

/** How often packages for pages were installed since the app was opened: pages are assembled again after each. */
export function useInstalls(): number {
  return useQuery({ queryKey: KEY, queryFn: () => 0, initialData: 0, staleTime: Infinity }).data
}

export function noteInstall(queries: QueryClient): void {
  queries.setQueryData(KEY, (before: number | undefined) => (before ?? 0) + 1)
}
