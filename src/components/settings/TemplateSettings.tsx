import { useState } from 'react'
import type { RequestTemplate } from '../../contract/index.ts'
import type { SettingsView } from '../../server/settings/routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { SelectField, SelectOptions, TextArea, TextField } from '../ui/form/Field.tsx'
import { FormDialog } from '../ui/form/Form.tsx'
import { useKept } from '../ui/use-kept.ts'
import {
  readTemplate,
  templateTextsSchema,
  writeTemplate,
  type TemplateErrors,
  type TemplateTexts,
} from './template-fields.ts'
import { useSaveSettings } from './use-save-settings.ts'

/** How an API that is not OpenAI's is asked, and where its answer is. */
export function TemplateFields({
  texts,
  errors,
  onChange,
}: {
  texts: TemplateTexts
  errors: TemplateErrors
  onChange: (texts: TemplateTexts) => void
}) {
  const bind = (name: keyof TemplateTexts) => ({
    value: texts[name],
    error: errors[name],
    onChange: (text: string) => onChange({ ...texts, [name]: text }),
  })
  return (
    <div className="grid grid-cols-1 gap-3 sm:grid-cols-3">
      <SelectField label="Method" {...bind('method')}>
        <SelectOptions of={['POST', 'PUT', 'PATCH', 'GET']} />
      </SelectField>
      <TextArea
        className="sm:col-span-2"
        label="Headers"
        rows={2}
        placeholder="x-api-key: {{key}}"
        hint="One per line. {{key}} is the API key; without it, the key is sent as a bearer token."
        {...bind('headers')}
      />
      <TextArea
        className="sm:col-span-3"
        label="Body"
        rows={7}
        hint="JSON. {{prompt}}, {{messages}}, {{system}}, {{model}}, {{temperature}} and {{maxTokens}} are filled in; a field without a value is left out."
        {...bind('body')}
      />
      <TextField
        label="Path of the answer"
        placeholder="the whole reply"
        hint="In the JSON of the reply, such as output.text"
        {...bind('answer')}
      />
      <TextField label="Path of the input tokens" placeholder="unknown" {...bind('promptTokens')} />
      <TextField label="Path of the output tokens" placeholder="unknown" {...bind('completionTokens')} />
    </div>
  )
}

export function TemplateDialog({
  endpoint: { name, baseUrl, price },
  template,
  onClose,
}: {
  endpoint: SettingsView['endpoints'][number]
  template: RequestTemplate
  onClose: () => void
}) {
  const stored = writeTemplate(template)
  const [texts, setTexts] = useKept(`template:${name}`, templateTextsSchema, stored)
  const drop = () => {
    setTexts(stored)
    onClose()
  }
  const [isSubmitted, setSubmitted] = useState(false)
  const read = readTemplate(texts, baseUrl)
  const save = useSaveSettings(
    (next: RequestTemplate) =>
      readReply(
        api.settings.endpoints[':name'].$put({
          param: { name },
          json: { name, baseUrl, template: next, ...(price && { price }) },
        }),
      ),
    () => `Saved the request of ${name}.`,
  )
  return (
    <FormDialog
      title={`Request to ${name}`}
      description={baseUrl}
      action={{ label: 'Save request', pending: 'Saving…' }}
      request={save}
      failureTitle="The request was not saved"
      onSubmit={() => {
        setSubmitted(true)
        if ('value' in read) save.mutate(read.value, { onSuccess: drop })
      }}
      onClose={onClose}
      kept={{ isUnsaved: JSON.stringify(texts) !== JSON.stringify(stored), onDrop: drop }}
    >
      <TemplateFields texts={texts} errors={isSubmitted && 'errors' in read ? read.errors : {}} onChange={setTexts} />
    </FormDialog>
  )
}
