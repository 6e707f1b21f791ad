import { clopperPearsonInterval } from '../../statistics/index.ts'
import { formatCount, formatPercent } from '../words/numbers.ts'
import type { CaseEvidence, SuiteEvidence } from './case-evidence.ts'
import type { Finding } from './finding.ts'

/** Every model at least here, and all together surely above `SURELY`: too easy. The mirror image is too hard. */
const EVERY_MODEL = 0.9
const SURELY = 0.85
const FEWEST_MODELS = 2
const FEWEST_CASES = 5

interface Level {
  models: { model: string; rate: number; cases: number }[]
  /** An interval of the pass rate of all models together. */
  low: number
  high: number
}

function measureLevel(cases: readonly CaseEvidence[]): Level | undefined {
  const totals = new Map<string, { passed: number; cases: number }>()
  for (const { models } of cases)
    for (const [model, { passed, scored }] of models) {
      const total = totals.get(model) ?? { passed: 0, cases: 0 }
      totals.set(model, { passed: total.passed + passed / scored, cases: total.cases + 1 })
    }
  const models = [...totals].map(([model, total]) => ({ model, rate: total.passed / total.cases, cases: total.cases }))
  if (models.length < FEWEST_MODELS || models.some(({ cases: n }) => n < FEWEST_CASES)) return undefined
  const all = models.reduce((sum, { cases: n }) => sum + n, 0)
  const passed = models.reduce((sum, { rate, cases: n }) => sum + rate * n, 0)
  const { low, high } = clopperPearsonInterval(passed, all)
  return { models, low, high }
}

function describeLevel({ models }: Level): string[] {
  return models
    .toSorted((a, b) => b.rate - a.rate)
    .map(({ model, rate, cases }) => `${model}: passes ${formatPercent(rate)} of ${formatCount(cases, 'case')}`)
}

function findLevel(cases: readonly CaseEvidence[], where: string): Finding | undefined {
  const level = measureLevel(cases)
  if (!level) return undefined
  const rates = level.models.map(({ rate }) => rate)
  const count = formatCount(level.models.length, 'model')
  const caseIds: string[] = []
  if (Math.min(...rates) >= EVERY_MODEL && level.low >= SURELY)
    return {
      kind: 'ceiling',
      caseIds,
      sentence: `${where} is too easy: all ${count} pass at least ${formatPercent(Math.min(...rates), 0)} of it, so it can hardly tell them apart. Add harder cases.`,
      evidence: describeLevel(level),
    }
  if (Math.max(...rates) <= 1 - EVERY_MODEL && level.high <= 1 - SURELY)
    return {
      kind: 'floor',
      caseIds,
      sentence: `${where} is too hard: none of the ${count} passes more than ${formatPercent(Math.max(...rates), 0)} of it, so it can hardly tell them apart. Check the scoring, or add easier cases.`,
      evidence: describeLevel(level),
    }
  return undefined
}

/** Suites, or categories of them, that all models pass or all fail. */
export function findLevels({ cases }: SuiteEvidence): Finding[] {
  const whole = findLevel(cases, 'The suite')
  if (whole) return [whole]
  const categories = Map.groupBy(cases, ({ testCase }) => testCase.metadata?.category ?? '')
  if (categories.size < 2) return []
  return [...categories].flatMap(([category, own]) => {
    const found = category === '' ? undefined : findLevel(own, `The category ${category}`)
    return found ? [{ ...found, caseIds: own.map(({ testCase }) => testCase.id) }] : []
  })
}
