import type { SettingsView } from '../../server/settings/routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { EndpointPrice, SaveEndpointRequest } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { type EndpointFields, exampleEndpoints, readEndpoint, readPrice, writePrice } from './endpoint-fields.ts'
import { KeyDialog } from './KeyDialog.tsx'
import { describeLimits, describePrice } from '../../report/words/models.ts'
import { LimitsDialog } from './LimitsDialog.tsx'
import { useKept } from '../ui/use-kept.ts'
import { exampleTemplate, readTemplate, templateTextsSchema } from './template-fields.ts'
import { TemplateDialog, TemplateFields } from './TemplateSettings.tsx'
import { TestResult } from './TestResult.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import { useUndoable } from '../ui/use-undoable.ts'
import { FieldsDialog } from './FieldsDialog.tsx'

const priceFields = [
  { name: 'input', label: '$ per million input tokens', placeholder: 'unknown' },
  { name: 'output', label: '$ per million output tokens', placeholder: 'unknown' },
  { name: 'cachedInput', label: '$ per million cached input tokens', placeholder: 'as other input' },
] as const

/** What an endpoint's models cost: without it, estimates, costs and budgets know no price. */
function PriceDialog({
  endpoint: { name, baseUrl, price, template },
  onClose,
}: {
  endpoint: SettingsView['endpoints'][number]
  onClose: () => void
}) {
  const save = useSaveSettings(
    (next: EndpointPrice | undefined) =>
      readReply(
        api.settings.endpoints[':name'].$put({
          param: { name },
          json: { name, baseUrl, ...(next && { price: next }), ...(template && { template }) },
        }),
      ),
    (next) => (next ? `Saved the price of ${name}.` : `Removed the price of ${name}.`),
  )
  return (
    <FieldsDialog
      title={`Price of ${name}`}
      description="In US dollars per million tokens, for all models of this endpoint. Estimates, costs and budgets use it. Leave all empty if it is unknown; enter 0 if it is free."
      what="price"
      fields={priceFields}
      inputMode="decimal"
      texts={writePrice(price)}
      read={readPrice}
      save={save}
      onClose={onClose}
    />
  )
}

/** The key is saved, but the address has changed since: by a restored backup, or by someone who shares the database. */
function OtherAddress({ keyGivenFor, baseUrl }: { keyGivenFor: string; baseUrl: string }) {
  return (
    <Notice kind="error" title="The key is not sent to this address">
      The key was given for {keyGivenFor === '' ? 'an address that is not known' : keyGivenFor}; enter it again to use
      it with {new URL(baseUrl).origin}.
    </Notice>
  )
}

