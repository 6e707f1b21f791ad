import type { ProviderLimits } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { limitLabels, limitNames, readLimits, writeLimits } from './limit-fields.ts'
import { FieldsDialog } from './FieldsDialog.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import { describeLimits } from '../../report/words/models.ts'

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
  const save = useSaveSettings(
    (next: ProviderLimits) => readReply(api.settings.limits[':name'].$put({ param: { name }, json: next })),
    (next) =>
      describeLimits(next) === undefined ? `Removed the limits of ${label}.` : `Saved the limits of ${label}.`,
  )
  return (
    <FieldsDialog
      title={`Limits of ${label}`}
      description="What all runs together may send. Enter what your account allows; requests then wait instead of being refused. Leave a field empty for no limit."
      what="limits"
      fields={limitNames.map((limit) => ({ name: limit, label: limitLabels[limit], placeholder: 'no limit' }))}
      inputMode="numeric"
      texts={writeLimits(limits)}
      read={readLimits}
      save={save}
      onClose={onClose}
    />
  )
}
