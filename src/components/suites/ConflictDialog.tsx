import { Link } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

interface ConflictDialogProps {
  suiteId: string
  /** The version that the changes here were made from. */
  after: number | undefined
  isOpen: boolean
  onClose: () => void
  onKeepMine: () => void
  onTakeTheirs: () => void
}

/** Somebody else, or another tab, saved meanwhile: nothing was written, and the choice is the user's. */
export function ConflictDialog({ suiteId, after, isOpen, onClose, onKeepMine, onTakeTheirs }: ConflictDialogProps) {
  return (
    <Dialog
      title="The suite was saved elsewhere meanwhile"
      description="Another tab or person saved a newer version after you opened it. Your changes are still here; nothing was written."
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" onClick={onTakeTheirs}>
            Take theirs
          </Button>
          <Button kind="primary" onClick={onKeepMine}>
            Keep mine
          </Button>
        </>
      }
    >
      <div className="flex flex-col items-start gap-3">
        <Link
          to={`/suites/${encodeURIComponent(suiteId)}/history${after === undefined ? '' : `?from=${after}`}`}
          target="_blank"
          rel="noopener"
          className={buttonClass()}
        >
          See theirs in a new tab
        </Link>
        <ul className="list-disc pl-4">
          <li>
            <strong className="font-medium">Keep mine</strong> saves yours as the newest version. Theirs stays in the
            history.
          </li>
          <li>
            <strong className="font-medium">Take theirs</strong> drops your unsaved changes and shows the newest
            version.
          </li>
        </ul>
      </div>
    </Dialog>
  )
}
