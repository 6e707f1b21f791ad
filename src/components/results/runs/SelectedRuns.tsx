import { useState } from 'react'
import { isInProgress } from '../../../contract/index.ts'
import { formatCount } from '../../../report/words/index.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { Button } from '../../ui/Button.tsx'
import { SelectionBar } from '../../ui/SelectionBar.tsx'
import { DeleteRunsDialog } from './DeleteRunsDialog.tsx'
import { groupOfRun, type RunGroup } from './run-groups.ts'

interface SelectedRunsProps {
  /** Runs and series, as in the addresses of their results. */
  chosen: readonly string[]
  groups: readonly RunGroup[]
  onChoose: (chosen: string[]) => void
  onCompare: () => void
}

/** What can be done with the selected runs together. */
export function SelectedRuns({ chosen, groups, onChoose, onCompare }: SelectedRunsProps) {
  const [isDeleting, setDeleting] = useState(false)
  const selected = groups
    .flatMap((group) => (group.isSeries ? [group, ...group.runs.map(groupOfRun)] : [group]))
    .filter(({ selection }) => chosen.includes(selection))
  // A run can be selected on its own and as part of its series.
  const runs = new Map(selected.flatMap((group) => group.runs.map((run) => [run.id, run])))
  const isRunning = [...runs.values()].some(({ state }) => isInProgress(state))
  if (selected.length === 0) return null
  return (
    <SelectionBar
      selected={formatCount(runs.size, 'run')}
      shown={groups.length}
      onAll={() => onChoose(groups.map(({ selection }) => selection))}
      onClear={() => onChoose([])}
    >
      <Button
        disabled={selected.length > 2}
        title={selected.length > 2 ? 'Two can be compared at a time' : undefined}
        onClick={onCompare}
      >
        {selected.length === 1 ? 'Compare with the previous run' : 'Compare'}
      </Button>
      <RunnersOnly>
        <Button
          kind="danger"
          disabled={isRunning}
          title={isRunning ? 'Stop the runs in progress first' : undefined}
          onClick={() => setDeleting(true)}
        >
          Delete…
        </Button>
      </RunnersOnly>
      <DeleteRunsDialog
        title={`Delete ${formatCount(runs.size, 'run')}?`}
        ids={[...runs.keys()]}
        isOpen={isDeleting}
        onClose={() => setDeleting(false)}
      >
        Their answers, scores, ratings and notes will be permanently deleted. The suites will be kept.
      </DeleteRunsDialog>
    </SelectionBar>
  )
}
