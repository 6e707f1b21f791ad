import { useEffect } from 'react'
import type { SuiteSummary } from '../../server/suites/suite-summaries.ts'
import { makeRunRequest } from '../../stores/arenaStore.ts'
import { useApp, useModels, useSuites } from '../queries.ts'
import { Link, useAddress } from '../router.tsx'
import { buttonClass } from '../ui/Button.tsx'
import { Loaded, both } from '../ui/Loaded.tsx'
import { EmptyState, Notice } from '../ui/Notice.tsx'
import { Page } from '../ui/Page.tsx'
import { EarlierChoices } from './choices/EarlierChoices.tsx'
import { JudgeChoice } from './choices/JudgeChoice.tsx'
import { ModelChoice } from './choices/ModelChoice.tsx'
import { OptionsChoice } from './choices/OptionsChoice.tsx'
import { SuiteChoice } from './choices/SuiteChoice.tsx'
import { defaultJudgesFor } from './default-judges.ts'
import { OpenRuns } from './live/OpenRuns.tsx'
import { RunBar } from './RunBar.tsx'
import { SimulatedNotice } from './SimulatedNotice.tsx'
import { useArena } from './use-arena.ts'

/** The first id that exists, or an example, so that there is always something to run. */
function chooseSuite(suites: readonly SuiteSummary[], ...ids: (string | null | undefined)[]): SuiteSummary | undefined {
  for (const id of ids) {
    const found = suites.find((suite) => suite.id === id)
    if (found) return found
  }
  return suites.find(({ isExample }) => isExample) ?? suites[0]
}

/** Choose a suite and models, then run the benchmark. */
export function Arena() {
  const [address, changeAddress] = useAddress()
  const app = useApp()
  const suites = useSuites()
  const models = useModels()
  const arena = useArena((state) => state)
  const { choices, choose } = arena

  const addressSuiteId = address.get('suite')
  const suite = chooseSuite(suites.data ?? [], addressSuiteId, choices.suiteId)
  const isSuiteMissing =
    addressSuiteId !== null && suites.data !== undefined && !suites.data.some(({ id }) => id === addressSuiteId)
  const suiteId = suite?.id
  useEffect(() => {
    if (suiteId !== undefined && suiteId !== choices.suiteId) choose({ suiteId })
  }, [suiteId, choices.suiteId, choose])

  const { needsJudge = false, hasUser = false } = suite ?? {}
  const defaultModels = app.data?.defaultModels ?? []
  const chosen = choices.models ?? defaultModels
  const defaults = {
    suiteId,
    models: defaultModels,
    judgeModelIds: defaultJudgesFor(chosen, app.data),
    needsJudge,
    hasUser,
  }
  const judges = needsJudge ? (choices.judgeModelIds ?? defaults.judgeModelIds) : []
  const runRequest = makeRunRequest(arena, defaults)
  const isLoading = suites.isPending || app.isPending
  return (
    <div className="mx-auto w-full max-w-4xl lg:pt-6">
      <Page title="Arena" subtitle="Every model gets the same cases. You get a verdict.">
        <div className="flex flex-col gap-5">
          <OpenRuns />
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
            {([all, { isDemoOnly }]) => (
              <>
                <div className="min-w-0 rounded-lg border border-line bg-surface">
                  <SuiteChoice suites={all} chosen={suite} onChoose={(id) => changeAddress({ suite: id })} />
                  <ModelChoice
                    title="Models"
                    chosenLabel="Chosen models"
                    listLabel="All models"
                    addLabel="Add model"
                    models={models}
                    chosen={chosen}
                    onChange={(ids) => choose({ models: ids })}
                  />
                  {needsJudge && <JudgeChoice models={models} chosen={judges} state={arena} />}
                  <OptionsChoice state={arena} hasPanel={judges.length > 1} hasUser={hasUser} />
                  <RunBar
                    request={!isLoading && 'request' in runRequest ? runRequest.request : undefined}
                    problems={!isLoading && 'problems' in runRequest ? runRequest.problems : []}
                    isLoading={isLoading}
                  />
                </div>
                <SimulatedNotice models={chosen} judges={judges} isDemoOnly={isDemoOnly} />
                <EarlierChoices
                  suiteIds={new Set(all.map(({ id }) => id))}
                  current={{ suiteId, models: chosen }}
                  onUse={(choice) => {
                    changeAddress({ suite: choice.suiteId })
                    choose({ models: choice.models })
                  }}
                />
              </>
            )}
          </Loaded>
        </div>
      </Page>
    </div>
  )
}
