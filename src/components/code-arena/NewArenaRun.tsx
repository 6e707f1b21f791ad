import { useQuery } from '@tanstack/react-query'
import { api } from '../api-client.ts'
import { ModelChoice } from '../arena/ModelChoice.tsx'
import { NumberField } from '../arena/NumberField.tsx'
import { useArena } from '../arena/use-arena.ts'
import { Link } from '../router.tsx'
import { isSimulated } from '../ui/format.ts'
import { FailureNotice, Loading, Notice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { ArenaBar } from './ArenaBar.tsx'
import { ArenaJudges } from './ArenaJudges.tsx'
import { ArenaParameters } from './ArenaParameters.tsx'
import { ArenaPrompt } from './ArenaPrompt.tsx'
import { useArenaTask, useCodeArena } from './code-arena-choices.ts'
import { makeArenaRequest, MOST_MODELS } from './make-arena-request.ts'

function Limits() {
  const { concurrency, maxCost, timeoutSeconds } = useCodeArena((state) => state.choices)
  const choose = useCodeArena((state) => state.choose)
  return (
    <Section title="Limits">
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3 xl:grid-cols-2">
        <NumberField label="Budget in USD" hint="Stops before it is passed, judge included" placeholder="no limit" min={0} isMinExcluded isOptional value={maxCost} onChange={(value) => choose({ maxCost: value })} />
        <NumberField label="Timeout in seconds" hint="Until the first token" placeholder="120" min={0} isMinExcluded max={3600} isOptional value={timeoutSeconds} onChange={(value) => choose({ timeoutSeconds: value })} />
        <NumberField label="Concurrency" hint="Requests at once, a provider" min={1} max={500} isWhole value={concurrency} onChange={(value) => value !== undefined && choose({ concurrency: value })} />
      </div>
    </Section>
  )
}

/** What is to be made, by whom, and who says how well: then run it. */
export function NewArenaRun() {
  const app = useQuery({ queryKey: ['app'], queryFn: api.app, staleTime: 60_000 })
  const models = useQuery({ queryKey: ['models'], queryFn: () => api.models(), staleTime: 300_000 })
  const { task, change } = useArenaTask()
  const state = useCodeArena((store) => store)
  const faults = useArena((store) => store.faults)
  if (app.error) return <FailureNotice title="The Code Arena could not be opened" failure={app.error} />
  if (!app.data) return <Loading label="Getting models …" rows={8} />
  const chosen = state.choices.models ?? app.data.defaultModels.slice(0, MOST_MODELS)
  const judges = state.choices.judgeModelIds ?? [app.data.defaultJudge]
  const made = makeArenaRequest({ task, models: chosen, judgeModelIds: judges, state, faults })
  return (
    <div className="flex min-h-[calc(100dvh-184px)] flex-col gap-4 md:min-h-[calc(100dvh-136px)]">
      {chosen.length > 0 && chosen.every(isSimulated) && (
        <Notice>
          The chosen models are simulated: nothing leaves this machine and nothing is paid, their prices are made up. To ask real ones,{' '}
          <Link to="/settings" className="underline">
            add a key in Settings
          </Link>
          .
        </Notice>
      )}
      <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,1fr)_340px]">
        <div className="flex min-w-0 flex-col gap-5">
          <ArenaPrompt task={task} onChange={change} />
          <ModelChoice models={models} chosen={chosen} onChange={(ids) => state.choose({ models: ids })} />
        </div>
        <div className="flex min-w-0 flex-col gap-5">
          <ArenaJudges list={models.data} chosen={judges} task={task} onChange={change} />
          <ArenaParameters />
          <Limits />
        </div>
      </div>
      <ArenaBar request={'request' in made ? made.request : undefined} problems={'problems' in made ? made.problems : []} />
    </div>
  )
}
