import type { AppInfo } from '../../server/http/app-routes.ts'
import { Loaded } from '../ui/Loaded.tsx'
import { useApp, useModels } from '../queries.ts'
import { maxArenaModels } from '../../contract/index.ts'
import { SimulatedNotice } from '../arena/SimulatedNotice.tsx'
import { useArena } from '../arena/use-arena.ts'
import { ArenaBar } from './ArenaBar.tsx'
import { ArenaModels } from './ArenaModels.tsx'
import { ArenaOptions } from './ArenaOptions.tsx'
import { ArenaPrompt } from './ArenaPrompt.tsx'
import { BrowserNotice } from './BrowserNotice.tsx'
import { useArenaTask, useCodeArena } from './code-arena-choices.ts'
import { makeArenaRequest } from './make-arena-request.ts'

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
