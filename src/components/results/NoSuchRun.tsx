import { Link } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'

/** Instead of a page about a run that does not exist. */
export function NoSuchRun({ title }: { title: string }) {
  return (
    <Page title={title}>
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
    </Page>
  )
}
