import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, type ScreenProps } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { Loading, OpenFailure } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { SuiteWorkbench } from './SuiteWorkbench.tsx'
import { NEW_SUITE } from './use-suite-draft.ts'

/** `/suites/:id`, or `/suites/new` for a new suite. */
export function SuiteEditor({ params }: ScreenProps) {
  const id = params['id'] ?? NEW_SUITE
  const isNew = id === NEW_SUITE
  const scorers = useQuery({ queryKey: ['scorers'], queryFn: () => readReply(api.scorers.$get()), staleTime: Infinity })
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
  const failure = loaded.error ?? scorers.error
  if (failure && loaded.data === undefined)
    return (
      <Page title="Suite">
        <OpenFailure
          failure={failure}
          title="The suite could not be opened"
          onRetry={() => {
            if (!isNew) void loaded.refetch()
            if (scorers.isError) void scorers.refetch()
          }}
          back={
            <Link to="/suites" className={buttonClass()}>
              All suites
            </Link>
          }
        />
      </Page>
    )
  if (!scorers.data || (!isNew && !loaded.data))
    return (
      <Page title="Suite">
        <Loading label="Loading the suite…" />
      </Page>
    )
  return <SuiteWorkbench key={id} id={id} document={loaded.data} scorers={scorers.data} />
}
