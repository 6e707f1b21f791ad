import { ChevronRight } from 'lucide-react'
import { arenaOptions, commonOptions, defaultParameters } from '../../contract/index.ts'
import type { ModelList } from '../../server/settings/model-catalog.ts'
import type { ArenaState } from '../../stores/arenaStore.ts'
import { ParameterPanel } from '../arena/ParameterPanel.tsx'
import { OptionSection } from '../arena/choices/OptionFields.tsx'
import { TextArea } from '../ui/Field.tsx'
import { Section } from '../ui/Page.tsx'
import { describeOptions } from './describe-options.ts'
import { type ArenaTask, PAGE_TOKENS } from './make-arena-request.ts'
import { JudgePanel } from '../arena/choices/JudgePanel.tsx'
import { Switch } from '../ui/Switch.tsx'

interface ArenaJudgesProps {
  list: ModelList | undefined
  chosen: readonly string[]
  state: ArenaState
  task: ArenaTask
  onChange: (changes: Partial<ArenaTask>) => void
}

/** The judges of the pages, and what they see. Without a judge, people vote. */
function ArenaJudges({ list, chosen, state, task, onChange }: ArenaJudgesProps) {
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

/** Not the Arena defaults, because a page needs more tokens than an answer. */
const defaults = { ...defaultParameters, maxTokens: PAGE_TOKENS }

interface ArenaOptionsProps {
  list: ModelList | undefined
  judges: readonly string[]
  state: ArenaState
  task: ArenaTask
  /** A field inside has an error, so it must be visible. */
  hasError: boolean
  onChange: (changes: Partial<ArenaTask>) => void
}

/** Everything that has a sensible default: judges, system prompt, parameters and limits. */
export function ArenaOptions({ list, judges, state, task, hasError, onChange }: ArenaOptionsProps) {
  return (
    <details className="group rounded-lg border border-line bg-surface" {...(hasError && { open: true })}>
      <summary className="flex list-none items-start gap-x-2 px-3 py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} aria-hidden className="mt-0.5 shrink-0 text-muted group-open:rotate-90" />
        <span className="font-medium">Options</span>
        <span className="min-w-0 flex-1 text-muted">
          {describeOptions({
            judges,
            task,
            parameters: state.parameters,
            defaults,
            maxCost: state.choices.maxCost,
          })}
        </span>
      </summary>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 border-t border-line p-4 lg:grid-cols-2">
        <div className="flex min-w-0 flex-col gap-5">
          <ArenaJudges list={list} chosen={judges} state={state} task={task} onChange={onChange} />
          <Section title="System prompt" aside={task.systemPrompt.trim() === '' ? 'built-in' : 'custom'}>
            <TextArea
              label="Custom system prompt"
              hint="If empty, the built-in one is used: it asks for a single page that works offline, at all widths and by keyboard."
              rows={4}
              value={task.systemPrompt}
              onChange={({ target }) => onChange({ systemPrompt: target.value })}
            />
          </Section>
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ParameterPanel
            title="Parameters"
            state={state}
            defaults={defaults}
            maxTokensHint="A page needs 2,000 to 8,000"
          />
          <OptionSection group="Limits" options={commonOptions} state={state} />
        </div>
      </div>
    </details>
  )
}
