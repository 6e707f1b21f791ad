import type { CellResult, CellState, RunResult } from '../../contract/index.ts'
import { compareWithEarlier, type ModelComparison } from '../../statistics/index.ts'

/** One side of a pair. */
interface PairedAnswer {
  state: CellState
  /** 0 to 1. */
  score?: number
  passed?: boolean
}

export interface AnswerPair {
  testCaseId: string
  before: PairedAnswer
  after: PairedAnswer
  /** After − before; absent without both scores. */
  difference?: number
}

export interface PairedAnswers {
  /** Largest changes first, then cases without a difference. */
  pairs: AnswerPair[]
  better: number
  worse: number
  same: number
  /** After against before, over the cases with both scores. */
  comparison?: ModelComparison
}

/** Scores closer than this differ only by rounding. */
const ROUNDING = 1e-9

function describeSide(result: CellResult | undefined, unfinished: 'pending' | 'skipped'): PairedAnswer {
  if (result?.score) {
    const { score, passed } = result.score
    return { state: 'scored', score, ...(passed !== undefined && { passed }) }
  }
  if (result?.unscored) return { state: 'unscored' }
  return { state: result?.error === undefined ? unfinished : 'error' }
}

/** A run with one contestant's answers to some cases, under another name. */
function pick(run: RunResult, contestant: string, name: string, isAsked: (caseId: string) => boolean): RunResult {
  const results = run.results.flatMap((result) =>
    result.modelId === contestant && isAsked(result.testCaseId) ? [{ ...result, modelId: name }] : [],
  )
  return { ...run, models: [name], results }
}

/** Cases without a difference come last. */
const sizeOf = ({ difference }: AnswerPair) => (difference === undefined ? -1 : Math.abs(difference))

const NAME = 'answers'

/**
 * Pairs a contestant's answers with those to the same cases after a change, even if the change is another model. Scores
 * must say whether they passed. A run in progress is not compared: it takes a second for thousands of cases.
 */
export function pairAnswers(
  before: { run: RunResult; contestant: string },
  after: { run: RunResult; contestant: string; caseIds: readonly string[] },
  { isLive = false }: { isLive?: boolean } = {},
): PairedAnswers {
  const asked = new Set(after.caseIds)
  const isAsked = (caseId: string) => asked.has(caseId)
  const earlier = pick(before.run, before.contestant, NAME, isAsked)
  const now = pick(after.run, after.contestant, NAME, isAsked)
  const [then, since] = [earlier, now].map(
    ({ results }) => new Map(results.map((result) => [result.testCaseId, result])),
  )
  const pairs = after.caseIds.map((testCaseId): AnswerPair => {
    const [old, fresh] = [
      describeSide(then!.get(testCaseId), 'skipped'),
      describeSide(since!.get(testCaseId), isLive ? 'pending' : 'skipped'),
    ]
    const difference = old.score === undefined || fresh.score === undefined ? undefined : fresh.score - old.score
    return { testCaseId, before: old, after: fresh, ...(difference !== undefined && { difference }) }
  })
  const differences = pairs.flatMap(({ difference }) => difference ?? [])
  const [better, worse] = [
    differences.filter((difference) => difference > ROUNDING).length,
    differences.filter((difference) => difference < -ROUNDING).length,
  ]
  const comparison = isLive ? undefined : compareWithEarlier([now], [earlier], [NAME]).get(NAME)
  return {
    pairs: pairs.toSorted((a, b) => sizeOf(b) - sizeOf(a)),
    better,
    worse,
    same: differences.length - better - worse,
    ...(comparison && { comparison }),
  }
}
