import type { KeyInfo } from '../../server/settings/routes.ts'
import { useState, type FormEvent } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { TextField } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
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
  const submit = (event: FormEvent) => {
    event.preventDefault()
    if (key.trim() === '') return
    save.mutate(key, {
      onSuccess: () => {
        onSaved()
        onClose()
      },
    })
  }
  return (
    <Dialog
      title={`${info.isSet ? 'Replace' : 'Set'} the key for ${info.label}`}
      description={`${baseUrl === undefined ? '' : `Sent only to ${new URL(baseUrl).origin}. `}Stored in: ${keyStore}. It is never shown again or written to logs or exports.`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" form="key-form" disabled={key.trim() === '' || save.isPending}>
            {save.isPending ? 'Saving…' : 'Save key'}
          </Button>
        </>
      }
    >
      <form id="key-form" onSubmit={submit} className="flex flex-col gap-3">
        <TextField
          label="API key"
          type="password"
          autoComplete="off"
          value={key}
          onChange={({ target }) => setKey(target.value)}
        />
        <FailureNotice title="The key was not saved" failure={save.error} />
      </form>
    </Dialog>
  )
}