function EndpointRow({
  endpoint,
  settings,
  isNew,
}: {
  endpoint: SettingsView['endpoints'][number]
  settings: SettingsView
  /** Added just now: it is tried at once. */
  isNew: boolean
}) {
  const { name, baseUrl, hasKey, keyGivenFor, warning, price, template } = endpoint
  const { [name]: limits } = settings.limits
  const limited = describeLimits(limits)
  const [dialog, setDialog] = useState<'key' | 'price' | 'limits' | 'request'>()
  const closeDialog = () => setDialog(undefined)
  const key = { name: `endpoint:${name}`, label: name, isSet: hasKey }
  const test = useMutation({
    mutationFn: () => readReply(api.settings.keys[':name'].test.$post({ param: { name: key.name } })),
  })
  const remove = useSaveSettings(
    () => readReply(api.settings.endpoints[':name'].$delete({ param: { name } })),
    () => `Removed the endpoint ${name}.`,
  )
  const { mutate: tryIt } = test
  useEffect(() => {
    if (isNew) tryIt()
  }, [isNew, tryIt])
  const removal = useUndoable(() => remove.mutate(undefined))
  if (removal.isPending)
    return (
      <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2">
        <span className="min-w-0 flex-1 text-muted">
          Removing <span className="break-all">{name}</span> and its key…
        </span>
        <Button onClick={removal.undo}>Undo</Button>
      </li>
    )
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="flex min-w-0 flex-1 basis-56 flex-col">
          <div className="flex flex-wrap items-center gap-x-2">
            <span className="font-medium break-all">{name}</span>
            <span className="font-mono text-xs break-all text-muted">{baseUrl}</span>
          </div>
          <span className="text-xs text-muted">
            {hasKey ? 'API key set' : keyGivenFor === undefined ? 'no API key' : 'API key not used'} ·{' '}
            {describePrice(price)}
            {template && ' · own request'}
          </span>
          {limited !== undefined && <span className="text-xs text-muted">{limited}</span>}
        </div>
        <div className="flex flex-wrap gap-2">
          <Button aria-label={`Test the endpoint ${name}`} disabled={test.isPending} onClick={() => test.mutate()}>
            {test.isPending ? 'Testing…' : 'Test'}
          </Button>
          <Button aria-label={`${hasKey ? 'Replace' : 'Set'} the key for ${name}`} onClick={() => setDialog('key')}>
            {hasKey ? 'Replace API key' : 'Set API key'}
          </Button>
          {template && (
            <Button aria-label={`Change the request to ${name}`} onClick={() => setDialog('request')}>
              Change request
            </Button>
          )}
          <Button aria-label={`${price ? 'Change' : 'Set'} the price of ${name}`} onClick={() => setDialog('price')}>
            {price ? 'Change price' : 'Set price'}
          </Button>
          <Button
            aria-label={`${limited ? 'Change' : 'Set'} the limits of ${name}`}
            onClick={() => setDialog('limits')}
          >
            {limited ? 'Change limits' : 'Set limits'}
          </Button>
          <Button
            kind="danger"
            aria-label={`Remove the endpoint ${name}`}
            disabled={remove.isPending}
            onClick={removal.start}
          >
            Remove
          </Button>
        </div>
      </div>
      {keyGivenFor !== undefined && <OtherAddress keyGivenFor={keyGivenFor} baseUrl={baseUrl} />}
      {warning !== undefined && (
        <Notice kind="warning" title="Not encrypted">
          {warning[0]!.toUpperCase() + warning.slice(1)}.
        </Notice>
      )}
      <TestResult test={test} />
      <FailureNotice title="The endpoint was not removed" failure={remove.error} />
      {dialog === 'price' && <PriceDialog endpoint={endpoint} onClose={closeDialog} />}
      {dialog === 'request' && template && (
        <TemplateDialog endpoint={endpoint} template={template} onClose={closeDialog} />
      )}
      {dialog === 'limits' && <LimitsDialog name={name} label={name} limits={limits} onClose={closeDialog} />}
      {dialog === 'key' && (
        <KeyDialog
          info={key}
          baseUrl={baseUrl}
          keyStore={settings.keyStore}
          onClose={closeDialog}
          onSaved={() => test.mutate()}
        />
      )}
    </li>
  )
}

/** In the database, but not used: Settings would not have saved it. */
function RefusedEndpoint({ name, baseUrl, reason }: SettingsView['refusedEndpoints'][number]) {
  const remove = useSaveSettings(
    () => readReply(api.settings.endpoints[':name'].$delete({ param: { name } })),
    () => `Removed the endpoint ${name}.`,
  )
  return (
    <Notice
      kind="warning"
      title={`The endpoint ${name} is not used`}
      action={
        <Button kind="danger" aria-label={`Remove the endpoint ${name}`} onClick={() => remove.mutate(undefined)}>
          Remove
        </Button>
      }
    >
      <span className="break-all">{baseUrl}</span>: {reason}.
      <FailureNotice title="The endpoint was not removed" failure={remove.error} />
    </Notice>
  )
}

const typedSchema = z.object({
  name: z.string(),
  baseUrl: z.string(),
  /** Of an API that is not OpenAI's. */
  template: templateTextsSchema.optional(),
})

const empty: z.infer<typeof typedSchema> = { name: '', baseUrl: '' }

