import { countTestable, reversedOrderP, smallestReversedP } from '../../statistics/index.ts'
import { readNumbers } from '../../scoring/text/read-numbers.ts'
import { joinWords } from '../words/names.ts'
import { describeChance, describeModelsOnCase } from '../words/suite-checks.ts'
import {
  isFailedByAll,
  isMostlyPassed,
  rateModels,
  type CaseEvidence,
  type ObservedPasses,
  type SuiteEvidence,
} from './case-evidence.ts'
import { quote, type Finding } from './finding.ts'

/** Of the findings of a kind, at most this share by chance. */
const MOST_BY_CHANCE = 0.1
/** Fewer for the order of models, which rests on estimated strengths. */
const MOST_ORDERS_BY_CHANCE = 0.04
/** That all models fail a case is a fact worth knowing, also if it is chance now and then. */
const MOST_FAILURES_BY_CHANCE = 0.25
/** Suites have hard cases: all models must be this unlikely to fail one, whatever others they fail. */
const LIKELY_FAILURE = 0.02

/** Fewer models in common with other cases say nothing about a case. */
const FEWEST_MODELS = 2
const FEWEST_MODELS_FOR_ORDER = 3
/** A model that passes fewer of the other cases is no witness against one. */
const ABLE_FROM = 0.6
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

/**
 * What chance does not explain, by Benjamini and Hochberg: one case that looks wrong among many may be chance where
 * several are not.
 */
function keepUnexplained<Candidate extends { chance: number }>(
  candidates: readonly Candidate[],
  { tests, share }: { tests: number; share: number },
): Candidate[] {
  const chances = candidates.map(({ chance }) => chance).toSorted((a, b) => a - b)
  const last = chances.findLastIndex((chance, index) => chance * tests <= share * (index + 1))
  return last < 0 ? [] : candidates.filter(({ chance }) => chance <= chances[last]!)
}

/** Cases that say nothing about models: those that all fail, and those that are wrong for another reason. */
function findUseless(cases: readonly CaseEvidence[], leftOut: ReadonlySet<string>): Set<string> {
  return new Set([...leftOut, ...cases.filter(isFailedByAll).map(({ testCase }) => testCase.id)])
}

