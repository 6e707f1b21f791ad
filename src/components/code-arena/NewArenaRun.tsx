import type { AppInfo } from '../../server/http/app-routes.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { useApp, useModels } from '../queries.ts'
import { type CodeArenaRequestInput, maxArenaModels } from '../../contract/index.ts'
import { SimulatedNotice } from '../arena/SimulatedNotice.tsx'
import { useArena } from '../arena/use-arena.ts'
import { ArenaOptions } from './ArenaOptions.tsx'
import { ArenaPrompt } from './ArenaPrompt.tsx'
import { BrowserNotice } from './BrowserNotice.tsx'
import { useArenaTask, useCodeArena } from './code-arena-choices.ts'
import { describeRequest, makeArenaRequest } from './make-arena-request.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { StartBar } from '../arena/StartBar.tsx'
import type { UseQueryResult } from '@tanstack/react-query'
import { Plus, X } from 'lucide-react'
import { useState } from 'react'
import type { ModelList } from '../../server/settings/model-catalog.ts'
import { describePrice } from '../arena/choices/ModelChoice.tsx'
import { ModelPickerDialog } from '../arena/choices/ModelPickerDialog.tsx'
import { Button } from '../ui/Button.tsx'
import { CutName } from '../ui/names/ModelName.tsx'
import { FailureNotice } from '../ui/Notice.tsx'

/** What the run would do, or why it cannot start, and the button that starts it. */
function ArenaBar({ request, problems }: { request: CodeArenaRequestInput | undefined; problems: string[] }) {
  return (
    <StartBar
      action="Run Code Arena"
      isBlocked={request === undefined}
      start={(repeat) => readReply(api.codeArena.$post({ json: { ...request!, repeat } }))}
      addressOf={(runId) => `/code-arena/${encodeURIComponent(runId)}`}
      lists={['code-arena', 'runs']}
    >
      {request ? (
        <div className="break-words tabular-nums">{describeRequest(request)}</div>
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
              {describePrice(byId.get(id), models.data !== undefined)}
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
  const judges = state.choices.judgeModelIds ?? [app.defaultJudge]
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
        <SimulatedNotice models={chosen} isDemoOnly={app.isDemoOnly} />
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
