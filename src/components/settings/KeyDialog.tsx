import type { KeyInfo } from '../../server/settings/routes.ts'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/Form.tsx'
import { useSaveSettings } from './use-save-settings.ts'

/** Sets a key. A stored key is never shown, because it never leaves the server. */
export function KeyDialog({
  info,
  baseUrl,
  keyStore,
  onClose,
  onSaved,
}: {
  info: Pick<KeyInfo, 'name' | 'label' | 'isSet'>
  /** The address of an endpoint: the key is for this address only. */
  baseUrl?: string
  keyStore: string
  onClose: () => void
  onSaved: () => void
}) {
  const [key, setKey] = useState('')
  const save = useSaveSettings(
    (value: string) =>
      readReply(
        api.settings.keys[':name'].$put({
          param: { name: info.name },
          json: { key: value, ...(baseUrl !== undefined && { baseUrl }) },
        }),
      ),
    () => `Saved the key for ${info.label}.`,
  )
  return (
    <FormDialog
      title={`${info.isSet ? 'Replace' : 'Set'} the key for ${info.label}`}
      description={`${baseUrl === undefined ? '' : `Sent only to ${new URL(baseUrl).origin}. `}Stored in: ${keyStore}. It is never shown again or written to logs or exports.`}
      action={{ label: 'Save key', pending: 'Saving…', isDisabled: key.trim() === '' }}
      request={save}
      failureTitle="The key was not saved"
      onSubmit={() =>
        save.mutate(key, {
          onSuccess: () => {
            onSaved()
            onClose()
          },
        })
      }
      onClose={onClose}
    >
      <TextField label="API key" type="password" autoComplete="off" value={key} onChange={setKey} />
    </FormDialog>
  )
}
