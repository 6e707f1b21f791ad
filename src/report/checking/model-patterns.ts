import { countTestable, reversedOrderP, smallestReversedP } from '../../statistics/index.ts'
import { readNumbers } from '../../scoring/text/read-numbers.ts'
import { joinWords } from '../words/names.ts'
import { formatCount, formatPercent } from '../words/numbers.ts'
import { isFailedByAll, isPassed, rateModels, type CaseEvidence, type SuiteEvidence } from './case-evidence.ts'
import { quote, type Finding } from './finding.ts'

/** Over all cases together, at most this many findings of a kind by chance. */
const MOST_BY_CHANCE = 0.05
/** Fewer for the order of models, which rests on estimated strengths. */
const MOST_ORDERS_BY_CHANCE = 0.02

/** Fewer models in common with other cases say nothing about a case. */
const FEWEST_MODELS = 2
const FEWEST_MODELS_FOR_ORDER = 4
/** A case is judged by how its models do on others: with fewer of those, nothing is said. */
const FEWEST_CASES = 5

/** How often two models that are both wrong give the same answer, at most, where answers are free. */
const SAME_WRONG_ANSWER = 0.25
/** The same where there are few answers to choose from. */
const SAME_WRONG_CHOICE = 0.5

const FEW_ANSWERS: ReadonlySet<string> = new Set(['multiple-choice', 'boolean'])

/** Methods whose expected output is the answer itself. */
const HAS_KEY: ReadonlySet<string> = new Set([
  'exact-match',
  'numeric-tolerance',
  'boolean',
  'multiple-choice',
  'json-match',
  'none',
])

type Rates = ReadonlyMap<string, number>

function describeChance(p: number): string {
  return p < 1e-6 ? 'less than 1 in a million' : `about 1 in ${formatCount(Math.round(1 / p))}`
}

function describeModels({ models }: CaseEvidence, rates: Rates): string[] {
  return [...models]
    .toSorted(([a], [b]) => (rates.get(b) ?? 0) - (rates.get(a) ?? 0))
    .map(
      ([model, { passed, scored }]) =>
        `${model}: ${passed} of ${scored} passed here, ${formatPercent(rates.get(model) ?? 0)} of the other cases`,
    )
}

/** Cases that every model fails, although these models pass most others. */
export function findFailedByAll({ cases }: SuiteEvidence): Finding[] {
  // These cases do not count against the models: otherwise several of them would hide each other.
  const failed = cases.filter(isFailedByAll)
  if (cases.length - failed.length < FEWEST_CASES) return []
  const { rateWithout } = rateModels(cases, new Set(failed.map(({ testCase }) => testCase.id)))
  return failed.flatMap((found): Finding[] => {
    const rates = rateWithout(found.testCase.id)
    const chance = [...found.models.keys()].reduce((p, model) => p * (1 - (rates.get(model) ?? 0)), 1)
    if (found.models.size < FEWEST_MODELS || chance * cases.length > MOST_BY_CHANCE) return []
    const { id } = found.testCase
    return [
      {
        kind: 'all-fail',
        caseIds: [id],
        sentence: `No model passes ${id}: all ${found.models.size} fail it, although they pass most other cases. Check its expected output and its scoring.`,
        evidence: [
          ...describeModels(found, rates),
          `Chance that they all fail a case like the others: ${describeChance(chance)}.`,
        ],
      },
    ]
  })
}

const LEAD_IN =
  /^(?:so |therefore |thus )?(?:the )?(?:final |correct |right )?(?:answer|result|solution)(?: is)?(?: the)? /

/** An answer as far as it matters for being the same: its number if the key is one, its letter, else its words. */
function simplify(answer: string, key: string): string {
  if (readNumbers(key).length === 1 && /^[^\p{L}]*$/u.test(key)) {
    const last = readNumbers(answer).at(-1)
    if (last !== undefined) return String(last)
  }
  const lines = answer.normalize('NFKC').trim().split('\n')
  const text = `${lines
    .at(-1)!
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}\s]+/gu, ' ')
    .trim()} `
    .replace(LEAD_IN, '')
    .trim()
  if (!/^\P{L}*[A-Z]\P{L}*$/u.test(key)) return text
  return /^([a-z])\b/.exec(text)?.[1] ?? text
}

const LONGEST_ANSWER = 200

/** The one answer that the model gave in all its runs; undefined if they differ or are too long to be the same. */
function agreedAnswer(answers: readonly string[], key: string): string | undefined {
  const different = new Set(answers.map((answer) => simplify(answer, key)))
  const [only] = different
  return different.size === 1 && only !== '' && only!.length <= LONGEST_ANSWER ? only : undefined
}

