import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { BudgetDialog } from '../../arena/live/BudgetDialog.tsx'
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

/** Whether the deletion is asked about, or what went wrong, if anything. */
function DeleteDialog({ group, isOpen, onClose }: { group: RunGroup; isOpen: boolean; onClose: () => void }) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      for (const { id } of group.runs) await readReply(api.runs[':id'].$delete({ param: { id } }))
    },
    onSuccess: () => {
      toast(`Deleted ${formatCount(group.runs.length, 'run')}`)
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
          <Button onClick={onClose}>Keep it</Button>
          <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? 'Deleting …' : 'Delete'}
          </Button>
        </>
      }
    >
      <p className="break-words">
        {group.suiteName}, {formatLocalTime(group.startedAt)}: its {formatCount(group.cells, 'cell')} with their
        answers, scores, ratings and notes are gone for good. The suite stays.
      </p>
      {remove.isError && <FailureNotice failure={remove.error} title="Not everything could be deleted" />}
    </Dialog>
  )
}

export function RunMenu({ group }: { group: RunGroup }) {
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const open = resumable(group)
  const isWorking = group.runs.some((run) => ['live', 'elsewhere'].includes(stateOf(run)))
  const resume = useMutation({
    mutationFn: (request: { maxCost?: number }) =>
      readReply(api.runs[':id'].resume.$post({ param: { id: open!.id }, json: request })),
    onSuccess: ({ runId }) => navigate(`/arena/run/${encodeURIComponent(runId)}`),
    onError: (error) => {
      if (!isAsking) toast(`Not resumed: ${error.message}`)
    },
  })
  const rescore = useMutation({
    mutationFn: async () => {
      for (const { id } of group.runs) await readReply(api.runs[':id'].rescore.$post({ param: { id } }))
    },
    onSuccess: () => toast('Stored answers are scored again; no model is asked'),
    onError: (error) => toast(`Not scored again: ${error.message}`),
    onSettled: () => queries.invalidateQueries(),
  })
  return (
    <>
      <Menu
        trigger={
          <IconButton label={`More about ${group.suiteName}, ${formatLocalTime(group.startedAt)}`}>
            <Ellipsis size={16} aria-hidden />
          </IconButton>
        }
      >
        <MenuItem onSelect={() => navigate(resultsAddress(group.selection))}>Open</MenuItem>
        <MenuItem
          disabled={!open || resume.isPending}
          onSelect={() => (open?.usedUpBudget === undefined ? resume.mutate({}) : setAsking(true))}
        >
          Resume
        </MenuItem>
        <MenuItem disabled={isWorking || rescore.isPending} onSelect={() => rescore.mutate()}>
          Score the answers again
        </MenuItem>
        <MenuLine />
        <ExportLinks selection={group.selection} />
        <MenuLine />
        <MenuItem isDanger disabled={isWorking} onSelect={() => setDeleting(true)}>
          Delete …
        </MenuItem>
      </Menu>
      {isAsking && open?.usedUpBudget !== undefined && (
        <BudgetDialog
          usedUp={open.usedUpBudget}
          isResuming={resume.isPending}
          failure={resume.error}
          onResume={(maxCost) => resume.mutate({ maxCost })}
          onClose={() => setAsking(false)}
        />
      )}
      <DeleteDialog group={group} isOpen={isDeleting} onClose={() => setDeleting(false)} />
    </>
  )
}
