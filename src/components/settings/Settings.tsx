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
import { BrowserSettings } from './BrowserSettings.tsx'
import { DataSettings } from './DataSettings.tsx'
import { EndpointSettings } from './EndpointSettings.tsx'
import { KeySettings } from './KeySettings.tsx'

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
