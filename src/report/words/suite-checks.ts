import type { CaseEvidence, ObservedPasses } from '../checking/case-evidence.ts'
import { formatCount, formatPercent } from './numbers.ts'

/** What a check of a suite looked at. */
export function listChecked({ cases, runs, models, answers }: Record<'cases' | 'runs' | 'models' | 'answers', number>) {
  if (runs === 0) return [formatCount(cases, 'case')]
  return [
    formatCount(cases, 'case'),
    formatCount(runs, 'run'),
    formatCount(models, 'model'),
    formatCount(answers, 'scored answer'),
  ]
}

/** What to do about templates; undefined if there are none. */
export function adviseClusters(
  name: string,
  { format }: { format?: string },
  groups: readonly unknown[],
): string | undefined {
  if (groups.length === 0) return undefined
  if (format === 'suite')
    return `Next: keep these groups in the file, as the cluster of each case: benchmaker check ${name} --keep-clusters`
  return 'Next: give the cases of a group the same cluster, or name the field that groups them: clusterBy.'
}

/** What was written into a suite's file. */
export function describeKept(name: string, groups: readonly (readonly string[])[]): string {
  if (groups.length === 0) return `No groups to keep: ${name} stays as it is.`
  const cases = groups.reduce((sum, { length }) => sum + length, 0)
  return `Wrote the clusters of ${formatCount(cases, 'case')} in ${formatCount(groups.length, 'group')} into ${name}.`
}

/** How many cases each model passes, the best model first. */
export function describeLevel(models: readonly { model: string; rate: number; cases: number }[]): string[] {
  return models
    .toSorted((a, b) => b.rate - a.rate)
    .map(({ model, rate, cases }) => `${model}: passes ${formatPercent(rate)} of ${formatCount(cases, 'case')}`)
}

/** What could not be checked, and what it would take. */
export function describeCheckLimits(models: number, answers: number): string[] {
  if (answers === 0) return ['No runs of these cases: only the suite itself was checked, not how models do on it.']
  if (models < 2) return ['Only one model: wrong keys, ceilings and floors show when several models are compared.']
  if (models < 4)
    return [`Only ${formatCount(models, 'model')}: with four or more, wrong keys are easier to tell from hard cases.`]
  return []
}

export function describeChance(p: number): string {
  return p < 1e-6 ? 'less than 1 in a million' : `about 1 in ${formatCount(Math.round(1 / p))}`
}

/** How each model did on a case and on all others, the best model first. */
export function describeModelsOnCase({ models }: CaseEvidence, others: ReadonlyMap<string, ObservedPasses>): string[] {
  const shareOf = (model: string) => {
    const { passed, cases } = others.get(model) ?? { passed: 0, cases: 0 }
    return cases === 0 ? 0 : passed / cases
  }
  return [...models]
    .toSorted(([a], [b]) => shareOf(b) - shareOf(a))
    .map(([model, { passed, scored }]) => {
      const count = others.get(model)?.cases ?? 0
      const elsewhere =
        count === 0 ? 'no other cases' : `${formatPercent(shareOf(model))} of ${formatCount(count)} other cases`
      return `${model}: ${passed} of ${scored} passed here, ${elsewhere}`
    })
}
