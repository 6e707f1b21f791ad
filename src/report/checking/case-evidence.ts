import { hasPassed, readPassMarks, type RunResult, type Suite, type TestCase } from '../../contract/index.ts'
import { findSuiteChanges } from '../comparing/suite-changes.ts'

/** One model on one case, over all its runs. */
export interface ModelOnCase {
  scored: number
  passed: number
  /** The texts of its answers with a score. */
  answers: string[]
}

/** What is known about a case from runs. */
export interface CaseEvidence {
  testCase: TestCase
  models: Map<string, ModelOnCase>
  /** For each answer that several judges graded: the highest grade less the lowest. */
  judgeRanges: number[]
}

export interface SuiteEvidence {
  cases: CaseEvidence[]
  models: string[]
  runs: RunResult[]
  /** Answers with a score. */
  answers: number
}

/** Gathers the answers of runs to the cases that the suite still has unchanged. */
export function gatherEvidence(suite: Suite, runs: readonly RunResult[]): SuiteEvidence {
  const cases = new Map(
    suite.testCases.map((testCase): [string, CaseEvidence] => [
      testCase.id,
      { testCase, models: new Map(), judgeRanges: [] },
    ]),
  )
  const models = new Set<string>()
  let answers = 0
  for (const { results, testSuiteSnapshot } of runs) {
    const { changed } = findSuiteChanges({ suite: testSuiteSnapshot }, { suite })
    const markOf = readPassMarks(testSuiteSnapshot ?? suite)
    for (const { testCaseId, modelId, score, response } of results) {
      const found = changed.has(testCaseId) ? undefined : cases.get(testCaseId)
      if (!found || !score) continue
      answers += 1
      models.add(modelId)
      const model = found.models.get(modelId) ?? { scored: 0, passed: 0, answers: [] }
      found.models.set(modelId, model)
      model.scored += 1
      if (hasPassed(score, markOf(testCaseId))) model.passed += 1
      if (response !== undefined) model.answers.push(response)
      for (const { judges = [] } of [score, ...(score.checks ?? [])]) {
        const grades = judges.map((verdict) => verdict.score)
        if (grades.length > 1) found.judgeRanges.push(Math.max(...grades) - Math.min(...grades))
      }
    }
  }
  return { cases: [...cases.values()], models: [...models], runs: [...runs], answers }
}

/** Whether the model passed in most of its runs. */
export function isMostlyPassed({ passed, scored }: ModelOnCase): boolean {
  return passed * 2 > scored
}

/** Whether no model passed the case in any run. */
export function isFailedByAll({ models }: CaseEvidence): boolean {
  return models.size > 0 && [...models.values()].every(({ passed }) => passed === 0)
}

/**
 * Rates from few cases are drawn towards their mean as far as chance explains their spread (empirical Bayes): otherwise
 * lucky models would look strong, and what they fail would look wrong.
 */
function shrink(rates: readonly { model: string; rate: number; n: number }[]): Map<string, number> {
  const mean = rates.reduce((sum, { rate }) => sum + rate, 0) / rates.length
  const spread = rates.reduce((sum, { rate }) => sum + (rate - mean) ** 2, 0) / Math.max(1, rates.length - 1)
  const noiseOf = (n: number) => (mean * (1 - mean)) / n
  const noise = rates.reduce((sum, { n }) => sum + noiseOf(n), 0) / rates.length
  const real = Math.max(0, spread - noise)
  return new Map(
    rates.map(({ model, rate, n }) => {
      const trust = real + noiseOf(n) === 0 ? 1 : real / (real + noiseOf(n))
      return [model, mean + trust * (rate - mean)]
    }),
  )
}

/** How a model did on cases; of repeats, their share of passes counts. */
export interface ObservedPasses {
  passed: number
  cases: number
}

interface ModelRates {
  /** As it was observed. */
  countWithout(caseId: string): Map<string, ObservedPasses>
  /** Kept off 0 and 1, so that few cases do not make certainty. */
  rateWithout(caseId: string): Map<string, number>
}

/**
 * How many of the other cases each model passes. Cases in `leftOut` do not count: what is wrong with a case says nothing
 * about a model.
 */
export function rateModels(cases: readonly CaseEvidence[], leftOut: ReadonlySet<string>): ModelRates {
  const totals = new Map<string, ObservedPasses>()
  const shares = new Map<string, Map<string, number>>()
  for (const { testCase, models } of cases) {
    const own = new Map([...models].map(([model, { passed, scored }]) => [model, passed / scored]))
    shares.set(testCase.id, own)
    if (leftOut.has(testCase.id)) continue
    for (const [model, share] of own) {
      const total = totals.get(model) ?? { passed: 0, cases: 0 }
      totals.set(model, { passed: total.passed + share, cases: total.cases + 1 })
    }
  }
  const countWithout = (caseId: string) => {
    const own = leftOut.has(caseId) ? undefined : shares.get(caseId)
    return new Map(
      Array.from(totals, ([model, { passed, cases: count }]): [string, ObservedPasses] => {
        const share = own?.get(model)
        return [model, share === undefined ? { passed, cases: count } : { passed: passed - share, cases: count - 1 }]
      }),
    )
  }
  return {
    countWithout,
    rateWithout: (caseId) =>
      shrink(
        Array.from(countWithout(caseId), ([model, { passed, cases: n }]) => ({
          model,
          rate: (passed + 0.5) / (n + 1),
          n: n + 1,
        })),
      ),
  }
}
