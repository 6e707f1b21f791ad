import { writeSorted } from '../../../contract/index.ts'
import { changesSomething } from '../credit/effectful-tools.ts'
import { isFailedCall } from '../credit/failed-reply.ts'
import type { Fault } from './losses.ts'
import {
  gradeTrajectory,
  isExplained,
  type GradeOptions,
  type TrajectoryGrade,
  type TrajectoryKey,
} from './grade-trajectory.ts'
import { listCalls, type Trajectory } from './trajectory.ts'

/** So many contestants do not make the same mistake by chance. */
const ENOUGH = 3

/**
 * Grades runs together: a task at which at least three models fail with the same effects, and more than pass it, has a
 * doubtful key (K6).
 */
export function gradeTrajectories(
  trajectories: readonly Trajectory[],
  key?: TrajectoryKey | undefined,
  options: GradeOptions = {},
): TrajectoryGrade[] {
  const graded = trajectories.map((trajectory) => ({
    grade: gradeTrajectory(trajectory, key, options),
    effects: listEffects(trajectory),
  }))
  const byTask = Map.groupBy(
    graded.filter(({ grade }) => grade.task !== null && grade.passed !== null),
    ({ grade }) => grade.task,
  )
  const doubtful = new Map<TrajectoryGrade, Fault>()
  for (const own of byTask.values()) {
    const passing = countModels(own.filter(({ grade }) => grade.passed))
    const failed = own.filter(({ grade, effects }) => !grade.passed && effects !== '')
    for (const alike of Map.groupBy(failed, ({ effects }) => effects).values()) {
      const models = countModels(alike)
      if (models.size < ENOUGH || models.size <= passing.size) continue
      const fault: Fault = { cause: 'key', rule: 'K6', evidence: [...models].join(', ') }
      for (const { grade } of alike) doubtful.set(grade, fault)
    }
  }
  return graded.map(({ grade }) => {
    const fault = doubtful.get(grade)
    if (!fault) return grade
    const losses = grade.losses.map((loss) => (loss.fault.cause === 'agent' ? { ...loss, fault } : loss))
    return { ...grade, losses, excused: grade.excused || isExplained(losses) }
  })
}

const countModels = (list: readonly { grade: TrajectoryGrade }[]): Set<string> =>
  new Set(list.flatMap(({ grade }) => grade.model ?? []))

/** What the agent changed, in any order; empty if nothing. */
function listEffects(trajectory: Trajectory): string {
  return listCalls(trajectory)
    .filter((call) => changesSomething(call.name) && !isFailedCall(call))
    .map(({ name, arguments: given }) => `${name} ${writeSorted(given)}`)
    .toSorted()
    .join('\n')
}
