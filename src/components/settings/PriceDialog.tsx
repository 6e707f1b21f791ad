import type { SettingsView } from '../../server/settings/routes.ts'
import { useState } from 'react'
import type { EndpointPrice } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { TextField } from '../ui/Field.tsx'
import { readPrice, writePrice } from './endpoint-fields.ts'
import { FieldsDialog } from './FieldsDialog.tsx'
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
  const submit = () => {
    setSubmitted(true)
    if ('price' in read) save.mutate(read.price, { onSuccess: onClose })
  }
  return (
    <FieldsDialog
      title={`Price of ${name}`}
      description="In US dollars per million tokens, for all models of this endpoint. Estimates, costs and budgets use it. Leave all empty if it is unknown; enter 0 if it is free."
      what="price"
      save={save}
      onSubmit={submit}
      onClose={onClose}
    >
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
    </FieldsDialog>
  )
}
