import {
  InputError,
  withoutDeciding,
  type RunInput,
  type RunRequest,
  type RunResult,
  type Suite,
} from '../../contract/index.ts'
import { findVariant } from '../../scoring/index.ts'
import { FRESH_RUNS } from '../../statistics/index.ts'
import { modelOf, requestOf, withEndpoint, withoutSecrets } from '../plan.ts'
import { readStoredRun } from '../stored-run.ts'
import { isScoredElsewhere } from '../stored-runs/import-run.ts'

/** The models that look worse than in the baseline. */
export interface Alarm {
  runs: readonly RunResult[]
  baseline: readonly RunResult[]
  models: readonly string[]
  /** Cases that changed between the two. */
  leaveOut: ReadonlySet<string>
}

/** What to run again to make sure. */
export interface PlannedRerun {
  candidate: RunInput
  baseline: RunInput
}

/** The cases by which models look worse: both sides have a score of their own for them. */
function listAlarmCases({ runs, baseline, models, leaveOut }: Alarm): Set<string> {
  const scoredIn = (series: readonly RunResult[], model: string) =>
    new Set(
      series
        .flatMap(({ results }) => results)
        .filter(({ modelId, score }) => modelId === model && score && !score.comparisons)
        .map(({ testCaseId }) => testCaseId),
    )
  const shared = models.flatMap((model) => {
    const before = scoredIn(baseline, model)
    return [...scoredIn(runs, model)].filter((id) => before.has(id) && !leaveOut.has(id))
  })
  return new Set(shared)
}

interface Narrowed {
  cases: ReadonlySet<string>
  models: readonly string[]
  /** How many runs a request had. */
  repeat: number
}

/** Only these cases, and each variant only with the models that look worse with it. */
function narrowSuite(suite: Suite, { cases, models }: Narrowed): Suite {
  const { variants = [] } = suite
  const testCases = suite.testCases.filter(({ id }) => cases.has(id))
  if (variants.length === 0) return { ...suite, testCases }
  const wanted = variants.map((variant) => {
    const own = models.filter((id) => findVariant(variants, id)?.name === variant.name)
    return { ...variant, models: own.map((id) => modelOf(id, variants)) }
  })
  return { ...suite, testCases, variants: wanted.filter((variant) => variant.models.length > 0) }
}

/** Fresh answers: nothing from the cache, and no case left out by decision. */
function makeInput(run: RunResult, narrowed: Narrowed): RunInput {
  const { request, suite } = readStoredRun(run)
  const { maxCacheAgeSeconds: _age, ...plain } = withoutDeciding(request)
  const models = [...new Set(narrowed.models.map((id) => modelOf(id, suite.variants)))]
  return {
    kind: 'rerun',
    request: { ...plain, models, repeat: FRESH_RUNS * narrowed.repeat, cache: false },
    suite: narrowSuite(suite, narrowed),
    isSelected: true,
  }
}

/**
 * The baseline as it was, with the limits and at the expense of the run that it is compared with. What is not stored of
 * an address is that run's, if it is the same one.
 */
function makeBaselineRequest(baseline: RunRequest, candidate: RunRequest): RunRequest {
  const { concurrency, maxTimeSeconds, timeoutSeconds, requestsPerMinute, tokensPerMinute } = candidate
  const { maxCost, project, startedBy } = candidate
  const isSameAddress = withoutSecrets(candidate).endpoint === baseline.endpoint
  return {
    ...(isSameAddress ? withEndpoint(baseline, candidate.endpoint) : baseline),
    concurrency,
    maxTimeSeconds,
    timeoutSeconds,
    requestsPerMinute,
    tokensPerMinute,
    maxCost,
    project,
    startedBy,
  }
}

/** Throws `InputError` if what is stored does not suffice. `endpoint` has what is not stored of the runs' address. */
export function planRerun(alarm: Alarm, endpoint: string | undefined): PlannedRerun {
  const [first, before] = [alarm.runs[0]!, alarm.baseline[0]!]
  if (isScoredElsewhere(before))
    throw new InputError(`it was imported from ${before.versions?.['importedFrom'] ?? 'another tool'}`)
  const narrowed = { cases: listAlarmCases(alarm), models: alarm.models, repeat: requestOf(first).repeat }
  const candidate = makeInput(first, narrowed)
  const request = withEndpoint(candidate.request, endpoint)
  const baseline = makeInput(before, narrowed)
  return {
    candidate: { ...candidate, request },
    baseline: { ...baseline, request: makeBaselineRequest(baseline.request, request) },
  }
}
