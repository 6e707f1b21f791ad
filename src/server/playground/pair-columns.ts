import { pairAnswers, type PairedAnswers } from '../../services/playground/pair-answers.ts'
import { restoreRuns, type Columns } from '../results/selection/run-columns.ts'

/** A run's contestant before a change, and the run that asked again. */
export interface PairJob {
  before: Columns
  contestant: string
  after: Columns
  /** Not while the run is in progress: it takes a second for thousands of cases. */
  isCompared: boolean
}

/** The ids of the cases that a run asks. */
export function listAskedCases({ runs, caseIds }: Columns): string[] {
  return Array.from(runs[0]!.asked, (index) => caseIds[index]!)
}

export function pairColumns({ before, contestant, after, isCompared }: PairJob): PairedAnswers {
  const [earlier] = restoreRuns(before)
  const [now] = restoreRuns(after)
  return pairAnswers(
    { run: earlier!, contestant },
    { run: now!, contestant: after.modelIds[0] ?? '', caseIds: listAskedCases(after) },
    { isCompared },
  )
}
