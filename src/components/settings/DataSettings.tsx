import type { SettingsView } from '../../server/settings/routes.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import { api } from '../api.ts'
import { apiAddress, readReply } from '../api-request.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { formatBytes, formatCount } from '../../report/words/index.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'

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
export function DataSettings({ settings }: { settings: SettingsView }) {
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
