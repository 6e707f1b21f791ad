import type { SettingsView } from '../../server/settings/routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { useSaveSettings } from './use-save-settings.ts'

type Sandbox = SettingsView['browser']['sandbox']

const choices: { id: Sandbox; label: string }[] = [
  { id: 'on', label: 'Require the sandbox' },
  { id: 'off', label: 'Off: pages are opened without it' },
]

/** Whether model-written pages are opened in Chromium's sandbox. */
export function BrowserSettings({ settings: { browser } }: { settings: SettingsView }) {
  const save = useSaveSettings(
    (sandbox: Sandbox) => readReply(api.settings.browser.$put({ json: { sandbox } })),
    (sandbox) => `The sandbox is ${sandbox}.`,
  )
  const isFixed = browser.setBy === 'environment'
  return (
    <Section title="Screenshots" id="screenshots">
      <p className="max-w-2xl text-muted">
        The Code Arena opens model-written pages in Chromium to take screenshots. Its sandbox keeps a page that breaks
        out of the browser away from your files. Some containers do not allow a sandbox: turn it off only where nothing
        is worth protecting.
      </p>
      <RadioGroup
        label="Chromium’s sandbox"
        name="sandbox"
        options={choices}
        value={browser.sandbox}
        disabled={isFixed || save.isPending}
        onChange={(id) => save.mutate(id)}
      />
      {isFixed && <p className="text-muted">Set by the environment variable BENCHMAKER_CHROMIUM_SANDBOX.</p>}
      <FailureNotice title="The setting was not saved" failure={save.error} />
    </Section>
  )
}
