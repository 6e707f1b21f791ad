/**
 * How often a breakdown names a winner in some group though the models are equal: by our rule, by each group's verdict
 * without a correction, and by a plain paired t test in each group.
 */
import type { RunResult } from '../../src/contract/index.ts'
import { compareGroups, createRandom, pairedTTest } from '../../src/statistics/index.ts'
import type { Rates } from './real-suites.ts'

export interface GroupSetting {
  groups: number
  /** In each group. */
  cases: number
  isPassFail: boolean
  models?: number
  replications: number
}

export function measureGroups(setting: GroupSetting): Rates {
  const { groups, cases, isPassFail, models = 2, replications } = setting
  const random = createRandom(`groups ${JSON.stringify(setting)}`)
  const names = Array.from({ length: models }, (_, model) => `m${model}`)
  const members = Array.from({ length: groups }, (_, group) =>
    Array.from({ length: cases }, (_case, index) => group * cases + index),
  )
  const counts = { ours: 0, plain: 0, pairedT: 0 }
  for (let i = 0; i < replications; i++) {
    // A case is hard or easy for all models.
    const levels = Array.from({ length: groups * cases }, () => random())
    const draw = (level: number) =>
      isPassFail ? (random() < (random() < 0.5 ? level : 0.6) ? 1 : 0) : 0.5 * level + 0.5 * random()
    const scores = names.map(() => levels.map(draw))
    const run: RunResult = {
      id: 'run',
      models: names,
      results: levels.flatMap((_, index) =>
        names.map((modelId, model) => ({
          testCaseId: `c${index}`,
          modelId,
          score: { score: scores[model]![index]! },
        })),
      ),
    }
    const pairs = compareGroups(run, members).groups.flatMap((group) => group.pairs)
    const differences = members.flatMap((own) =>
      scores.flatMap((a, first) => scores.slice(first + 1).map((b) => own.map((index) => a[index]! - b[index]!))),
    )
    if (pairs.some(({ isSignificant }) => isSignificant)) counts.ours++
    if (pairs.some(({ verdictP, clusters }) => clusters >= 6 && verdictP < 0.05)) counts.plain++
    if (differences.some((own) => pairedTTest(own).pValue < 0.05)) counts.pairedT++
  }
  return {
    ours: counts.ours / replications,
    plain: counts.plain / replications,
    pairedT: counts.pairedT / replications,
  }
}
