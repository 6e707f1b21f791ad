import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { chooseTheme, readTheme, type Theme } from '../theme.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
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

/** API keys, endpoints, theme and data. */
export function Settings() {
  const settings = useQuery({ queryKey: ['settings'], queryFn: () => readReply(api.settings.$get()) })
  const app = useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()), staleTime: 60_000 })
  return (
    <Page title="Settings" subtitle={app.data && `Benchmaker ${app.data.version}`}>
      <div className="flex max-w-4xl min-w-0 flex-col gap-8">
        {settings.isPending && <Loading label="Loading the settings…" />}
        {settings.error && (
          <FailureNotice
            title="The settings could not be loaded"
            failure={settings.error}
            action={<Button onClick={() => void settings.refetch()}>Try again</Button>}
          />
        )}
        {settings.data && (
          <>
            <KeySettings settings={settings.data} />
            <EndpointSettings settings={settings.data} />
          </>
        )}
        <ThemeSettings />
        {settings.data && <BrowserSettings settings={settings.data} />}
        {settings.data && <DataSettings settings={settings.data} />}
      </div>
    </Page>
  )
}
