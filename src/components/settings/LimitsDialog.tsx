import { useState, type FormEvent } from 'react'
import type { ProviderLimits } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { describeLimits, limitLabels, limitNames, readLimits, writeLimits } from './limit-fields.ts'
import { useSaveSettings } from './use-save-settings.ts'

/** What may be sent to a provider, by all runs together. */
export function LimitsDialog({
  name,
  label,
  limits,
  onClose,
}: {
  name: string
  label: string
  limits: ProviderLimits | undefined
  onClose: () => void
}) {
  const [fields, setFields] = useState(() => writeLimits(limits))
  const [isSubmitted, setSubmitted] = useState(false)
  const save = useSaveSettings(
    (next: ProviderLimits) => readReply(api.settings.limits[':name'].$put({ param: { name }, json: next })),
    (next) =>
      describeLimits(next) === undefined ? `Removed the limits of ${label}.` : `Saved the limits of ${label}.`,
  )
  const read = readLimits(fields)
  const errors = isSubmitted && 'errors' in read ? read.errors : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if ('limits' in read) save.mutate(read.limits, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={`Limits of ${label}`}
      description="What all runs together may send. Enter what your account allows; requests then wait instead of being refused. Leave a field empty for no limit."
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="limits-form" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save limits'}
          </Button>
        </>
      }
    >
      <form id="limits-form" onSubmit={submit} className="flex flex-col gap-3">
        <div className="grid gap-3 sm:grid-cols-3">
          {limitNames.map((limit) => (
            <TextField
              key={limit}
              label={limitLabels[limit]}
              placeholder="no limit"
              inputMode="numeric"
              value={fields[limit]}
              error={errors[limit]}
              onChange={({ target }) => setFields({ ...fields, [limit]: target.value })}
            />
          ))}
        </div>
        {save.error && <FailureNotice title="The limits were not saved" failure={save.error} />}
      </form>
    </Dialog>
  )
}
