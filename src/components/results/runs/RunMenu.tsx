import { RunnersOnly } from '../../access/for-runners.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useResume } from '../../arena/live/use-resume.tsx'
import { navigate } from '../../router.tsx'
import { Button, IconButton } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { resultsAddress } from '../addresses.ts'
import { ExportLinks } from '../ExportMenu.tsx'
import { resumable, stateOf, type RunGroup } from './run-groups.ts'

/** Confirms the deletion. */
function DeleteDialog({ group, isOpen, onClose }: { group: RunGroup; isOpen: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      for (const { id } of group.runs) await readReply(api.runs[':id'].$delete({ param: { id } }))
    },
    onSuccess: () => {
      toast(`Deleted ${formatCount(group.runs.length, 'run')}.`)
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['runs'] }),
  })
  const what = group.isSeries ? `this series of ${formatCount(group.runs.length, 'run')}` : 'this run'
  return (
    <Dialog
      title={`Delete ${what}?`}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    >
      <p className="break-words">
        {group.suiteName}, {formatLocalTime(group.startedAt)}: its {formatCount(group.cells, 'cell')}, with answers,
        scores, ratings and notes, will be permanently deleted. The suite will be kept.
      </p>
      {remove.isError && <FailureNotice failure={remove.error} title="Some runs could not be deleted" />}
    </Dialog>
  )
}

export function RunMenu({ group, onLabel }: { group: RunGroup; onLabel: () => void }) {
  const isLabelling = useRef(false)
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const open = resumable(group)
  const isRunning = group.runs.some((run) => ['live', 'elsewhere'].includes(stateOf(run)))
  const { resume, isPending, dialogs } = useResume({
    runId: open?.id ?? '',
    usedUpBudget: open?.usedUpBudget,
    workedOnBy: open?.workedOnBy,
    onResumed: (runId) => navigate(`/arena/run/${encodeURIComponent(runId)}`),
    onFailure: (error) => toast(`Not resumed: ${error.message}`),
  })
  const rescore = useMutation({
    mutationFn: async () => {
      for (const { id } of group.runs) await readReply(api.runs[':id'].rescore.$post({ param: { id } }))
    },
    onSuccess: () => toast('Rescoring the stored answers; the models are not asked again.'),
    onError: (error) => toast(`Not rescored: ${error.message}`),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <>
      <Menu
        onClosed={(event) => {
          if (!isLabelling.current) return
          isLabelling.current = false
          // The form takes the focus.
          event.preventDefault()
          onLabel()
        }}
        trigger={
          <IconButton
            label={`Actions for ${group.label?.name ?? group.suiteName}, ${formatLocalTime(group.startedAt)}`}
          >
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => navigate(resultsAddress(group.selection))}>Open</MenuItem>
        <RunnersOnly>
          <MenuItem onSelect={() => (isLabelling.current = true)}>Name, tags, note…</MenuItem>
          <MenuItem disabled={!open || isPending} onSelect={resume}>
            {open?.workedOnBy ? 'Take over…' : 'Resume'}
          </MenuItem>
          <MenuItem disabled={isRunning || rescore.isPending} onSelect={() => rescore.mutate()}>
            Rescore
          </MenuItem>
        </RunnersOnly>
        <MenuLine />
        <ExportLinks selection={group.selection} />
        <RunnersOnly>
          <MenuLine />
          <MenuItem isDanger disabled={isRunning} onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </RunnersOnly>
      </Menu>
      {dialogs}
      <DeleteDialog group={group} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}
