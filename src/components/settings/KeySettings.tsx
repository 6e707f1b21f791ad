import type { KeyInfo, SettingsView } from '../../server/settings/routes.ts'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { formatTime } from '../../report/words/index.ts'
import { Badge } from '../ui/Badge.tsx'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { describeLimits } from './limit-fields.ts'
import { LimitsDialog } from './LimitsDialog.tsx'
import { TestResult } from './TestResult.tsx'
import { useSaveSettings } from './use-save-settings.ts'

const sources: Record<NonNullable<KeyInfo['source']>, string> = {
  environment: 'from the environment',
  'key-store': 'in the system’s key store',
  file: 'in a file only you can read',
  database: 'encrypted in the database',
}

function describeSource({ isSet, source, variable, saved }: KeyInfo): string {
  if (!isSet) return variable === undefined ? '' : `or set ${variable} and restart`
  if (source === 'environment' && variable !== undefined) return `from ${variable}; change it there`
  const when = saved ? `, saved ${formatTime(saved.at) ?? ''}${saved.by === undefined ? '' : ` by ${saved.by}`}` : ''
  return source === undefined ? '' : `${sources[source]}${when}`
}

function KeyRow({ info, settings }: { info: KeyInfo; settings: SettingsView }) {
  const [dialog, setDialog] = useState<'key' | 'limits'>()
  const closeDialog = () => setDialog(undefined)
  const { [info.name]: limits } = settings.limits
  const limited = describeLimits(limits)
  const test = useMutation({
    mutationFn: () => readReply(api.settings.keys[':name'].test.$post({ param: { name: info.name } })),
  })
  const remove = useSaveSettings(
    () => readReply(api.settings.keys[':name'].$delete({ param: { name: info.name } })),
    () => `Removed the key for ${info.label}.`,
  )
  // A key in the environment takes precedence, so storing another one would have no effect.
  const isStored = info.isSet && info.source !== 'environment'
  return (
    <li className="flex flex-col gap-1.5 px-3 py-2">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1.5">
        <div className="flex min-w-0 flex-1 basis-56 flex-wrap items-center gap-x-2">
          <span className="w-24 font-medium">{info.label}</span>
          <Badge kind={info.isSet ? 'accent' : 'plain'}>{info.isSet ? 'set' : 'not set'}</Badge>
          <span className="text-xs break-all text-muted">{describeSource(info)}</span>
          {limited !== undefined && <span className="text-xs text-muted">{limited}</span>}
        </div>
        <div className="flex flex-wrap gap-2">
          {info.isSet && (
            <Button
              aria-label={`Test the key for ${info.label}`}
              disabled={test.isPending}
              onClick={() => test.mutate()}
            >
              {test.isPending ? 'Testing…' : 'Test'}
            </Button>
          )}
          {(isStored || !info.isSet) && (
            <Button
              aria-label={`${info.isSet ? 'Replace' : 'Set'} the key for ${info.label}`}
              onClick={() => setDialog('key')}
            >
              {info.isSet ? 'Replace' : 'Set'}
            </Button>
          )}
          {(info.isSet || limited) && (
            <Button
              aria-label={`${limited ? 'Change' : 'Set'} the limits of ${info.label}`}
              onClick={() => setDialog('limits')}
            >
              {limited ? 'Change limits' : 'Set limits'}
            </Button>
          )}
          {isStored && (
            <Button
              kind="danger"
              aria-label={`Remove the key for ${info.label}`}
              disabled={remove.isPending}
              onClick={() => remove.mutate(undefined, { onSuccess: test.reset })}
            >
              Remove
            </Button>
          )}
        </div>
      </div>
      <TestResult test={test} />
      <FailureNotice title="The key was not removed" failure={remove.error} />
      {dialog === 'limits' && (
        <LimitsDialog name={info.name} label={info.label} limits={limits} onClose={closeDialog} />
      )}
      {dialog === 'key' && (
        <KeyDialog info={info} keyStore={settings.keyStore} onClose={closeDialog} onSaved={() => test.mutate()} />
      )}
    </li>
  )
}

/** Keys can be set, tested and removed, but never read. */
export function KeySettings({ settings }: { settings: SettingsView }) {
  return (
    <Section title="API keys" aside={`New keys are stored in: ${settings.keyStore}`} id="keys">
      <ul className="divide-y divide-line rounded-md border border-line bg-surface">
        {settings.keys.map((info) => (
          <KeyRow key={info.name} info={info} settings={settings} />
        ))}
      </ul>
    </Section>
  )
}
