import { useId, type FormEvent, type ReactNode } from 'react'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { FailureNotice } from '../ui/Notice.tsx'

interface FieldsDialogProps {
  title: string
  description: string
  /** What the fields are together: `price`, `limits`. */
  what: 'price' | 'limits'
  save: { isPending: boolean; error: unknown }
  onSubmit: () => void
  onClose: () => void
  children: ReactNode
}

/** A few fields that are saved together; Enter saves them. */
export function FieldsDialog({ title, description, what, save, onSubmit, onClose, children }: FieldsDialogProps) {
  const form = useId()
  const submit = (event: FormEvent) => {
    event.preventDefault()
    onSubmit()
  }
  return (
    <Dialog
      title={title}
      description={description}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} disabled={save.isPending}>
            {save.isPending ? 'Saving…' : `Save ${what}`}
          </Button>
        </>
      }
    >
      <form id={form} onSubmit={submit} className="flex flex-col gap-3">
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">{children}</div>
        {save.error != null && (
          <FailureNotice title={`The ${what} ${what === 'limits' ? 'were' : 'was'} not saved`} failure={save.error} />
        )}
      </form>
    </Dialog>
  )
}
