import { isInProgress } from '../../../contract/index.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { Ellipsis } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useResume } from '../../arena/live/use-resume.tsx'
import { markNamesOfRunsSeen } from '../../code-arena/vote/voter.ts'
import { navigate } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { IconButton } from '../../ui/Button.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Menu, MenuItem, MenuLine } from '../../ui/Menu.tsx'
import { toast } from '../../ui/toast.ts'
import { resultsAddress } from '../addresses.ts'
import { ExportLinks } from '../ExportMenu.tsx'
import { DeleteRunsDialog } from './DeleteRunsDialog.tsx'
import { resumable, type RunGroup } from './run-groups.ts'

export function RunMenu({ group, onLabel }: { group: RunGroup; onLabel: () => void }) {
  const isLabelling = useRef(false)
  const queries = useQueryClient()
  const [isDeleting, setDeleting] = useState(false)
  const open = resumable(group)
  const isRunning = isInProgress(group.state)
  const { resume, isPending, dialogs } = useResume({
    runId: open?.id ?? '',
    usedUpBudget: open?.usedUpBudget,
    workedOnBy: open?.workedOnBy,
    onResumed: (runId) => navigate(`/arena/run/${encodeURIComponent(runId)}`),
    onFailure: (error) => toast(`Not resumed: ${error.message}`),
  })
  const rescore = useSingleMutation({
    mutationFn: async () => {
      for (const { id } of group.runs) await readReply(api.runs[':id'].rescore.$post({ param: { id } }))
    },
    onSuccess: () => toast('Rescoring the stored answers; nothing is sent to the models.'),
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
        <ExportLinks
          selection={group.selection}
          onExport={() =>
            markNamesOfRunsSeen(
              group.kind,
              group.runs.map(({ id }) => id),
            )
          }
        />
        <RunnersOnly>
          <MenuLine />
          <MenuItem isDanger disabled={isRunning} onSelect={() => setDeleting(true)}>
            Delete…
          </MenuItem>
        </RunnersOnly>
      </Menu>
      {dialogs}
      <DeleteRunsDialog
        title={`Delete ${group.isSeries ? `this series of ${formatCount(group.runs.length, 'run')}` : 'this run'}?`}
        ids={group.runs.map(({ id }) => id)}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      >
        {group.suiteName}, {formatLocalTime(group.startedAt)}: its {formatCount(group.cells, 'cell')}, with answers,
        scores, ratings and notes, will be permanently deleted. The suite will be kept.
      </DeleteRunsDialog>
    </>
  )
}
