import { useState } from 'react'
import { z } from 'zod'
import { TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/Form.tsx'
import { useKept } from '../ui/use-kept.ts'

const isTexts = (value: unknown) => z.record(z.string(), z.string()).safeParse(value).success

interface FieldsDialogProps<Name extends string, Value> {
  title: string
  description: string
  /** What the fields are together: `price`, `limits`. */
  what: 'price' | 'limits'
  fields: readonly { name: Name; label: string; placeholder: string }[]
  inputMode: 'decimal' | 'numeric'
  /** As they are now. */
  texts: Record<Name, string>
  read: (texts: Record<Name, string>) => { value: Value } | { errors: Partial<Record<Name, string>> }
  save: { isPending: boolean; error: unknown; mutate: (value: Value, options: { onSuccess: () => void }) => void }
  onClose: () => void
}

/** A few numbers that are saved together. Their errors are shown when one tries to. */
export function FieldsDialog<Name extends string, Value>({
  what,
  fields,
  inputMode,
  texts,
  read,
  save,
  onClose,
  ...dialog
}: FieldsDialogProps<Name, Value>) {
  const [typed, setTyped] = useKept(`fields:${dialog.title}`, z.custom<typeof texts>(isTexts), texts)
  const [isSubmitted, setSubmitted] = useState(false)
  const drop = () => {
    setTyped(texts)
    onClose()
  }
  const result = read(typed)
  const errors: Partial<Record<Name, string>> = isSubmitted && 'errors' in result ? result.errors : {}
  return (
    <FormDialog
      {...dialog}
      action={{ label: `Save ${what}`, pending: 'Saving…' }}
      request={save}
      failureTitle={`The ${what} ${what === 'limits' ? 'were' : 'was'} not saved`}
      onSubmit={() => {
        setSubmitted(true)
        if ('value' in result) save.mutate(result.value, { onSuccess: drop })
      }}
      onClose={onClose}
      kept={{ isUnsaved: fields.some(({ name }) => typed[name] !== texts[name]), onDrop: drop }}
    >
      <div className="grid grid-cols-1 gap-3 sm:grid-cols-2">
        {fields.map(({ name, label, placeholder }) => (
          <TextField
            key={name}
            label={label}
            placeholder={placeholder}
            inputMode={inputMode}
            value={typed[name]}
            error={errors[name]}
            onChange={(text) => setTyped({ ...typed, [name]: text })}
          />
        ))}
      </div>
    </FormDialog>
  )
}
