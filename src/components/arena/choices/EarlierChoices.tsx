import { useQuery } from '@tanstack/react-query'
import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { describeCost, formatCount } from '../../../report/words/index.ts'
import { nameBriefly } from '../../../report/words/names.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { formatLocalTime } from '../../ui/local-time.ts'
import { Panel } from '../../ui/Page.tsx'

const LOOKED_AT = 30
const SHOWN = 3
const NAMED = 2
const MAX_NAME_LENGTH = 22

interface EarlierChoicesProps {
  /** Of suites that still exist. */
  suiteIds: ReadonlySet<string>
  current: { suiteId: string | undefined; models: readonly string[] }
  onUse: (choice: { suiteId: string; models: string[] }) => void
}

const choiceKey = (suiteId: string | undefined, models: readonly string[]) =>
  JSON.stringify([suiteId, models.toSorted()])

/** The newest runs of suites, each combination of suite and models once. */
function listChoices(runs: readonly ListedRun[], { suiteIds, current }: EarlierChoicesProps) {
  const seen = new Set([choiceKey(current.suiteId, current.models)])
  return runs.flatMap((run) => {
    const { kind, testSuiteId, models } = run
    const key = choiceKey(testSuiteId, models)
    if (kind !== 'suite' || testSuiteId === undefined || !suiteIds.has(testSuiteId) || seen.has(key)) return []
    seen.add(key)
    return [{ ...run, testSuiteId }]
  })
}

/** Brings back what was run before. */
export function EarlierChoices(props: EarlierChoicesProps) {
  const runs = useQuery({
    queryKey: ['runs', 'earlier'],
    queryFn: () => readReply(api.runs.$get({ query: { limit: String(LOOKED_AT) } })),
  })
  const choices = listChoices(runs.data?.runs ?? [], props).slice(0, SHOWN)
  if (choices.length === 0) return null
  return (
    <section aria-label="Use an earlier choice" className="flex flex-col gap-2">
      <h2 className="text-[13px] text-muted">Use an earlier choice</h2>
      <Panel>
        <ul>
          {choices.map(({ id, testSuiteId, testSuiteName = testSuiteId, models, startedAt, cost, unknownCosts }) => (
            <li
              key={id}
              className="grid grid-cols-[minmax(0,1fr)_auto] items-center gap-x-4 gap-y-0.5 border-b border-line px-4 py-2 last:border-b-0 md:grid-cols-[minmax(0,1fr)_minmax(0,2fr)_auto_auto]"
            >
              <span className="truncate font-medium" title={testSuiteName}>
                {testSuiteName}
              </span>
              <span className="flex min-w-0 gap-2 text-[13px] text-muted max-md:order-last">
                {models.slice(0, NAMED).map((model) => (
                  <span key={model} className="min-w-0" title={model}>
                    <CutName name={nameBriefly(models, MAX_NAME_LENGTH)(model)} />
                  </span>
                ))}
                {models.length > NAMED && (
                  <span className="shrink-0">and {formatCount(models.length - NAMED)} more</span>
                )}
              </span>
              <span className="text-[13px] text-muted tabular-nums max-md:hidden">
                {describeCost(cost, unknownCosts)} · {formatLocalTime(startedAt)}
              </span>
              <Button
                kind="quiet"
                aria-label={`Use ${testSuiteName} with ${formatCount(models.length, 'model')}`}
                onClick={() => props.onUse({ suiteId: testSuiteId, models })}
              >
                Use
              </Button>
            </li>
          ))}
        </ul>
      </Panel>
    </section>
  )
}
