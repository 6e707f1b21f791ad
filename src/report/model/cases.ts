import {
  hasPassed,
  readCluster,
  readPassMark,
  readPassMarks,
  type CellResult,
  type PassMark,
  type RunResult,
  type Suite,
  type TestCase,
} from '../../contract/index.ts'
import { writeExpected, writeQuestions } from '../../scoring/index.ts'
import { meanOf } from '../../statistics/index.ts'

/** One model's answers to one case, one per run. */
export interface ReportCell {
  modelId: string
  /** Mean over the runs in which the cell has a score; absent if there is none. */
  mean?: number
  /** How many of its answers passed. */
  passed: number
  answers: ReportAnswer[]
}

export interface ReportAnswer extends CellResult {
  runId: string
  /** From 1. */
  runNumber: number
  /** Whether it reached the pass mark in its run; absent if it has no score. */
  passed?: boolean
}

export interface ReportCase {
  id: string
  /** The prompt, or the turns of a conversation; for variants with their own prompts, the prompt of each. */
  prompt?: string
  expectedOutput?: string
  /** `exact-match`, or the methods of its checks. */
  methods: string[]
  weight: number
  /** What an answer must reach to pass: a score, or one for each check. */
  passMark: PassMark
  /** Cases with the same one count as one. */
  cluster?: string
  category?: string
  difficulty?: string
  tags: string[]
  /** In the order of the leaderboard. */
  cells: ReportCell[]
}

function makeReportCase(
  id: string,
  testCase: TestCase | undefined,
  { suite, cells }: { suite: Suite | undefined; cells: ReportCell[] },
): ReportCase {
  if (!testCase) return { id, methods: [], weight: 1, passMark: 1, tags: [], cells }
  const { scoringMethod, checks, weight, metadata } = testCase
  const cluster = readCluster(testCase, suite?.clusterBy)
  const [prompt, expectedOutput] = [writeQuestions(testCase, suite?.variants), writeExpected(testCase)]
  return {
    id,
    ...(prompt !== undefined && { prompt }),
    ...(expectedOutput !== undefined && { expectedOutput }),
    methods: scoringMethod === undefined ? (checks ?? []).map((check) => check.scoringMethod) : [scoringMethod],
    weight,
    passMark: readPassMark(testCase, suite?.passAt),
    ...(cluster !== undefined && { cluster }),
    ...(metadata?.category !== undefined && { category: metadata.category }),
    ...(metadata?.difficulty !== undefined && { difficulty: metadata.difficulty }),
    tags: metadata?.tags ?? [],
    cells,
  }
}

function makeCell(modelId: string, answers: ReportAnswer[]): ReportCell {
  const scores = answers.flatMap(({ score }) => (score ? [score.score] : []))
  if (scores.length === 0) return { modelId, passed: 0, answers }
  return { modelId, mean: meanOf(scores), passed: answers.filter(({ passed }) => passed).length, answers }
}

/** The suite of the last run that has one. */
export function findSuite(runs: readonly RunResult[]): Suite | undefined {
  return runs.findLast(({ testSuiteSnapshot }) => testSuiteSnapshot)?.testSuiteSnapshot
}

/** Ids in suite order, followed by those that occur only in results. */
function listCaseIds(runs: RunResult[], suite: Suite | undefined): Set<string> {
  const ids = new Set<string>()
  for (const { id } of suite?.testCases ?? []) ids.add(id)
  for (const { results } of runs) for (const { testCaseId } of results) ids.add(testCaseId)
  return ids
}

export function listCases(runs: RunResult[], suite: Suite | undefined, models: string[]): ReportCase[] {
  const answersOf = new Map<string, Map<string, ReportAnswer[]>>()
  runs.forEach(({ id: runId, results, testSuiteSnapshot }, index) => {
    const markOf = readPassMarks(testSuiteSnapshot)
    for (const result of results) {
      const byModel = answersOf.get(result.testCaseId) ?? new Map<string, ReportAnswer[]>()
      answersOf.set(result.testCaseId, byModel)
      const answers = byModel.get(result.modelId) ?? []
      byModel.set(result.modelId, answers)
      const { score, testCaseId } = result
      answers.push({
        ...result,
        runId,
        runNumber: index + 1,
        ...(score && { passed: hasPassed(score, markOf(testCaseId)) }),
      })
    }
  })
  const testCases = new Map((suite?.testCases ?? []).map((testCase) => [testCase.id, testCase]))
  return Array.from(listCaseIds(runs, suite), (id) =>
    makeReportCase(id, testCases.get(id), {
      suite,
      cells: models.map((modelId) => makeCell(modelId, answersOf.get(id)?.get(modelId) ?? [])),
    }),
  )
}
