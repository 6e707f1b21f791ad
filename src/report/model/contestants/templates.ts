import { readCluster, type RunResult, type ScoreTable, type Suite, type TestCase } from '../../../contract/index.ts'
import { writeQuestions } from '../../../scoring/index.ts'
import { detectClusters, type ModelComparison } from '../../../statistics/index.ts'
import { describeTemplates } from '../../words/verdicts/templates.ts'
import type { ReportRow } from '../standings/report-row.ts'

/** Comparing more text than this takes longer than a reader of a report wants to wait: then nothing is said. */
const MOST_CHARACTERS = 2_000_000
/** Fewer cases than this share are chance: 2 in 250 unrelated ones. */
const LEAST_SHARE = 0.1

/** What each case asks, by its id. */
export type Prompts = ReadonlyMap<string, string>

/** What cases look like if they are variants of a few templates that nobody named as clusters: a warning. */
export interface TemplateWarning {
  /** How many cases look like a variant of another one. */
  cases: number
  /** Of this many. */
  of: number
  templates: number
  /** How many verdicts there are, counted by case as everywhere in the report. */
  verdicts: number
  /** The verdicts that would no longer hold if the cases of a template counted as one. */
  lost: { modelA: string; modelB: string }[]
  /** The 95 % CI of each mean, counted by template. */
  scores: { modelId: string; low: number; high: number }[]
  sentence: string
}

/** What two cases show in a picture cannot be compared by words. */
function hasPicture({ messages = [] }: TestCase): boolean {
  return messages.some(({ content }) => typeof content !== 'string' && content.some(({ type }) => type === 'image'))
}

const isNamed = ({ testCases, clusterBy }: Suite) =>
  testCases.some((testCase) => readCluster(testCase, clusterBy) !== undefined)

/** The prompts of the suites of runs, as they are sent; none if a suite names clusters, or if they are too long. */
export function readPrompts(suites: readonly (Suite | undefined)[]): Prompts {
  const known = [...new Set(suites)].filter((suite) => suite !== undefined)
  const prompts = new Map<string, string>()
  if (known.some(isNamed)) return prompts
  let room = MOST_CHARACTERS
  // The newest suite says what a case asks.
  for (const { testCases, variants } of known.toReversed())
    for (const testCase of testCases) {
      if (prompts.has(testCase.id)) continue
      const prompt = hasPicture(testCase) ? '' : (writeQuestions(testCase, variants) ?? '')
      prompts.set(testCase.id, prompt)
      if ((room -= prompt.length) < 0) return new Map()
    }
  return prompts
}

export function readRunPrompts(runs: readonly Pick<RunResult, 'testSuiteSnapshot'>[]): Prompts {
  return readPrompts(runs.map(({ testSuiteSnapshot }) => testSuiteSnapshot))
}

export function countCharacters(prompts: Prompts): number {
  return [...prompts.values()].reduce((sum, { length }) => sum + length, 0)
}

/**
 * The ids of cases that look like variants of one template, by template. What more than half of the cases have is the
 * suite's form, also if they ask the same word for word: what differs is then not in the prompt.
 */
export function findTemplates(prompts: Prompts): string[][] {
  const ids = [...prompts.keys()]
  const clusters = detectClusters([...prompts.values()])
  const groups = Map.groupBy(ids.keys(), (index) => clusters[index]!)
  return [...groups.values()]
    .filter(({ length }) => length > 1 && length <= ids.length / 2)
    .map((own) => own.map((index) => ids[index]!))
}

type CountByTemplate = (table: ScoreTable) => ScoreTable

/** The same scores, with each template as a cluster. */
function createCount(templates: readonly (readonly string[])[]): CountByTemplate {
  const templateOf = new Map(templates.flatMap((ids, index) => ids.map((id) => [id, index])))
  return (table) => ({
    ...table,
    clusters: Int32Array.from(table.caseIds, (id) => templateOf.get(id) ?? -1),
    clusterIds: templates.map((_, index) => String(index)),
  })
}

/** The ids of the cases in which some model has a score. */
export function listScored({ cells, caseIds }: ScoreTable): Set<string> {
  const scored = new Set<number>()
  for (let cell = 0; cell < cells.case.length; cell++)
    if (!Number.isNaN(cells.score[cell])) scored.add(cells.case[cell]!)
  return new Set(Array.from(scored, (index) => caseIds[index]!))
}

type Compared = readonly (ModelComparison | undefined)[]

interface Counted {
  /** The cases that the report is about. */
  cases: ReadonlySet<string>
  /** Empty where nothing is to be found: in a suite that names its clusters, or is too large. */
  prompts: Prompts | undefined
  /** Counted by case. */
  comparisons: Compared
  /** The same pairs in the same order, counted by template. */
  compare: (countByTemplate: CountByTemplate) => Compared
  /** The leaderboard counted by template, if one is shown. */
  rank?: (countByTemplate: CountByTemplate) => readonly Pick<ReportRow, 'modelId' | 'score'>[]
}

/** Templates among the cases, and what the report would say if each counted once; it changes no value. */
export function weighTemplates({ cases, prompts, comparisons, compare, rank }: Counted): TemplateWarning | undefined {
  if (!prompts || prompts.size === 0) return undefined
  const templates = findTemplates(prompts)
    .map((ids) => ids.filter((id) => cases.has(id)))
    .filter(({ length }) => length > 1)
  const variants = templates.reduce((sum, { length }) => sum + length, 0)
  if (variants === 0 || variants < LEAST_SHARE * cases.size) return undefined
  const countByTemplate = createCount(templates)
  const isDecided = (comparison: ModelComparison | undefined) => comparison?.paired?.isSignificant === true
  // What is too close to call by case stays so: clusters only widen an interval.
  const counted = comparisons.some(isDecided) ? compare(countByTemplate) : []
  const decided = comparisons.flatMap((comparison, index) =>
    comparison && isDecided(comparison) ? [{ comparison, holds: isDecided(counted[index]) }] : [],
  )
  const rows = rank ? rank(countByTemplate) : []
  const facts = {
    cases: variants,
    of: cases.size,
    templates: templates.length,
    verdicts: decided.length,
    lost: decided.flatMap(({ comparison: { modelA, modelB }, holds }) => (holds ? [] : [{ modelA, modelB }])),
    scores: rows.flatMap(({ modelId, score }) => (score ? [{ modelId, low: score.low, high: score.high }] : [])),
  }
  return { ...facts, sentence: describeTemplates(facts, comparisons) }
}
