import { Link } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'

interface ConflictDialogProps {
  suiteId: string
  /** The version that the changes are based on. */
  after: number | undefined
  isOpen: boolean
  onClose: () => void
  onKeepMine: () => void
  onUseTheirs: () => void
}

/** Another person or tab saved a newer version: nothing was written, and the user decides. */
export function ConflictDialog({ suiteId, after, isOpen, onClose, onKeepMine, onUseTheirs }: ConflictDialogProps) {
  return (
    <Dialog
      title="This suite has a newer version"
      description="Another tab or person saved it after you opened it. Your changes are still here; nothing was written."
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button kind="danger" onClick={onUseTheirs}>
            Use theirs
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
          View theirs in a new tab
        </Link>
        <ul className="list-disc pl-4">
          <li>
            <strong className="font-medium">Keep mine</strong> saves yours as the newest version. Theirs stays in the
            history.
          </li>
          <li>
            <strong className="font-medium">Use theirs</strong> discards your unsaved changes and loads the newest
            version.
          </li>
        </ul>
      </div>
    </Dialog>
  )
}
