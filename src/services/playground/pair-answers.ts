import { isNotRun, selectCells, stateOf, type CellState, type ScoreTable } from '../../contract/index.ts'
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

/** One contestant of a run. */
interface Contestant {
  scores: ScoreTable
  contestant: string
}

/** Only the contestant's answers to some cases: the run may have a hundred thousand others. */
export function pickAnswers({ scores, contestant }: Contestant, caseIds: readonly string[]): ScoreTable {
  const compared = new Set(caseIds)
  const model = scores.modelIds.indexOf(contestant)
  const isCompared = scores.caseIds.map((id) => compared.has(id))
  return selectCells(
    scores,
    (cell) => scores.cells.model[cell] === model && isCompared[scores.cells.case[cell]!] === true,
  )
}

function listAnswers(scores: ScoreTable): Map<string, PairedAnswer> {
  const { cells, caseIds } = scores
  const answers = new Map<string, PairedAnswer>()
  for (const [cell, caseIndex] of cells.case.entries()) {
    if (isNotRun(scores, cell)) continue
    const state = stateOf(scores, cell)
    const scored = state === 'scored' && { score: cells.score[cell]!, passed: cells.passed[cell] === 1 }
    answers.set(caseIds[caseIndex]!, { state, ...scored })
  }
  return answers
}

/** Cases without a difference come last. */
const gapSize = ({ difference }: AnswerPair) => (difference === undefined ? -1 : Math.abs(difference))

const NAME = 'answers'

/**
 * Pairs a contestant's answers with those to the same cases after a change, even if the change is another model. A run in
 * progress is not compared: it takes a second for thousands of cases.
 */
export function pairAnswers(
  before: Contestant,
  after: Contestant & { caseIds: readonly string[] },
  { isLive = false }: { isLive?: boolean } = {},
): PairedAnswers {
  // Under one name: the change may be another model.
  const pick = (side: Contestant): ScoreTable => ({
    ...pickAnswers(side, after.caseIds),
    modelIds: side.scores.modelIds.map((id) => (id === side.contestant ? NAME : id)),
  })
  const [earlier, now] = [pick(before), pick(after)]
  const [then, since] = [listAnswers(earlier), listAnswers(now)]
  const pairs = after.caseIds.map((testCaseId): AnswerPair => {
    const old = then.get(testCaseId) ?? { state: 'skipped' }
    const fresh = since.get(testCaseId) ?? { state: isLive ? 'pending' : 'skipped' }
    const difference = old.score === undefined || fresh.score === undefined ? undefined : fresh.score - old.score
    return { testCaseId, before: old, after: fresh, ...(difference !== undefined && { difference }) }
  })
  const differences = pairs.flatMap(({ difference }) => difference ?? [])
  const [better, worse] = [
    differences.filter((difference) => difference > ROUNDING).length,
    differences.filter((difference) => difference < -ROUNDING).length,
  ]
  const comparison = isLive ? undefined : compareWithEarlier(now, earlier, [NAME]).get(NAME)
  return {
    pairs: pairs.toSorted((a, b) => gapSize(b) - gapSize(a)),
    better,
    worse,
    same: differences.length - better - worse,
    ...(comparison && { comparison }),
  }
}
