import { formatBytes } from '../../report/words/index.ts'
import type { SettingsView } from '../../server/settings/routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { useSaveSettings } from './use-save-settings.ts'

/** The npm packages that were installed for pages of the Code Arena; nothing if there are none. */
export function PackageSettings({ settings: { packages } }: { settings: SettingsView }) {
  const remove = useSaveSettings(
    (name: string) => readReply(api.settings.packages[':name'].$delete({ param: { name } })),
    (name) => `Removed ${name}.`,
  )
  if (packages.length === 0) return null
  return (
    <Section title="Packages for pages" id="packages">
      <p className="max-w-2xl text-muted">
        Pages of the Code Arena can import these beside the libraries that ship with Benchmaker.
      </p>
      <ul className="divide-y divide-line rounded-lg border border-line bg-surface">
        {packages.map(({ name, version, bytes, isRequested, problem }) => (
          <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1 basis-56 break-words">
              <span className="font-medium">{name}</span> <span className="text-muted">{version}</span>
              {problem !== undefined && <span className="block text-xs text-warning">{problem}</span>}
            </span>
            <span className="text-muted tabular-nums">{formatBytes(bytes)}</span>
            {isRequested ? (
              <Button
                kind="danger"
                aria-label={`Remove ${name}`}
                disabled={remove.isPending}
                onClick={() => remove.mutate(name)}
              >
                Remove
              </Button>
            ) : (
              <span className="text-xs text-muted">needed by others</span>
            )}
          </li>
        ))}
      </ul>
      <FailureNotice title="Nothing was removed" failure={remove.error} />
    </Section>
  )
}