/** How far below the best a model may be to be good too. */
const NEAR_THE_BEST = 0.2

/** The models near the best, the best first; at least two, of those that pass most other cases. */
function findGoodModels(rates: Rates, models: Iterable<string>): string[] {
  const able = [...models].filter((model) => (rates.get(model) ?? 0) > 0.5)
  const ranked = able.toSorted((a, b) => rates.get(b)! - rates.get(a)!)
  const best = rates.get(ranked[0] ?? '') ?? 0
  return ranked.filter((model, index) => index < FEWEST_MODELS || rates.get(model)! >= best - NEAR_THE_BEST)
}

/** Cases on which the good models are wrong in the same way: the key may be. */
export function findDisputedKeys({ cases }: SuiteEvidence): Finding[] {
  const failed = new Set(cases.filter(isFailedByAll).map(({ testCase }) => testCase.id))
  if (cases.length - failed.size < FEWEST_CASES) return []
  const { rateWithout } = rateModels(cases, failed)
  return cases.flatMap((found): Finding[] => {
    const { id, expectedOutput, scoringMethod = '', checks } = found.testCase
    if (checks || expectedOutput === undefined || !HAS_KEY.has(scoringMethod)) return []
    const rates = rateWithout(id)
    const good = findGoodModels(rates, found.models.keys())
    if (good.length < FEWEST_MODELS || good.some((model) => found.models.get(model)!.passed > 0)) return []
    const answers = good.map((model) => agreedAnswer(found.models.get(model)!.answers, expectedOutput))
    const [answer] = answers
    if (answer === undefined || answers.some((other) => other !== answer)) return []
    if (answer === simplify(expectedOutput, expectedOutput)) return []
    const same = FEW_ANSWERS.has(scoringMethod) ? SAME_WRONG_CHOICE : SAME_WRONG_ANSWER
    const chance = good.reduce((p, model) => p * (1 - rates.get(model)!), 1) * same ** (good.length - 1)
    if (chance * cases.length > MOST_BY_CHANCE) return []
    const written = found.models.get(good[0]!)!.answers[0]!
    return [
      {
        kind: 'key-disputed',
        caseIds: [id],
        sentence: `The best models agree against the key of ${id}: ${joinWords(good)} answer ${quote(written)} where ${quote(expectedOutput)} is expected. The key may be wrong.`,
        evidence: [
          ...describeModels(found, rates),
          `Chance that they are all wrong in the same way: ${describeChance(chance)}.`,
        ],
      },
    ]
  })
}

/** Cases that weak models pass and strong ones fail. */
export function findFallingCases({ cases }: SuiteEvidence, leftOut: ReadonlySet<string>): Finding[] {
  const ignored = new Set([...leftOut, ...cases.filter(isFailedByAll).map(({ testCase }) => testCase.id)])
  const informative = cases.filter(({ testCase, models }) => {
    const passed = [...models.values()].filter(isPassed).length
    return !ignored.has(testCase.id) && models.size >= FEWEST_MODELS_FOR_ORDER && passed > 0 && passed < models.size
  })
  const found = new Map<string, Finding>()
  // A reversed case makes good models look worse: once one is found, the others are looked at again without it.
  for (let before = -1; found.size > before;) {
    before = found.size
    const { rateWithout } = rateModels(cases, new Set([...ignored, ...found.keys()]))
    const tested = informative.map((candidate) => {
      const rates = rateWithout(candidate.testCase.id)
      const models = [...candidate.models].filter(([model]) => rates.has(model))
      const passes = models.map(([model, own]) => ({ passed: isPassed(own), rate: rates.get(model)! }))
      return { candidate, rates, p: reversedOrderP(passes), smallest: smallestReversedP(passes) }
    })
    const count = countTestable(
      tested.map(({ smallest }) => smallest),
      MOST_ORDERS_BY_CHANCE,
    )
    for (const { candidate, rates, p } of tested)
      if (p * count <= MOST_ORDERS_BY_CHANCE) found.set(candidate.testCase.id, describeFall(candidate, rates, p))
  }
  return [...found.values()]
}

function describeFall(found: CaseEvidence, rates: Rates, p: number): Finding {
  const { id } = found.testCase
  const named = (isAmong: boolean) =>
    joinWords([...found.models].flatMap(([model, own]) => (isPassed(own) === isAmong ? [model] : [])))
  return {
    kind: 'falls',
    caseIds: [id],
    sentence: `Better models do worse on ${id}: ${named(true)} pass it, ${named(false)} fail it. Its key or its scoring may be wrong.`,
    evidence: [...describeModels(found, rates), `Chance of such an order: ${describeChance(p)}.`],
  }
}
