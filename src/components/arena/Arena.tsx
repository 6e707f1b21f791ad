import type { SuiteSummary } from '../../server/suites/suite-summaries.ts'
import { useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { defaultParameters } from '../../contract/index.ts'
import { makeRunRequest } from '../../stores/arenaStore.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, useQuery as useAddressQuery } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState, FailureNotice, Loading, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { JudgeChoice } from './choices/JudgeChoice.tsx'
import { ModelChoice } from './choices/ModelChoice.tsx'
import { OpenRuns } from './live/OpenRuns.tsx'
import { ParameterPanel } from './ParameterPanel.tsx'
import { RunBar } from './RunBar.tsx'
import { RunLimits } from './choices/RunLimits.tsx'
import { SimulatedNotice } from './SimulatedNotice.tsx'
import { SuiteChoice } from './choices/SuiteChoice.tsx'
import { useArena } from './use-arena.ts'

/** The one in the address, else the one of last time, else an example: something can be run at once. */
function findSuite(
  suites: readonly SuiteSummary[],
  ...wanted: (string | null | undefined)[]
): SuiteSummary | undefined {
  for (const id of wanted) {
    const found = suites.find((suite) => suite.id === id)
    if (found) return found
  }
  return suites.find(({ isExample }) => isExample) ?? suites[0]
}

/** What is asked, of whom, and how: then run it. */
export function Arena() {
  const [address, changeAddress] = useAddressQuery()
  const app = useQuery({ queryKey: ['app'], queryFn: () => readReply(api.app.$get()), staleTime: 60_000 })
  const suites = useQuery({ queryKey: ['suites'], queryFn: () => readReply(api.suites.$get()) })
  const models = useQuery({
    queryKey: ['models'],
    queryFn: () => readReply(api.models.$get({ query: {} })),
    staleTime: 300_000,
  })
  const arena = useArena((state) => state)
  const { choices, choose } = arena

  const wanted = address.get('suite')
  const suite = findSuite(suites.data ?? [], wanted, choices.suiteId)
  const isWantedGone = wanted !== null && suites.data !== undefined && !suites.data.some(({ id }) => id === wanted)
  const suiteId = suite?.id
  useEffect(() => {
    if (suiteId !== undefined && suiteId !== choices.suiteId) choose({ suiteId })
  }, [suiteId, choices.suiteId, choose])

  const needsJudge = suite?.needsJudge ?? false
  const defaults = {
    suiteId,
    models: app.data?.defaultModels ?? [],
    judgeModelIds: app.data ? [app.data.defaultJudge] : [],
    needsJudge,
  }
  const chosen = choices.models ?? defaults.models
  const made = makeRunRequest(arena, defaults)
  const isLoading = suites.isPending || app.isPending
  const failure = suites.error ?? app.error

  if (failure) {
    return (
      <Page title="Arena">
        <FailureNotice title="The Arena could not be opened" failure={failure} />
      </Page>
    )
  }
  return (
    <Page title="Arena" subtitle="Ask models the same questions, score the answers, compare.">
      <div className="flex min-h-[calc(100dvh-128px)] flex-col gap-4 md:min-h-[calc(100dvh-80px)]">
        <OpenRuns />
        {app.data && <SimulatedNotice models={chosen} />}
        {isWantedGone && (
          <Notice kind="warning">The suite in the address is not there any more; another one is chosen.</Notice>
        )}
        {isLoading && <Loading label="Getting suites and models …" rows={8} />}
        {suites.data?.length === 0 && (
          <EmptyState
            title="There is no suite yet."
            action={
              <Link to="/suites" className={buttonClass('primary')}>
                Make a suite
              </Link>
            }
          >
            A suite is what models are asked, and how their answers are scored.
          </EmptyState>
        )}
        {!isLoading && suites.data !== undefined && suites.data.length > 0 && (
          <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,1fr)_340px]">
            <div className="flex min-w-0 flex-col gap-5">
              <SuiteChoice suites={suites.data} chosen={suite} onChoose={(id) => changeAddress({ suite: id })} />
              <ModelChoice models={models} chosen={chosen} onChange={(ids) => choose({ models: ids })} />
            </div>
            <div className="flex min-w-0 flex-col gap-5">
              <ParameterPanel
                title="Parameter Panel"
                state={arena}
                defaults={defaultParameters}
                maxTokensHint="Longest answer"
              />
              {needsJudge && (
                <JudgeChoice
                  list={models.data}
                  chosen={choices.judgeModelIds ?? defaults.judgeModelIds}
                  state={arena}
                />
              )}
              <RunLimits state={arena} budgetHint="Stops before it is passed" />
            </div>
          </div>
        )}
        {suites.data?.length !== 0 && (
          <RunBar
            request={!isLoading && 'request' in made ? made.request : undefined}
            problems={!isLoading && 'problems' in made ? made.problems : []}
            isLoading={isLoading}
          />
        )}
      </div>
    </Page>
  )
}
