import type { RecordedRun } from '../../../server/trajectories/routes.ts'

export type Grade = NonNullable<RecordedRun['grade']>

type Loss = Grade['losses'][number]

/** A grade, and how what it names is found in the conversation. */
export interface GradeLinks {
  grade: Grade
  onLoss: (loss: Loss) => void
  /** The address of the step that shows it. */
  labelOf: (loss: Loss) => string | undefined
}
