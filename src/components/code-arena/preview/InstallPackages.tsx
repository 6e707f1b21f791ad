import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { useMay } from '../../access/session.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { noteInstall } from './installs.ts'

/** Offers to install the packages that a page imports and that are not here, to those who may change settings. */
export function InstallPackages({ names }: { names: readonly string[] }) {
  const mayInstall = useMay('admin')
  const [isOpen, setOpen] = useState(false)
  if (!mayInstall || names.length === 0) return null
  return (
    <>
      <button type="button" className="shrink-0 text-accent underline" onClick={() => setOpen(true)}>
        Install {names.length === 1 ? names[0] : `${names.length} packages`}
      </button>
      {isOpen && <InstallDialog names={names} onClose={() => setOpen(false)} />}
    </>
  )
}

function InstallDialog({ names, onClose }: { names: readonly string[]; onClose: () => void }) {
  const queries = useQueryClient()
  const install = useMutation({
    mutationFn: () => readReply(api.settings.packages.$post({ json: { names: [...names] } })),
    onSuccess: (settings) => {
      queries.setQueryData(['settings'], settings)
      const done = settings.packages.filter(({ name }) => names.includes(name))
      const problems = done.flatMap(({ name, problem }) => (problem === undefined ? [] : `${name}: ${problem}.`))
      toast([`Installed ${done.map(({ name, version }) => `${name} ${version}`).join(', ')}.`, ...problems].join(' '))
      noteInstall(queries)
      onClose()
    },
  })
  return (
    <Dialog
      title={names.length === 1 ? `Install ${names[0]}?` : `Install ${names.length} packages?`}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" disabled={install.isPending} onClick={() => install.mutate()}>
            {install.isPending ? 'Installing…' : 'Install'}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-2">
        {names.length > 1 && (
          <ul className="font-mono text-[13px] break-all">
            {names.map((name) => (
              <li key={name}>{name}</li>
            ))}
          </ul>
        )}
        <p>
          npm fetches the newest version of {names.length === 1 ? 'it' : 'each'}, and what{' '}
          {names.length === 1 ? 'it needs' : 'they need'}, from the registry that this machine’s npm is configured with.
          No script of a package runs, and pages use it only inside their frame.
        </p>
        <p>
          Check the name first: models make names up, and anyone can publish a package under one. Settings lists what is
          installed.
        </p>
        <FailureNotice title="Nothing was installed" failure={install.error} />
      </div>
    </Dialog>
  )
}
