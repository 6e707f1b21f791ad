import type { PairedComparison } from '../../../statistics/paired-comparison.ts'
import { rankBySignificance, type RankRange } from '../../../statistics/ranking/ranks.ts'
import { comparePairs } from '../comparison.ts'
import type { FaultCause } from './losses.ts'
import type { TrajectoryGrade } from './grade-trajectory.ts'
import { measureTrajectory } from './compare-trajectories.ts'
import type { Trajectory } from './trajectory.ts'

/** A graded run, with what its model did in it. */
export interface GradedTrajectory {
  grade: TrajectoryGrade
  calls: number
}

export function gradedOf(trajectory: Trajectory, grade: TrajectoryGrade): GradedTrajectory {
  return { grade, calls: measureTrajectory(trajectory).calls ?? 0 }
}

export interface GradedModel {
  model: string
  rank: RankRange | undefined
  /** The mean over tasks, with the trials of each averaged; `null` if nothing could be graded. */
  score: number | null
  passed: number
  graded: number
  unscored: number
  /** The same without the runs whose failure is not the agent’s. */
  withoutExcused: { score: number | null; passed: number; graded: number }
  /** Runs left out there, by who caused it; those that have no score too. */
  excused: Partial<Record<FaultCause, number>>
  /** Calls per run. */
  calls: number
}

interface GradePair {
  modelA: string
  modelB: string
  paired: PairedComparison | null
}

export interface GradeSummary {
  tasks: number
  /** The best first. */
  models: GradedModel[]
  pairs: GradePair[]
}

const NO_MODEL = 'unknown'

/** Scores by model, compared task by task. */
export function summariseGrades(runs: readonly GradedTrajectory[]): GradeSummary {
  const byModel = Map.groupBy(runs, ({ grade }) => grade.model ?? NO_MODEL)
  const models = [...byModel].map(([model, own]): GradedModel => {
    const graded = own.filter(({ grade }) => grade.score !== null)
    return {
      model,
      rank: undefined,
      score: meanByTask(graded.map(({ grade }) => grade)),
      passed: graded.filter(({ grade }) => grade.passed).length,
      graded: graded.length,
      unscored: own.length - graded.length,
      ...leaveOutExcused(own.map(({ grade }) => grade)),
      calls: own.reduce((sum, { calls }) => sum + calls, 0) / own.length,
    }
  })
  const ordered = models.toSorted((a, b) => (b.score ?? -1) - (a.score ?? -1))
  const files = ordered.map(({ model }) => ({
    name: model,
    rows: (byModel.get(model) ?? []).map(({ grade }) => ({ taskId: grade.task ?? grade.file, score: grade.score })),
  }))
  const pairs = comparePairs(files, { measure: 'score', valueOf: ({ score }) => score }).map(
    ({ a, b, paired }): GradePair => ({ modelA: a, modelB: b, paired }),
  )
  const beats = (a: string, b: string): boolean =>
    pairs.some(({ modelA, modelB, paired }) => {
      if (!paired?.isSignificant) return false
      return paired.meanDiff > 0 ? modelA === a && modelB === b : modelA === b && modelB === a
    })
  const ranks = rankBySignificance(
    ordered.filter(({ score }) => score !== null).map(({ model }) => model),
    beats,
  )
  return {
    tasks: new Set(runs.map(({ grade }) => grade.task ?? grade.file)).size,
    models: ordered.map((model) => ({ ...model, rank: ranks.get(model.model) })),
    pairs,
  }
}

function leaveOutExcused(grades: readonly TrajectoryGrade[]): Pick<GradedModel, 'withoutExcused' | 'excused'> {
  const kept = grades.filter(({ score, excused }) => score !== null && !excused)
  const excused: Partial<Record<FaultCause, number>> = {}
  for (const grade of grades) {
    if (!grade.excused) continue
    const cause = grade.fault?.cause ?? findMainCause(grade)
    excused[cause] = (excused[cause] ?? 0) + 1
  }
  return {
    withoutExcused: {
      score: meanByTask(kept),
      passed: kept.filter(({ passed }) => passed).length,
      graded: kept.length,
    },
    excused,
  }
}

/** The first cause: what follows from it need not have happened otherwise. */
const findMainCause = ({ losses }: TrajectoryGrade): FaultCause => losses[0]?.fault.cause ?? 'agent'

function meanByTask(grades: readonly TrajectoryGrade[]): number | null {
  const byTask = [...Map.groupBy(grades, ({ task, file }) => task ?? file).values()]
  const means = byTask.map((own) => own.reduce((sum, { score }) => sum + (score ?? 0), 0) / own.length)
  return means.length === 0 ? null : means.reduce((sum, mean) => sum + mean, 0) / means.length
}
