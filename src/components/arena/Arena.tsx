import { Loaded, both } from '../ui/Loaded.tsx'
import { useApp, useModels, useSuites } from '../queries.ts'
import type { SuiteSummary } from '../../server/suites/suite-summaries.ts'
import { useEffect } from 'react'
import { defaultParameters, runOptions, type RunRequestInput } from '../../contract/index.ts'
import { makeRunRequest } from '../../stores/arenaStore.ts'
import { Link, useAddress } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { EmptyState, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { JudgeChoice } from './choices/JudgeChoice.tsx'
import { ModelChoice } from './choices/ModelChoice.tsx'
import { OpenRuns } from './live/OpenRuns.tsx'
import { ParameterPanel } from './ParameterPanel.tsx'
import { OptionSection } from './choices/OptionFields.tsx'
import { SimulatedNotice } from './SimulatedNotice.tsx'
import { SuiteChoice } from './choices/SuiteChoice.tsx'
import { useArena } from './use-arena.ts'
import type { RunEstimate } from '../../server/runs/estimate.ts'
import { describeBudget } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { problemsOf, readReply } from '../api-request.ts'
import { describeRunEstimate } from '../../report/words/index.ts'
import { StartBar } from './StartBar.tsx'
import { keepPreviousData, useQuery, type UseQueryResult } from '@tanstack/react-query'
import { useSettled } from '../ui/use-settled.ts'

/** Waits for a pause in typing before asking the server. */
const DELAY_MS = 250

/** The estimate of a run; the previous one stays until the next arrives. */
function useEstimate(request: RunRequestInput | undefined): UseQueryResult<RunEstimate> & { isSettled: boolean } {
  const text = request === undefined ? undefined : JSON.stringify(request)
  const settled = useSettled(text, DELAY_MS)
  const estimate = useQuery({
    queryKey: ['estimate', settled],
    queryFn: () => readReply(api.estimate.$post({ json: request! })),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    staleTime: 60_000,
  })
  return { ...estimate, isSettled: settled === text && !estimate.isFetching }
}

/** A budget that may stop the run early. */
function BudgetNote({ estimate }: { estimate: RunEstimate }) {
  const note = describeBudget(estimate)
  return note === undefined ? null : <div className="break-words text-warning">{note}</div>
}

/** The estimate of the run, the reasons why it cannot start, and the button that starts it. */
function RunBar({
  request,
  problems,
  isLoading,
}: {
  request: RunRequestInput | undefined
  problems: string[]
  isLoading: boolean
}) {
  const estimate = useEstimate(request)
  const estimated = request === undefined ? undefined : estimate.data
  // Problems of an earlier estimate say nothing about the current choices.
  const refusals = estimate.isSettled ? [...(estimated?.problems ?? []), ...problemsOf(estimate.error)] : []
  const reasons = [...problems, ...refusals]
  return (
    <StartBar
      action="Run Benchmark"
      isBlocked={request === undefined || refusals.length > 0}
      estimate={estimated}
      start={(repeat) => readReply(api.runs.$post({ json: { ...request!, repeat } }))}
      addressOf={(runId) => `/arena/run/${encodeURIComponent(runId)}`}
      lists={['runs', 'suites']}
    >
      {isLoading && <span className="text-muted">Loading suites and models…</span>}
      {!isLoading &&
        reasons.map((reason) => (
          <div key={reason} className="break-words text-danger">
            {reason}
          </div>
        ))}
      {reasons.length === 0 && estimated && (
        <div className={estimate.isSettled ? 'tabular-nums' : 'text-muted tabular-nums'}>
          {describeRunEstimate(estimated)}
        </div>
      )}
      {reasons.length === 0 && estimated && <BudgetNote estimate={estimated} />}
      {reasons.length === 0 && !isLoading && !estimated && <span className="text-muted">Estimating…</span>}
    </StartBar>
  )
}

/** The first id that exists, or an example, so that there is always something to run. */
function findSuite(suites: readonly SuiteSummary[], ...ids: (string | null | undefined)[]): SuiteSummary | undefined {
  for (const id of ids) {
    const found = suites.find((suite) => suite.id === id)
    if (found) return found
  }
  return suites.find(({ isExample }) => isExample) ?? suites[0]
}

/** Choose a suite, models and parameters, then run the benchmark. */
export function Arena() {
  const [address, changeAddress] = useAddress()
  const app = useApp()
  const suites = useSuites()
  const models = useModels()
  const arena = useArena((state) => state)
  const { choices, choose } = arena

  const addressSuiteId = address.get('suite')
  const suite = findSuite(suites.data ?? [], addressSuiteId, choices.suiteId)
  const isSuiteMissing =
    addressSuiteId !== null && suites.data !== undefined && !suites.data.some(({ id }) => id === addressSuiteId)
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
  const runRequest = makeRunRequest(arena, defaults)
  const isLoading = suites.isPending || app.isPending
  return (
    <Page title="Arena" subtitle="Run models on the same cases, score their answers, and compare.">
      <div className="flex min-h-[calc(100dvh-128px)] flex-col gap-4 md:min-h-[calc(100dvh-80px)]">
        <OpenRuns />
        {app.data && <SimulatedNotice models={chosen} isDemoOnly={app.data.isDemoOnly} />}
        {isSuiteMissing && (
          <Notice kind="warning">The suite in the address no longer exists, so another one is selected.</Notice>
        )}
        <Loaded
          query={both(suites, app)}
          what="the Arena"
          rows={8}
          isEmpty={([all]) => all.length === 0}
          empty={
            <EmptyState
              title="No suites yet."
              action={
                <Link to="/suites" className={buttonClass('primary')}>
                  Create a suite
                </Link>
              }
            >
              A suite holds the questions for the models and how to score their answers.
            </EmptyState>
          }
        >
          {([all]) => (
            <div className="grid grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-5 xl:grid-cols-[minmax(0,1fr)_340px]">
              <div className="flex min-w-0 flex-col gap-5">
                <SuiteChoice suites={all} chosen={suite} onChoose={(id) => changeAddress({ suite: id })} />
                <ModelChoice models={models} chosen={chosen} onChange={(ids) => choose({ models: ids })} />
              </div>
              <div className="flex min-w-0 flex-col gap-5">
                <ParameterPanel title="Parameter Panel" state={arena} defaults={defaultParameters} />
                {needsJudge && (
                  <JudgeChoice
                    list={models.data}
                    chosen={choices.judgeModelIds ?? defaults.judgeModelIds}
                    state={arena}
                  />
                )}
                <OptionSection group="Reduce cost" options={runOptions} state={arena} />
                <OptionSection group="Limits" options={runOptions} state={arena} />
              </div>
            </div>
          )}
        </Loaded>
        {suites.data?.length !== 0 && (
          <RunBar
            request={!isLoading && 'request' in runRequest ? runRequest.request : undefined}
            problems={!isLoading && 'problems' in runRequest ? runRequest.problems : []}
            isLoading={isLoading}
          />
        )}
      </div>
    </Page>
  )
}
