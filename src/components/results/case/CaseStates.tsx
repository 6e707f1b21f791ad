import { Link } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { EmptyState, FailureNotice, Loading } from '../../ui/Notice.tsx'

interface CaseStatesProps {
  detail: { isPending: boolean; isError: boolean; error: unknown; refetch: () => unknown }
  isMissing: boolean
  missingTitle: string
  allCasesAddress: string
  loadingLabel: string
}

/** Instead of a case that does not exist, could not be loaded, or is being loaded. */
export function CaseStates({ detail, isMissing, missingTitle, allCasesAddress, loadingLabel }: CaseStatesProps) {
  if (isMissing)
    return (
      <EmptyState
        title={missingTitle}
        action={
          <Link to={allCasesAddress} className={buttonClass('primary')}>
            All cases
          </Link>
        }
      />
    )
  if (detail.isError)
    return (
      <FailureNotice
        failure={detail.error}
        title="The case could not be loaded"
        action={<Button onClick={() => void detail.refetch()}>Try again</Button>}
      />
    )
  return detail.isPending ? <Loading label={loadingLabel} rows={10} /> : null
}
