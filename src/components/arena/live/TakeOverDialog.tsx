import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'

interface TakeOverDialogProps {
  /** Where the run is running: `in another process (process 4711 on host lab since …)` */
  owner: string
  isResuming: boolean
  failure: Error | null
  onTakeOver: () => void
  onClose: () => void
}

/** Asks before a run is taken from another process, as `--take-over` does in the terminal. */
export function TakeOverDialog({ owner, isResuming, failure, onTakeOver, onClose }: TakeOverDialogProps) {
  return (
    <Dialog
      title="Take over the run?"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Wait for it</Button>
          <Button kind="danger" disabled={isResuming} onClick={onTakeOver}>
            {isResuming ? 'Taking over…' : 'Take over'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <p className="break-words">The run is running {owner}.</p>
        <p>
          Take it over only when you know that this process is dead. If it is alive, it stops, and its requests in
          progress are paid for twice. Finished cells are saved either way.
        </p>
        {failure && <FailureNotice title="The run was not taken over" failure={failure} />}
      </div>
    </Dialog>
  )
}
