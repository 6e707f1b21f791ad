import { Link } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/Notice.tsx'

/** Instead of what is known about a run. */
export function NoSuchRun() {
  return (
    <EmptyState
      title="There is no run with this id."
      action={
        <Link to="/results" className={buttonClass('primary')}>
          All results
        </Link>
      }
    >
      It may have been deleted, or it may be in another data folder.
    </EmptyState>
  )
}
