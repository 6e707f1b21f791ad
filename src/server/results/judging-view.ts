import { toScoreTable, type RunResult, type Storage } from '../../contract/index.ts'
import { buildJudging, type PairwiseReport } from '../../report/model/judging.ts'
import {
  describeIdleCriteria,
  describeMissingJudges,
  describeRankAgreement,
  describeSplits,
} from '../../report/words/index.ts'
import type { CriterionStats, SplitAnswer } from '../../statistics/index.ts'
import { notFound } from '../http/refusal.ts'
import type { LoadedSelection } from './selection/load-selection.ts'
import { shortenId } from './selection/resolve-selection.ts'

/** GET /api/results/:selection/judging: what judges judged by, and where they split. */
export interface JudgingView {
  pairwise?: Omit<PairwiseReport, 'agreement'> & { agreement?: string }
  criteria: CriterionStats[]
  /** Criteria that tell no models apart, a sentence each. */
  idle: string[]
  splits?: { sentence: string; answers: SplitAnswer[]; more: number }
  /** Judges that gave no verdict, a sentence each. */
  missing: string[]
  /** The run whose answers people compare. */
  voteOn?: string
}

const MAX_CRITERIA = 200
const MAX_CASES = 100
const MAX_SPLITS = 100

async function loadRuns({ ids }: LoadedSelection, storage: Storage): Promise<RunResult[]> {
  const runs: RunResult[] = []
  for (const id of ids) {
    const run = await storage.loadRun(id, { texts: false })
    if (!run) throw notFound(`Run ${shortenId(id)}`)
    runs.push(run)
  }
  return runs
}

function isVotedOn({ testSuiteSnapshot }: RunResult): boolean {
  return (
    testSuiteSnapshot?.testCases.some(
      (testCase) => testCase.scoringMethod === 'pairwise' && testCase['comparedBy'] === 'people',
    ) ?? false
  )
}

function toPairwiseView({ agreement, ...pairwise }: PairwiseReport): NonNullable<JudgingView['pairwise']> {
  return { ...pairwise, ...(agreement && { agreement: describeRankAgreement(agreement) }) }
}

/** Read from storage: what is kept in memory has no criteria and no comparisons. */
export async function createJudgingView(selection: LoadedSelection, storage: Storage): Promise<JudgingView> {
  const runs = await loadRuns(selection, storage)
  const { pairwise, criteria, splits, missingJudges } = buildJudging(toScoreTable(runs), [])
  const voted = runs.findLast(isVotedOn)
  return {
    ...(pairwise && { pairwise: toPairwiseView(pairwise) }),
    criteria: criteria
      .slice(0, MAX_CRITERIA)
      .map((criterion) => ({ ...criterion, cases: criterion.cases.slice(0, MAX_CASES) })),
    idle: describeIdleCriteria(criteria),
    ...(splits &&
      splits.answers.length > 0 && {
        splits: {
          sentence: describeSplits(splits),
          answers: splits.answers.slice(0, MAX_SPLITS),
          more: Math.max(0, splits.answers.length - MAX_SPLITS),
        },
      }),
    missing: describeMissingJudges(missingJudges),
    ...(voted && { voteOn: voted.id }),
  }
}
