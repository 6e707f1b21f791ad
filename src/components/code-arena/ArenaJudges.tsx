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

/** Who judges the pages, and what they get to see. Nobody is an answer too: then people vote. */
export function ArenaJudges({ list, chosen, state, task, onChange }: ArenaJudgesProps) {
  return (
    <JudgePanel
      list={list}
      chosen={chosen}
      state={state}
      aside={chosen.length === 0 ? 'nobody judges, people vote' : undefined}
      description="One model, or several as a panel: each one’s score is kept. Models that take images see the screenshots."
    >
      {chosen.length > 0 && (
        <Switch
          label="Quick judge (code only)"
          checked={task.isQuickJudge}
          onChange={(isQuickJudge) => onChange({ isQuickJudge })}
          hint={
            task.isQuickJudge
              ? 'On: the judge reads the first 5,000 characters of the code and sees no page. Quicker and cheaper; how the page looks counts as not seen.'
              : 'Off: the judge sees screenshots at 375, 768 and 1440 px, before and after use, what the browser found, and the code.'
          }
        />
      )}
    </JudgePanel>
  )
}
