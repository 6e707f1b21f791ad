import { arenaOptions } from '../../contract/index.ts'
import type { ModelList } from '../../server/settings/model-catalog.ts'
import type { ArenaState } from '../../stores/arenaStore.ts'
import { JudgePanel } from '../arena/choices/JudgePanel.tsx'
import { Switch } from '../ui/Switch.tsx'
import type { ArenaTask } from './make-arena-request.ts'

interface ArenaJudgesProps {
  list: ModelList | undefined
  chosen: readonly string[]
  state: ArenaState
  task: ArenaTask
  onChange: (changes: Partial<ArenaTask>) => void
}

/** The judges of the pages, and what they see. Without a judge, people vote. */
export function ArenaJudges({ list, chosen, state, task, onChange }: ArenaJudgesProps) {
  return (
    <JudgePanel
      list={list}
      chosen={chosen}
      state={state}
      aside={chosen.length === 0 ? 'no judge, people vote' : undefined}
      description="One model, or several as a panel. Each judge’s score is stored. Models that accept images see the screenshots."
    >
      {chosen.length > 0 && (
        <Switch
          label={arenaOptions.isQuickJudge.label}
          checked={task.isQuickJudge}
          onChange={(isQuickJudge) => onChange({ isQuickJudge })}
          hint={
            task.isQuickJudge
              ? 'On: the judge reads only the first 5,000 characters of the code. Faster and cheaper, but visual accuracy is marked as not seen.'
              : 'Off: the judge sees screenshots at 375, 768 and 1440 px, before and after use, the browser’s findings, and the code.'
          }
        />
      )}
    </JudgePanel>
  )
}