/** Cases that every model fails, although these models pass most others. */
export function findFailedByAll({ cases }: SuiteEvidence, leftOut: ReadonlySet<string>): Finding[] {
  // These cases do not count against the models: otherwise several of them would hide each other.
  const useless = findUseless(cases, leftOut)
  const useful = cases.filter(({ testCase }) => !useless.has(testCase.id))
  if (useful.length < FEWEST_CASES) return []
  const { countWithout, rateWithout } = rateModels(cases, useless)
  const failed = cases.flatMap((found) => {
    if (!isFailedByAll(found) || leftOut.has(found.testCase.id) || found.models.size < FEWEST_MODELS) return []
    const rates = rateWithout(found.testCase.id)
    const chance = [...found.models.keys()].reduce((p, model) => p * (1 - (rates.get(model) ?? 0)), 1)
    const isAnyAble = [...found.models.keys()].some((model) => (rates.get(model) ?? 0) >= ABLE_FROM)
    return isAnyAble && chance <= LIKELY_FAILURE ? [{ found, chance }] : []
  })
  const tests = useful.length + failed.length
  return keepUnexplained(failed, { tests, share: MOST_FAILURES_BY_CHANCE }).map(({ found, chance }): Finding => {
    const { id } = found.testCase
    return {
      kind: 'all-fail',
      caseIds: [id],
      sentence: `No model passes ${id}: all ${found.models.size} fail it, although the best of them pass most other cases. Check its expected output and its scoring.`,
      evidence: [
        ...describeModelsOnCase(found, countWithout(id)),
        `Chance that they all fail a case like the others: ${describeChance(chance)}.`,
      ],
    }
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

/** The models near the best, the best first; at least two, of those that are able at all. */
function findGoodModels(rates: Rates, models: Iterable<string>): string[] {
  const able = [...models].filter((model) => (rates.get(model) ?? 0) >= ABLE_FROM)
  const ranked = able.toSorted((a, b) => rates.get(b)! - rates.get(a)!)
  const best = rates.get(ranked[0] ?? '') ?? 0
  return ranked.filter((model, index) => index < FEWEST_MODELS || rates.get(model)! >= best - NEAR_THE_BEST)
}

interface Dispute {
  found: CaseEvidence
  /** The good models that agree, the best first. */
  agreeing: string[]
  chance: number
}

/** The best models that are wrong in the same way, if they are most of the good ones and none of those is right. */
function findDispute(found: CaseEvidence, rates: Rates): Dispute | undefined {
  const { expectedOutput = '', scoringMethod = '' } = found.testCase
  const good = findGoodModels(rates, found.models.keys())
  if (good.length < FEWEST_MODELS || good.some((model) => found.models.get(model)!.passed > 0)) return undefined
  const answers = good.map((model) => agreedAnswer(found.models.get(model)!.answers, expectedOutput))
  const [answer] = answers
  if (answer === undefined || answer === simplify(expectedOutput, expectedOutput)) return undefined
  const agreeing = good.filter((_, index) => answers[index] === answer)
  // The two best must be among them: others may be wrong in ways of their own.
  if (agreeing[1] !== good[1] || agreeing.length * 2 <= good.length) return undefined
  const same = FEW_ANSWERS.has(scoringMethod) ? SAME_WRONG_CHOICE : SAME_WRONG_ANSWER
  const chance = good.reduce((p, model) => p * (1 - rates.get(model)!), 1) * same ** (agreeing.length - 1)
  return { found, agreeing, chance }
}

/** Cases on which the good models are wrong in the same way: the key may be. */
export function findDisputedKeys({ cases }: SuiteEvidence, leftOut: ReadonlySet<string>): Finding[] {
  const useless = findUseless(cases, leftOut)
  if (cases.filter(({ testCase }) => !useless.has(testCase.id)).length < FEWEST_CASES) return []
  const { countWithout, rateWithout } = rateModels(cases, useless)
  const keyed = cases.filter(
    ({ testCase: { id, checks, expectedOutput, scoringMethod = '' } }) =>
      !leftOut.has(id) && !checks && expectedOutput !== undefined && HAS_KEY.has(scoringMethod),
  )
  const disputes = keyed.flatMap((found) => findDispute(found, rateWithout(found.testCase.id)) ?? [])
  return keepUnexplained(disputes, { tests: keyed.length, share: MOST_BY_CHANCE }).map(
    ({ found, agreeing, chance }): Finding => {
      const { id, expectedOutput = '' } = found.testCase
      const written = found.models.get(agreeing[0]!)!.answers[0]!
      return {
        kind: 'key-disputed',
        caseIds: [id],
        sentence: `The best models agree against the key of ${id}: ${joinWords(agreeing)} answer ${quote(written)} where ${quote(expectedOutput)} is expected. The key may be wrong.`,
        evidence: [
          ...describeModelsOnCase(found, countWithout(id)),
          `Chance that they are all wrong in the same way: ${describeChance(chance)}.`,
        ],
      }
    },
  )
}

/** Cases that weak models pass and strong ones fail. */
export function findFallingCases({ cases }: SuiteEvidence, leftOut: ReadonlySet<string>): Finding[] {
  const ignored = findUseless(cases, leftOut)
  const informative = cases.filter(({ testCase, models }) => {
    const passed = [...models.values()].filter(isMostlyPassed).length
    return !ignored.has(testCase.id) && models.size >= FEWEST_MODELS_FOR_ORDER && passed > 0 && passed < models.size
  })
  const found = new Map<string, Finding>()
  // A reversed case makes good models look worse: once one is found, the others are looked at again without it.
  for (let before = -1; found.size > before;) {
    before = found.size
    const { countWithout, rateWithout } = rateModels(cases, new Set([...ignored, ...found.keys()]))
    const tested = informative.map((candidate) => {
      const rates = rateWithout(candidate.testCase.id)
      const models = [...candidate.models].filter(([model]) => rates.has(model))
      const passes = models.map(([model, own]) => ({ passed: isMostlyPassed(own), rate: rates.get(model)! }))
      const isAbleOneFailing = passes.some(({ passed, rate }) => !passed && rate >= ABLE_FROM)
      return {
        candidate,
        chance: isAbleOneFailing ? reversedOrderP(passes) : 1,
        smallest: smallestReversedP(passes),
      }
    })
    const tests = countTestable(
      tested.map(({ smallest }) => smallest),
      MOST_ORDERS_BY_CHANCE,
    )
    const testable = tested.filter(({ smallest }) => smallest * tests <= MOST_ORDERS_BY_CHANCE)
    for (const { candidate, chance } of keepUnexplained(testable, { tests, share: MOST_ORDERS_BY_CHANCE }))
      found.set(candidate.testCase.id, makeFallFinding(candidate, countWithout(candidate.testCase.id), chance))
  }
  return [...found.values()]
}

function makeFallFinding(found: CaseEvidence, others: ReadonlyMap<string, ObservedPasses>, p: number): Finding {
  const { id } = found.testCase
  const named = (isAmong: boolean) =>
    joinWords([...found.models].flatMap(([model, own]) => (isMostlyPassed(own) === isAmong ? [model] : [])))
  return {
    kind: 'falls',
    caseIds: [id],
    sentence: `Better models do worse on ${id}: ${named(true)} pass it, ${named(false)} fail it. Its key or its scoring may be wrong.`,
    evidence: [...describeModelsOnCase(found, others), `Chance of such an order: ${describeChance(p)}.`],
  }
}
