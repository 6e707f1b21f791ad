import { useMutation, useQuery } from '@tanstack/react-query'
import { Download } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { Dialog } from '../ui/Dialog.tsx'
import { Switch } from '../ui/form/Switch.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { FailureNotice } from '../ui/Notice.tsx'

const MOST_SHOWN = 100

/** Passes a run on as ATIF: without secrets, and after showing which were found. */
export function ExportRun({ id, index }: { id: string; index: string }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button onClick={() => setOpen(true)}>
        <Download size={15} aria-hidden /> Export
      </Button>
      <Dialog title="Export as ATIF" isOpen={isOpen} onClose={() => setOpen(false)}>
        <ExportForm id={id} index={index} onDone={() => setOpen(false)} />
      </Dialog>
    </>
  )
}

function save(blob: Blob): void {
  const address = URL.createObjectURL(blob)
  const link = document.createElement('a')
  link.href = address
  link.download = 'trajectory.json'
  link.click()
  URL.revokeObjectURL(address)
}

function ExportForm({ id, index, onDone }: { id: string; index: string; onDone: () => void }) {
  const [isRedacted, setRedacted] = useState(true)
  const removed = useQuery({
    queryKey: ['trajectories', id, 'removed', index],
    queryFn: () => readReply(api.trajectories[':id'].runs[':index'].removed.$get({ param: { id, index } })),
  })
  const download = useMutation({
    mutationFn: async () => {
      const query = { redact: isRedacted ? ('1' as const) : ('0' as const) }
      const reply = await api.trajectories[':id'].runs[':index'].atif.$get({ param: { id, index }, query })
      save(await reply.blob())
    },
    onSuccess: onDone,
  })
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        One JSON file in the Agent Trajectory Interchange Format, which Benchmaker and others read again.
      </p>
      <Switch
        label="Take out keys, tokens, passwords, home folders and mail addresses"
        checked={isRedacted}
        onChange={setRedacted}
      />
      <Loaded query={removed} what="what would be taken out" rows={2}>
        {(list) =>
          list.length === 0 ? (
            <p className="text-muted">None was found. Look through it yourself before you pass it on.</p>
          ) : (
            <div className="flex flex-col gap-1">
              <p>
                {isRedacted ? 'Taken out' : 'Left in'}:{' '}
                {formatCount(
                  list.reduce((sum, { count }) => sum + count, 0),
                  'place',
                )}
                .
              </p>
              <ul
                className="max-h-56 overflow-auto rounded-md border border-line p-2 text-xs"
                tabIndex={0}
                aria-label="Secrets found"
              >
                {list.slice(0, MOST_SHOWN).map(({ kind, shown, count, where }) => (
                  <li key={`${kind} ${shown} ${where}`} className="break-words">
                    <b className="font-medium">{kind}</b> <code>{shown}</code> × {count}, first at <code>{where}</code>
                  </li>
                ))}
              </ul>
            </div>
          )
        }
      </Loaded>
      <FailureNotice failure={download.error} />
      <div>
        <Button kind="primary" disabled={download.isPending} onClick={() => download.mutate()}>
          Download
        </Button>
      </div>
    </div>
  )
}
