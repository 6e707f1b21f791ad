import { maxArenaModels } from '../../contract/index.ts'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { SimulatedNotice } from '../arena/SimulatedNotice.tsx'
import { useArena } from '../arena/use-arena.ts'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
import { ArenaBar } from './ArenaBar.tsx'
import { ArenaModels } from './ArenaModels.tsx'
import { ArenaOptions } from './ArenaOptions.tsx'
import { ArenaPrompt } from './ArenaPrompt.tsx'
import { BrowserNotice } from './BrowserNotice.tsx'
import { useArenaTask, useCodeArena } from './code-arena-choices.ts'
import { makeArenaRequest } from './make-arena-request.ts'

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
  if (app.error)
    return (
      <FailureNotice
        title="The Code Arena could not be opened"
        failure={app.error}
        action={<Button onClick={() => void app.refetch()}>Try again</Button>}
      />
    )
  if (!app.data) return <Loading label="Loading models…" rows={8} />
  const chosen = state.choices.models ?? app.data.defaultModels.slice(0, maxArenaModels)
  const judges = state.choices.judgeModelIds ?? [app.data.defaultJudge]
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
        <SimulatedNotice models={chosen} isDemoOnly={app.data.isDemoOnly} />
        <BrowserNotice />
      </div>
      <ArenaBar
        request={'request' in arenaRequest ? arenaRequest.request : undefined}
        problems={'problems' in arenaRequest ? arenaRequest.problems : []}
      />
    </div>
  )
}
