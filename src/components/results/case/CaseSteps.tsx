import { Link } from '../../router.tsx'
import { EmptyState } from '../../ui/Notice.tsx'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { Button, buttonClass } from '../../ui/Button.tsx'

interface CaseStepsProps {
  detail: { previousId?: string | undefined; nextId?: string | undefined }
  goTo: (id: string | undefined) => void
}

/** To the case before and after, in the order of the list. */
export function CaseSteps({ detail: { previousId, nextId }, goTo }: CaseStepsProps) {
  return (
    <>
      <Button disabled={previousId === undefined} onClick={() => goTo(previousId)}>
        <ChevronLeft size={14} aria-hidden /> Previous case
      </Button>
      <Button disabled={nextId === undefined} onClick={() => goTo(nextId)}>
        Next case <ChevronRight size={14} aria-hidden />
      </Button>
    </>
  )
}

/** Instead of a case. */
export function NoSuchCase({ title, back }: { title: string; back: string }) {
  return (
    <EmptyState
      title={title}
      action={
        <Link to={back} className={buttonClass('primary')}>
          All cases
        </Link>
      }
    />
  )
}
