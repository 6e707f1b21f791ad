import { RESULT_KINDS, type RunDescription, type StoredDocument, isRecord } from '../../contract/index.ts'
import { scorerList } from './scorer-list.ts'
import type { ServerContext } from '../context.ts'
import type { ServedActivity } from '../runs/run-activity.ts'
import { readSuiteContent } from './suite-documents.ts'

/** GET /api/suites */
export interface SuiteSummary {
  id: string
  name: string
  description?: string
  cases: number
  /** The number of cases by scoring method, or by methods for cases with several: `exact-match + llm-judge`. */
  methods: Record<string, number>
  version: number
  savedAt: number
  isExample: boolean
  needsJudge: boolean
  /** A model plays the user in some of its conversations. */
  hasUser: boolean
  runs: number
  lastRun?: ServedActivity & { id: string; startedAt: number }
}

/** How many recent runs are searched for those of a suite; older ones are still in the list of all runs. */
const MAX_RUNS = 1000

/** The scoring methods of a case or check as edited, which may have any shape. */
export function methodsOf(testCase: unknown): string[] {
  if (!isRecord(testCase)) return []
  const { scoringMethod, checks } = testCase
  const own = typeof scoringMethod === 'string' ? [scoringMethod] : []
  return [...own, ...(Array.isArray(checks) ? checks.flatMap(methodsOf) : [])]
}

/** Of a suite or a case as edited. */
const hasInstructions = (place: unknown): boolean =>
  isRecord(place) && isRecord(place['user']) && typeof place['user']['instructions'] === 'string'

/** The runs of each suite, newest first: by the id of the suite they were started from, else by its name. */
export async function groupRunsBySuite(
  context: ServerContext,
  suites: readonly { id: string; name: string }[],
): Promise<Map<string, RunDescription[]>> {
  const idByName = new Map(suites.map(({ id, name }) => [name, id]))
  const suiteIds = new Set(suites.map(({ id }) => id))
  const runs = await context.storage.describeRuns({ kinds: RESULT_KINDS, limit: MAX_RUNS })
  return Map.groupBy(runs, (run) => {
    if (run.testSuiteId !== undefined && suiteIds.has(run.testSuiteId)) return run.testSuiteId
    return idByName.get(run.testSuiteName ?? '') ?? ''
  })
}

export function nameOfSuite({ suite }: { suite: Record<string, unknown> }): string {
  return typeof suite['name'] === 'string' ? suite['name'] : 'Suite without a name'
}

export function summariseSuite(
  document: StoredDocument,
  runs: readonly RunDescription[],
  activityOf: (runId: string) => ServedActivity,
): SuiteSummary {
  const { id, version, savedAt } = document
  const content = readSuiteContent(document)
  const { description, testCases } = content.suite
  const cases: unknown[] = Array.isArray(testCases) ? testCases : []
  const methods = new Map<string, number>()
  const used = new Set<string>()
  for (const testCase of cases) {
    const own = [...new Set(methodsOf(testCase))]
    for (const method of own) used.add(method)
    // Each case counts once, so that the numbers add up.
    if (own.length > 0) methods.set(own.join(' + '), (methods.get(own.join(' + ')) ?? 0) + 1)
  }
  const [last] = runs
  return {
    id,
    name: nameOfSuite(content),
    ...(typeof description === 'string' && { description }),
    cases: cases.length,
    methods: Object.fromEntries(methods),
    version,
    savedAt,
    isExample: content.isExample,
    hasUser: [content.suite, ...cases].some(hasInstructions),
    needsJudge: scorerList.some(({ name, isJudge }) => isJudge && used.has(name)),
    runs: runs.length,
    ...(last && { lastRun: { id: last.id, startedAt: last.startedAt, ...activityOf(last.id) } }),
  }
}
