import { maxArenaModels } from '../../contract/index.ts'
import { useQuery } from '@tanstack/react-query'
import { defaultParameters } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { ModelChoice } from '../arena/choices/ModelChoice.tsx'
import { ParameterPanel } from '../arena/ParameterPanel.tsx'
import { RunLimits } from '../arena/choices/RunLimits.tsx'
import { SimulatedNotice } from '../arena/SimulatedNotice.tsx'
import { useArena } from '../arena/use-arena.ts'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
import { ArenaBar } from './ArenaBar.tsx'
import { ArenaJudges } from './ArenaJudges.tsx'
import { ArenaPrompt } from './ArenaPrompt.tsx'
import { BrowserNotice } from './BrowserNotice.tsx'
import { useArenaTask, useCodeArena } from './code-arena-choices.ts'
import { makeArenaRequest, PAGE_TOKENS } from './make-arena-request.ts'

/** Not the Arena defaults, because a page needs more tokens than an answer. */
const defaults = { ...defaultParameters, maxTokens: PAGE_TOKENS }

/** Choose a prompt, models and judges, then run them. */
export function NewArenaRun() {
  const app = useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()), staleTime: 60_000 })
  const models = useQuery({
    queryKey: ['models'],
    queryFn: () => readReply(api.models.$get({ query: {} })),
    staleTime: 300_000,
  })
  const { task, change } = useArenaTask()
  const state = useCodeArena((store) => store)
  const fieldErrors = useArena((store) => store.fieldErrors)
  if (app.error) return <FailureNotice title="The Code Arena could not be opened" failure={app.error} />
  if (!app.data) return <Loading label="Loading models…" rows={8} />
  const chosen = state.choices.models ?? app.data.defaultModels.slice(0, maxArenaModels)
  const judges = state.choices.judgeModelIds ?? [app.data.defaultJudge]
  const arenaRequest = makeArenaRequest({ task, models: chosen, judgeModelIds: judges, state, fieldErrors })
  return (
    <div className="flex min-h-[calc(100dvh-184px)] flex-col gap-4 md:min-h-[calc(100dvh-136px)]">
      <SimulatedNotice models={chosen} />
      <BrowserNotice />
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-5">
          <ArenaPrompt task={task} onChange={change} />
          <ModelChoice models={models} chosen={chosen} onChange={(ids) => state.choose({ models: ids })} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ArenaJudges list={models.data} chosen={judges} state={state} task={task} onChange={change} />
          <ParameterPanel
            title="Parameters"
            state={state}
            defaults={defaults}
            maxTokensHint="A page needs 2,000 to 8,000"
          />
          <RunLimits state={state} budgetHint="The run stops before it exceeds this, judges included" />
        </div>
      </div>
      <ArenaBar
        request={'request' in arenaRequest ? arenaRequest.request : undefined}
        problems={'problems' in arenaRequest ? arenaRequest.problems : []}
      />
    </div>
  )
}
