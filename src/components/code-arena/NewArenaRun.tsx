import { arenaRunAddress } from './vote/voter.ts'
import type { AppInfo } from '../../server/http/app-routes.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { useApp, useModels } from '../queries.ts'
import {
  type CodeArenaRequestInput,
  maxArenaModels,
  arenaOptions,
  commonOptions,
  defaultParameters,
} from '../../contract/index.ts'
import { defaultJudgesFor } from '../arena/default-judges.ts'
import { SimulatedNotice } from '../arena/SimulatedNotice.tsx'
import { useArena } from '../arena/use-arena.ts'
import { BrowserNotice } from './BrowserNotice.tsx'
import { useArenaTask, useCodeArena } from './code-arena-choices.ts'
import { makeArenaRequest, type ArenaTask, PAGE_TOKENS } from './make-arena-request.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { StartBar } from '../arena/StartBar.tsx'
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, X, ChevronRight } from 'lucide-react'
import { useState, useEffect, useRef, type ReactNode } from 'react'
import type { ModelList } from '../../server/settings/model-catalog.ts'
import { describeListedPrice } from '../../report/words/models.ts'
import { ModelPickerDialog } from '../arena/choices/ModelPickerDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { CutName } from '../ui/names/ModelName.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { isAfterShortcut } from '../router.tsx'
import type { ArenaState } from '../../stores/arenaStore.ts'
import { ParameterPanel } from '../arena/ParameterPanel.tsx'
import { OptionSection } from '../arena/choices/OptionFields.tsx'
import { TextArea } from '../ui/form/Field.tsx'
import { Section } from '../ui/Page.tsx'
import { describeArenaOptions, describeArenaRequest } from '../../report/words/code-arena.ts'
import { JudgePanel } from '../arena/choices/JudgePanel.tsx'
import { Switch } from '../ui/form/Switch.tsx'

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
function ArenaOptions({ list, judges, state, task, hasError, onChange }: ArenaOptionsProps) {
  return (
    <details className="group rounded-lg border border-line bg-surface" {...(hasError && { open: true })}>
      <summary className="flex list-none items-start gap-x-2 px-3 py-2 hover:bg-hover [&::-webkit-details-marker]:hidden">
        <ChevronRight size={16} aria-hidden className="mt-0.5 shrink-0 text-muted group-open:rotate-90" />
        <span className="font-medium">Options</span>
        <span className="min-w-0 flex-1 text-muted">
          {describeArenaOptions({
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
              onChange={(text) => onChange({ systemPrompt: text })}
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

const examples = [
  {
    name: 'Pricing page',
    prompt:
      'A pricing page with three plans and a monthly/yearly switch. The middle plan is recommended; yearly prices are 20 % lower.',
  },
  {
    name: 'To-do app',
    prompt:
      'A to-do app: add, complete and delete tasks, filter by all, open and done, and show how many are left. Usable by keyboard alone.',
  },
  {
    name: 'Counter',
    prompt:
      'A counter with buttons to add one, subtract one and reset. It cannot go below zero and shows its last five changes.',
  },
  {
    name: 'Chart',
    prompt:
      'A dashboard page with a line chart of monthly sales for two years, a switch between the years, and the best month marked. Use d3.',
  },
  {
    name: '3D scene',
    prompt: 'A solar system in 3D with three.js: planets that orbit at different speeds, labels, and a pause button.',
  },
]

interface ArenaPromptProps {
  task: ArenaTask
  onChange: (changes: Partial<ArenaTask>) => void
  /** Below the text, in the same box. */
  children: ReactNode
}

/** The prompt, ready to type into. */
function ArenaPrompt({ task, onChange, children }: ArenaPromptProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = field.current
    // Arrow keys on the tabs above must not end in the field.
    const isOnTabs = document.activeElement?.matches('[role=tab]:focus-visible') ?? false
    if (isAfterShortcut() || isOnTabs) return
    element?.focus({ preventScroll: true })
    element?.setSelectionRange(element.value.length, element.value.length)
  }, [])
  const choose = (prompt: string) => {
    onChange({ prompt })
    field.current?.focus()
  }
  return (
    <div className="flex flex-col gap-3">
      <div className="rounded-lg border border-line-strong/60 bg-surface focus-within:border-accent focus-within:outline-1 focus-within:outline-accent">
        <textarea
          ref={field}
          aria-label="Prompt"
          rows={5}
          spellCheck={false}
          placeholder="Describe the page: what it contains, what users can do, and how it should look."
          className="block max-h-[50dvh] min-h-32 w-full resize-y rounded-t-lg bg-transparent px-4 py-3 text-base leading-6 outline-none placeholder:text-muted"
          value={task.prompt}
          onChange={({ target }) => onChange({ prompt: target.value })}
        />
        <div className="border-t border-line px-3 py-2">{children}</div>
      </div>
      <div role="group" aria-label="Example prompts" className="flex flex-wrap items-center gap-x-1 gap-y-1">
        <span className="mr-1 text-muted">Try</span>
        {examples.map(({ name, prompt }) => (
          <button
            key={name}
            type="button"
            title={prompt}
            onClick={() => choose(prompt)}
            className="h-8 rounded-full border border-line bg-surface px-3 text-[13px] hover:bg-hover"
          >
            {name}
          </button>
        ))}
      </div>
    </div>
  )
}

/** What the run would do, or why it cannot start, and the button that starts it. */
function ArenaBar({ request, problems }: { request: CodeArenaRequestInput | undefined; problems: string[] }) {
  return (
    <StartBar
      action="Run Code Arena"
      isBlocked={request === undefined}
      start={(repeat) => readReply(api.codeArena.$post({ json: { ...request!, repeat } }))}
      addressOf={({ runId }) => arenaRunAddress(runId)}
      lists={['code-arena', 'runs']}
    >
      {request ? (
        <div className="break-words tabular-nums">{describeArenaRequest(request)}</div>
      ) : (
        problems.map((problem) => (
          <div key={problem} className="break-words text-muted">
            {problem}
          </div>
        ))
      )}
    </StartBar>
  )
}

interface ArenaModelsProps {
  models: UseQueryResult<ModelList>
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
}

/** The models as chips, and a dialog to choose among all. */
function ArenaModels({ models, chosen, onChange }: ArenaModelsProps) {
  const [isOpen, setOpen] = useState(false)
  const byId = new Map(models.data?.models.map((model) => [model.id, model]))
  return (
    <section aria-label="Models" className="flex min-w-0 flex-col gap-2">
      <ul aria-label="Chosen models" className="flex min-w-0 flex-wrap items-center gap-1.5">
        {chosen.map((id) => (
          <li
            key={id}
            className="flex h-8 max-w-full min-w-0 items-center rounded-full border border-line bg-sunken pl-3 text-[13px]"
          >
            <CutName name={id} className="max-w-64" />
            <span className="ml-2 text-xs whitespace-nowrap text-muted tabular-nums max-sm:hidden">
              {describeListedPrice(byId.get(id), models.data !== undefined)}
            </span>
            <button
              type="button"
              aria-label={`Remove ${id}`}
              title={`Remove ${id}`}
              className="inline-flex size-8 shrink-0 items-center justify-center rounded-full text-muted hover:text-ink"
              onClick={() => onChange(chosen.filter((other) => other !== id))}
            >
              <X size={14} aria-hidden />
            </button>
          </li>
        ))}
        <li>
          <Button kind="quiet" className="rounded-full!" disabled={!models.data} onClick={() => setOpen(true)}>
            <Plus size={14} aria-hidden />
            {models.isPending ? 'Loading models…' : 'Choose models'}
          </Button>
        </li>
      </ul>
      <FailureNotice title="The list of models could not be loaded" failure={models.error} onRetry={models.refetch} />
      {models.data && (
        <ModelPickerDialog
          title="Models"
          description={`Each writes a page of its own. At most ${maxArenaModels}.`}
          isOpen={isOpen}
          onClose={() => setOpen(false)}
          label="All models"
          list={models.data}
          chosen={chosen}
          onChange={onChange}
        />
      )}
    </section>
  )
}

function NewRun({ app }: { app: AppInfo }) {
  const models = useModels()
  const { task, change } = useArenaTask()
  const state = useCodeArena((store) => store)
  const fieldErrors = useArena((store) => store.fieldErrors)
  const chosen = state.choices.models ?? app.defaultModels.slice(0, maxArenaModels)
  const judges = state.choices.judgeModelIds ?? defaultJudgesFor(chosen, app)
  const arenaRequest = makeArenaRequest({ task, models: chosen, judgeModelIds: judges, state, fieldErrors })
  return (
    <div className="flex min-h-[calc(100dvh-184px)] flex-col gap-4 md:min-h-[calc(100dvh-136px)]">
      <div className="mx-auto flex w-full max-w-5xl min-w-0 flex-col gap-4">
        <ArenaPrompt task={task} onChange={change}>
          <ArenaModels models={models} chosen={chosen} onChange={(ids) => state.choose({ models: ids })} />
        </ArenaPrompt>
        <ArenaOptions
          list={models.data}
          judges={judges}
          state={state}
          task={task}
          hasError={Object.keys(fieldErrors).length > 0}
          onChange={change}
        />
        <SimulatedNotice models={chosen} judges={judges} isDemoOnly={app.isDemoOnly} />
        <BrowserNotice />
      </div>
      <ArenaBar
        request={'request' in arenaRequest ? arenaRequest.request : undefined}
        problems={'problems' in arenaRequest ? arenaRequest.problems : []}
      />
    </div>
  )
}

/** Choose a prompt, models and judges, then run them. */
export function NewArenaRun() {
  return (
    <Loaded query={useApp()} what="the Code Arena" rows={8}>
      {(app) => <NewRun app={app} />}
    </Loaded>
  )
}
