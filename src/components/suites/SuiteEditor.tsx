import { Loaded, both } from '../ui/Loaded.tsx'
import { useScorers } from '../queries.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { type ScreenProps } from '../router.tsx'
import { SuiteWorkbench } from './SuiteWorkbench.tsx'
import { NEW_SUITE } from './use-suite-draft.ts'

/** `/suites/:id`, or `/suites/new` for a new suite. */
export function SuiteEditor({ params }: ScreenProps) {
  const id = params['id'] ?? NEW_SUITE
  const isNew = id === NEW_SUITE
  const scorers = useScorers()
  // Loaded only once: the user's changes are based on this version.
  const loaded = useQuery({
    queryKey: ['suite', id, 'editor'],
    queryFn: () => readReply(api.suites[':id'].$get({ param: { id }, query: {} })),
    enabled: !isNew,
    staleTime: 0,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  const state = { what: 'the suite', page: 'Suite', back: { to: '/suites', label: 'All suites' } }
  return isNew ? (
    <Loaded query={scorers} {...state}>
      {(list) => <SuiteWorkbench key={id} id={id} document={undefined} scorers={list} />}
    </Loaded>
  ) : (
    <Loaded query={both(scorers, loaded)} {...state}>
      {([list, document]) => <SuiteWorkbench key={id} id={id} document={document} scorers={list} />}
    </Loaded>
  )
}