function AddEndpoint({ existing, onAdded }: { existing: string[]; onAdded: (name: string) => void }) {
  const [{ template, ...typed }, setTyped] = useKept('endpoint', typedSchema, empty)
  // A key is a secret: it is not kept.
  const [key, setKey] = useState('')
  const fields = { ...typed, key }
  const [isSubmitted, setSubmitted] = useState(false)
  const save = useSaveSettings(
    (request: SaveEndpointRequest) =>
      readReply(api.settings.endpoints[':name'].$put({ param: { name: request.name }, json: request })),
    ({ name }) => `Added the endpoint ${name}. Its models start with ${name}/.`,
  )
  const read = readEndpoint(fields, existing)
  const errors = isSubmitted && 'errors' in read ? read.errors : {}
  const readRequest = template && readTemplate(template, fields.baseUrl)
  const submit = () => {
    setSubmitted(true)
    if (!('request' in read) || (readRequest && 'errors' in readRequest)) return
    const request = { ...read.request, ...(readRequest && { template: readRequest.value }) }
    save.mutate(request, {
      onSuccess: () => {
        onAdded(request.name)
        setTyped(empty)
        setKey('')
        setSubmitted(false)
      },
    })
  }
  const bindField = (name: keyof EndpointFields) => ({
    value: fields[name],
    error: errors[name],
    onChange: (text: string) => (name === 'key' ? setKey(text) : setTyped({ ...typed, template, [name]: text })),
  })
  return (
    <Form onSubmit={submit} aria-label="Add an endpoint" className="flex flex-col gap-2">
      <div className="flex flex-wrap items-center gap-1.5">
        <span className="text-muted">Presets:</span>
        {exampleEndpoints.map(({ label, name, baseUrl }) => (
          <Button
            key={name}
            className="h-7! px-2!"
            onClick={() => {
              setTyped({ name, baseUrl })
              setKey('')
            }}
          >
            {label}
          </Button>
        ))}
      </div>
      <div className="grid gap-3 sm:grid-cols-[1fr_auto_2fr_1fr_auto]">
        <TextField label="Name" placeholder="my-server" {...bindField('name')} />
        <SelectField
          label="API"
          value={template ? 'own' : 'openai'}
          onChange={(kind) => setTyped({ ...typed, template: kind === 'own' ? exampleTemplate : undefined })}
        >
          <SelectOptions
            of={[
              ['openai', 'OpenAI-compatible'],
              ['own', 'Any other'],
            ]}
          />
        </SelectField>
        <TextField
          label={template ? 'URL' : 'Base URL'}
          placeholder={template ? 'https://api.example.com/answer' : 'http://127.0.0.1:11434/v1'}
          inputMode="url"
          {...bindField('baseUrl')}
        />
        <TextField label="API key" placeholder="none" type="password" autoComplete="off" {...bindField('key')} />
        <div className="flex items-start sm:pt-6">
          <Button type="submit" disabled={save.isPending}>
            {save.isPending ? 'Adding…' : 'Add endpoint'}
          </Button>
        </div>
      </div>
      {template && (
        <TemplateFields
          texts={template}
          errors={isSubmitted && readRequest && 'errors' in readRequest ? readRequest.errors : {}}
          onChange={(texts) => setTyped({ ...typed, template: texts })}
        />
      )}
      <FailureNotice title="The endpoint was not added" failure={save.error} />
    </Form>
  )
}

/** Servers that answer over HTTP, local or remote. */
export function EndpointSettings({ settings }: { settings: SettingsView }) {
  const [added, setAdded] = useState<string>()
  return (
    <Section title="Endpoints" aside="any server that answers over HTTP" id="endpoints">
      {settings.endpoints.length > 0 && (
        <ul className="divide-y divide-line rounded-md border border-line bg-surface">
          {settings.endpoints.map((endpoint) => (
            <EndpointRow key={endpoint.name} endpoint={endpoint} settings={settings} isNew={endpoint.name === added} />
          ))}
        </ul>
      )}
      {settings.refusedEndpoints.map((endpoint) => (
        <RefusedEndpoint key={endpoint.name} {...endpoint} />
      ))}
      <AddEndpoint existing={settings.endpoints.map(({ name }) => name)} onAdded={setAdded} />
    </Section>
  )
}
