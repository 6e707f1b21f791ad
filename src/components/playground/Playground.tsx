import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { ArrowLeft } from 'lucide-react'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { caseAddress } from '../results/addresses.ts'
import { Link, useAddress, type ScreenProps } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { Workbench } from './Workbench.tsx'

/** Change something about a stored answer's case, ask again, and see whether it helped. */
export function Playground({ params }: ScreenProps) {
  const runId = params['runId'] ?? ''
  const [address] = useAddress()
  const [caseId, contestant] = [address.get('case') ?? '', address.get('model') ?? '']
  const start = useQuery({
    queryKey: ['playgroundStart', runId, caseId, contestant],
    queryFn: () =>
      readReply(api.playground[':runId'].$get({ param: { runId }, query: { case: caseId, model: contestant } })),
    enabled: caseId !== '' && contestant !== '',
    retry: false,
    // What the user sees must not change under what is typed.
    refetchOnWindowFocus: false,
  })
  const isRefused = start.error instanceof ApiFailure && start.error.status === 422
  const back = caseAddress(runId, { id: caseId, model: contestant })
  const toResults = (
    <Link to="/results" className={buttonClass('primary')}>
      All results
    </Link>
  )
  return (
    <Page
      title="Try a change"
      subtitle={
        <div className="flex flex-wrap items-center gap-x-2">
          <Link to={back} className="inline-flex items-center gap-1 text-accent-ink hover:underline">
            <ArrowLeft size={14} aria-hidden /> {caseId === '' ? 'Case' : caseId}
          </Link>
          {start.data && <span className="break-words">{start.data.suiteName}</span>}
        </div>
      }
    >
      {isRefused ? (
        <EmptyState title="This case cannot be run again." action={toResults}>
          {start.error?.message}
        </EmptyState>
      ) : (
        <Loaded
          query={start}
          what="the case"
          rows={10}
          missing={
            <EmptyState title="There is no such answer." action={toResults}>
              The run may have been deleted. Open a case of a run and choose “Try a change”.
            </EmptyState>
          }
        >
          {(loaded) => (
            <Workbench
              key={`${runId}\n${caseId}\n${contestant}`}
              origin={{ runId, caseId, contestant }}
              start={loaded}
            />
          )}
        </Loaded>
      )}
    </Page>
  )
}
