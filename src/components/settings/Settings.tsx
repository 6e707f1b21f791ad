import { Loaded } from '../ui/Loaded.tsx'
import { useApp } from '../queries.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { isTeamServer, useMay } from '../access/session.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { chooseTheme, readTheme, type Theme } from '../theme.ts'
import { Link } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { RadioGroup } from '../ui/RadioGroup.tsx'
import { DataSettings } from './DataSettings.tsx'
import { EndpointSettings } from './EndpointSettings.tsx'
import { KeySettings } from './KeySettings.tsx'
import type { SettingsView } from '../../server/settings/routes.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { useSaveSettings } from './use-save-settings.ts'

type Sandbox = SettingsView['browser']['sandbox']

const choices: { id: Sandbox; label: string }[] = [
  { id: 'on', label: 'Require the sandbox' },
  { id: 'off', label: 'Off: pages are opened without it' },
]

/** Whether model-written pages are opened in Chromium's sandbox. */
function BrowserSettings({ settings: { browser } }: { settings: SettingsView }) {
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

const themes: { id: Theme; label: string }[] = [
  { id: 'system', label: 'System' },
  { id: 'light', label: 'Light' },
  { id: 'dark', label: 'Dark' },
]

function ThemeSettings() {
  const [theme, setTheme] = useState(readTheme)
  return (
    <Section title="Theme">
      <RadioGroup
        label="Theme"
        name="theme"
        options={themes}
        value={theme}
        onChange={(id) => {
          setTheme(id)
          chooseTheme(id)
        }}
      />
    </Section>
  )
}

function TeamLink() {
  return (
    <Section title="Team" aside="People, roles, budgets and the log.">
      <Link to="/settings/team" className={buttonClass('plain', 'w-fit')}>
        Manage the team
      </Link>
    </Section>
  )
}

/** API keys, endpoints, theme and data; on a team server these are the admins' business. */
export function Settings() {
  const mayManage = useMay('admin')
  const settings = useQuery({
    queryKey: ['settings'],
    queryFn: () => readReply(api.settings.$get()),
    enabled: mayManage,
  })
  const app = useApp()
  return (
    <Page title="Settings" subtitle={app.data && `Benchmaker ${app.data.version}`}>
      <div className="flex max-w-4xl min-w-0 flex-col gap-8">
        {mayManage && isTeamServer && <TeamLink />}
        <Loaded query={settings} what="the settings">
          {(loaded) => (
            <>
              <KeySettings settings={loaded} />
              <EndpointSettings settings={loaded} />
            </>
          )}
        </Loaded>
        <ThemeSettings />
        {settings.data && <BrowserSettings settings={settings.data} />}
        {settings.data && <DataSettings settings={settings.data} />}
      </div>
    </Page>
  )
}
