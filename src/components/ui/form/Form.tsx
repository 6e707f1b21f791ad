import { useId, type FormHTMLAttributes, type ReactNode } from 'react'
import { Button } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { FailureNotice } from '../Notice.tsx'

interface FormProps extends Omit<FormHTMLAttributes<HTMLFormElement>, 'onSubmit'> {
  onSubmit: () => void
}

/** Enter in a field submits it, without loading the page again. */
export function Form({ onSubmit, ...rest }: FormProps) {
  return (
    <form
      {...rest}
      onSubmit={(event) => {
        event.preventDefault()
        onSubmit()
      }}
    />
  )
}

/** What was typed is kept until it is saved or given up. */
export const NOT_SAVED = 'Not saved yet'

interface FormDialogProps {
  title: string
  description: string
  /** The main button, now and while the request goes on. */
  action: { label: string; pending: string; isDisabled?: boolean }
  request: { isPending: boolean; error: unknown }
  failureTitle: string
  onSubmit: () => void
  /** By Esc or a click outside too. */
  onClose: () => void
  /** Of a form that keeps what was typed when it is closed: gives it up. */
  kept?: { isUnsaved: boolean; onDrop: () => void }
  children: ReactNode
}

/** A few fields that are sent together; Enter sends them too. */
export function FormDialog({
  title,
  description,
  action: { label, pending, isDisabled = false },
  request: { isPending, error },
  failureTitle,
  onSubmit,
  onClose,
  kept,
  children,
}: FormDialogProps) {
  const form = useId()
  const isBlocked = isDisabled || isPending
  return (
    <Dialog
      title={title}
      description={description}
      isOpen
      onClose={onClose}
      keepsTyped={kept !== undefined}
      actions={
        <>
          {kept?.isUnsaved && <span className="mr-auto self-center text-[13px] text-muted">{NOT_SAVED}</span>}
          <Button onClick={kept?.onDrop ?? onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form={form} disabled={isBlocked}>
            {isPending ? pending : label}
          </Button>
        </>
      }
    >
      <Form id={form} onSubmit={() => !isBlocked && onSubmit()} className="flex flex-col gap-3">
        {children}
        <FailureNotice title={failureTitle} failure={error} />
      </Form>
    </Dialog>
  )
}
