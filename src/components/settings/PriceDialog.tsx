import type { SettingsView } from '../../server/settings/routes.ts'
import { useState, type FormEvent } from 'react'
import type { EndpointPrice } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { readPrice, writePrice } from './endpoint-fields.ts'
import { useSaveSettings } from './use-save-settings.ts'

const FIELDS = [
  { kind: 'input', label: '$ per million input tokens', placeholder: 'unknown' },
  { kind: 'output', label: '$ per million output tokens', placeholder: 'unknown' },
  { kind: 'cachedInput', label: '$ per million cached input tokens', placeholder: 'as other input' },
] as const

/** What an endpoint's models cost: without it, estimates, costs and budgets know no price. */
export function PriceDialog({
  endpoint: { name, baseUrl, price },
  onClose,
}: {
  endpoint: SettingsView['endpoints'][number]
  onClose: () => void
}) {
  const [fields, setFields] = useState(() => writePrice(price))
  const [isSubmitted, setSubmitted] = useState(false)
  const save = useSaveSettings(
    (next: EndpointPrice | undefined) =>
      readReply(
        api.settings.endpoints[':name'].$put({
          param: { name },
          json: { name, baseUrl, ...(next && { price: next }) },
        }),
      ),
    (next) => (next ? `Saved the price of ${name}.` : `Removed the price of ${name}.`),
  )
  const read = readPrice(fields)
  const errors = isSubmitted && 'errors' in read ? read.errors : {}
  const submit = (event: FormEvent) => {
    event.preventDefault()
    setSubmitted(true)
    if ('price' in read) save.mutate(read.price, { onSuccess: onClose })
  }
  return (
    <Dialog
      title={`Price of ${name}`}
      description="In US dollars per million tokens, for all models of this endpoint. Estimates, costs and budgets use it. Leave all empty if it is unknown; enter 0 if it is free."
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="price-form" disabled={save.isPending}>
            {save.isPending ? 'Saving…' : 'Save price'}
          </Button>
        </>
      }
    >
      <form id="price-form" onSubmit={submit} className="flex flex-col gap-3">
        <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
          {FIELDS.map(({ kind, label, placeholder }) => (
            <TextField
              key={kind}
              label={label}
              placeholder={placeholder}
              inputMode="decimal"
              value={fields[kind]}
              error={errors[kind]}
              onChange={({ target }) => setFields({ ...fields, [kind]: target.value })}
            />
          ))}
        </div>
        {save.error && <FailureNotice title="The price was not saved" failure={save.error} />}
      </form>
    </Dialog>
  )
}
