import type { Suite } from '../../contract/index.ts'
import type { JudgingReport } from '../../report/model/verdict/judging.ts'
import { describeSplits } from '../../report/words/index.ts'
import type { SplitAnswer } from '../../statistics/index.ts'
import type { LoadedSelection } from './selection/load-selection.ts'

/** GET /api/results/:selection/judging: what the report says about the judges, cut to what fits into a reply. */
export interface JudgingView extends Pick<JudgingReport, 'pairwise' | 'criteria' | 'missingJudges'> {
  splits?: { sentence: string; answers: SplitAnswer[]; more: number }
  /** The run whose answers people compare. */
  voteOn?: string
}

const MAX_CRITERIA = 200
const MAX_CASES = 100
const MAX_SPLITS = 100

function isVotedOn(suite: Suite | undefined): boolean {
  return (
    suite?.testCases.some((testCase) => testCase.scoringMethod === 'pairwise' && testCase['comparedBy'] === 'people') ??
    false
  )
}

export async function createJudgingView({ results, suites, ids }: LoadedSelection): Promise<JudgingView> {
  const { pairwise, criteria, splits, missingJudges } = (await results.summary).judging
  const voted = ids[suites.findLastIndex(isVotedOn)]
  return {
    ...(pairwise && { pairwise }),
    criteria: criteria
      .slice(0, MAX_CRITERIA)
      .map((criterion) => ({ ...criterion, cases: criterion.cases.slice(0, MAX_CASES) })),
    ...(splits &&
      splits.answers.length > 0 && {
        splits: {
          sentence: describeSplits(splits),
          answers: splits.answers.slice(0, MAX_SPLITS),
          more: Math.max(0, splits.answers.length - MAX_SPLITS),
        },
      }),
    missingJudges,
    ...(voted !== undefined && { voteOn: voted }),
  }
}
