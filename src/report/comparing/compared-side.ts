import type { RunResult } from '../../contract/index.ts'

/** The runs of one side: a run, or the runs of a series. */
export interface ComparedSide {
  runs: RunResult[]
  /** Default: all models of the runs. */
  models?: readonly string[]
}
