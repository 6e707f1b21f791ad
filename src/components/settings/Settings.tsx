import { Loaded } from '../ui/Loaded.tsx'
import { useApp } from '../queries.ts'
import { useQuery, useMutation, useQueryClient } from '@tanstack/react-query'
import { useState, useRef } from 'react'
import { isTeamServer, useMay } from '../access/session.ts'
import { api } from '../api.ts'
import { readReply, apiAddress } from '../api-request.ts'
import { chooseTheme, readTheme, type Theme } from '../theme.ts'
import { Link } from '../router.tsx'
import { buttonClass, Button } from '../ui/Button.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { RadioGroup } from '../ui/form/RadioGroup.tsx'
import { EndpointSettings } from './EndpointSettings.tsx'
import type { SettingsView, KeyInfo } from '../../server/settings/routes.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { PackageSettings } from './PackageSettings.tsx'
import { useSaveSettings } from './use-save-settings.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { formatBytes, formatCount, formatTime } from '../../report/words/index.ts'
import { toast } from '../ui/toast.ts'
import { Badge } from '../ui/Badge.tsx'
import { KeyDialog } from './KeyDialog.tsx'
import { describeLimits } from '../../report/words/models.ts'
import { Folded } from '../ui/Folded.tsx'
import { LimitsDialog } from './LimitsDialog.tsx'
import { useUndoable } from '../ui/use-undoable.ts'
import { TestResult } from './TestResult.tsx'

const sources: Record<NonNullable<KeyInfo['source']>, string> = {
  environment: 'from the environment',
  'key-store': 'in the system’s key store',
  file: 'in a file only you can read',
  database: 'encrypted in the database',
}

const ALWAYS_SHOWN = 4

function describeSource({ isSet, source, variable, saved }: KeyInfo): string {
  if (!isSet) return variable === undefined ? '' : `or ${variable}`
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
  const removal = useUndoable(() => remove.mutate(undefined, { onSuccess: test.reset }))
  // A key in the environment takes precedence, so storing another one would have no effect.
  const isStored = info.isSet && info.source !== 'environment'
  if (removal.isPending)
    return (
      <li className="flex flex-wrap items-center gap-x-3 gap-y-1.5 px-3 py-2">
        <span className="min-w-0 flex-1 text-muted">Removing the key for {info.label}…</span>
        <Button onClick={removal.undo}>Undo</Button>
      </li>
    )
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
              onClick={removal.start}
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
function KeySettings({ settings }: { settings: SettingsView }) {
  const { keys, limits, keyStore } = settings
  // The list starts with those that most people have.
  const isShown = ({ name, isSet }: KeyInfo) =>
    isSet || limits[name] || keys.slice(0, ALWAYS_SHOWN).some((key) => key.name === name)
  const [shown, others] = [keys.filter(isShown), keys.filter((info) => !isShown(info))]
  const list = (infos: readonly KeyInfo[]) => (
    <ul className="divide-y divide-line rounded-md border border-line bg-surface">
      {infos.map((info) => (
        <KeyRow key={info.name} info={info} settings={settings} />
      ))}
    </ul>
  )
  return (
    <Section title="API keys" aside={`New keys are stored in: ${keyStore}`} id="keys">
      {list(shown)}
      {others.length > 0 && (
        <Folded title={`${formatCount(others.length)} more: ${others.map(({ label }) => label).join(', ')}`}>
          {list(others)}
        </Folded>
      )}
      <p className="text-xs text-muted">A key in an environment variable is read when the program starts.</p>
    </Section>
  )
}

const kinds = { sqlite: 'SQLite, a file in this folder', postgres: 'PostgreSQL' }

function RestoreDialog({ file, onClose }: { file: File; onClose: () => void }) {
  const queries = useQueryClient()
  const restore = useMutation({
    mutationFn: () =>
      readReply(
        api.settings.restore.$post(
          {},
          { init: { body: file, headers: { 'content-type': 'application/octet-stream' } } },
        ),
      ),
    onSuccess: ({ runs }) => {
      void queries.invalidateQueries()
      toast(`Restored: ${formatCount(runs, 'run')}.`)
      onClose()
    },
  })
  return (
    <Dialog
      title="Restore this backup?"
      isOpen
      onClose={() => !restore.isPending && onClose()}
      actions={
        <>
          <a href={apiAddress(api.settings.backup.$path())} download className={buttonClass()}>
            Back up first
          </a>
          <Button onClick={onClose} disabled={restore.isPending}>
            Cancel
          </Button>
          <Button kind="danger" onClick={() => restore.mutate()} disabled={restore.isPending}>
            {restore.isPending ? 'Restoring…' : 'Replace all data'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        <p className="break-words">
          This replaces all current runs, suites, ratings and calibrations with those in{' '}
          <span className="font-medium">{file.name}</span> ({formatBytes(file.size)}). API keys stay unchanged.
        </p>
        <p>The file is checked first. If it is not a complete backup, nothing changes.</p>
        {restore.error && (
          <FailureNotice title="Nothing was restored; your data is unchanged" failure={restore.error} />
        )}
      </div>
    </Dialog>
  )
}

/** Where the data is stored, and how to back it up and restore it. */
function DataSettings({ settings }: { settings: SettingsView }) {
  const [file, setFile] = useState<File>()
  const input = useRef<HTMLInputElement>(null)
  const { dataFolder, storage, databaseSize } = settings
  return (
    <Section title="Data" id="data">
      <dl className="grid grid-cols-[auto_minmax(0,1fr)] gap-x-4 gap-y-1">
        <dt className="text-muted">Folder</dt>
        <dd className="font-mono text-[13px] break-all">{dataFolder}</dd>
        <dt className="text-muted">Storage</dt>
        <dd>{kinds[storage]}</dd>
        {databaseSize !== undefined && (
          <>
            <dt className="text-muted">Size</dt>
            <dd>{formatBytes(databaseSize)}</dd>
          </>
        )}
      </dl>
      {storage === 'sqlite' ? (
        <div className="flex flex-wrap gap-2">
          <a href={apiAddress(api.settings.backup.$path())} download className={buttonClass()}>
            Back up
          </a>
          <Button onClick={() => input.current?.click()}>Restore…</Button>
          <input
            ref={input}
            type="file"
            aria-label="Backup file to restore"
            accept=".db,application/octet-stream"
            className="sr-only"
            tabIndex={-1}
            onChange={({ target }) => {
              setFile(target.files?.[0])
              target.value = ''
            }}
          />
        </div>
      ) : (
        <div className="text-muted">Use PostgreSQL’s own tools to back up and restore: pg_dump and pg_restore.</div>
      )}
      {file && <RestoreDialog file={file} onClose={() => setFile(undefined)} />}
    </Section>
  )
}

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
        {settings.data && <PackageSettings settings={settings.data} />}
        {settings.data && <DataSettings settings={settings.data} />}
      </div>
    </Page>
  )
}
