import type { RunResult, Suite, TestCase } from '../../contract/index.ts'
import { formatCount, formatPoints, formatStatistic, formatPercent } from '../words/numbers.ts'
import { describeCheckLimits, describeLevel } from '../words/suite-checks.ts'
import { gatherEvidence, type SuiteEvidence, type CaseEvidence } from './case-evidence.ts'
import { type Finding, quote } from './finding.ts'
import { findDisputedKeys, findFailedByAll, findFallingCases } from './model-patterns.ts'
import { findLostCases } from './lost-cases.ts'
import { findNearDuplicates } from './near-duplicates.ts'
import { measureJudgeAgreement, clopperPearsonInterval, meanOf } from '../../statistics/index.ts'
import { writeQuestions } from '../../scoring/index.ts'
import { readNumbers } from '../../scoring/text/read-numbers.ts'
import { findTemplates, readPrompts } from '../model/contestants/templates.ts'
import { joinNames } from '../words/names.ts'
import { describeVariants } from '../words/verdicts/templates.ts'

/** A larger suite has more templates than anybody reads. */
const MOST_SHOWN = 10

/** Cases that look like variants of a few templates: not wrong, but counted one by one unless they are clusters. */
interface UnnamedTemplates {
  /** The ids of cases, by template. */
  groups: string[][]
  sentence: string
  evidence: string[]
}

/**
 * The templates of a suite that names no clusters, as reports warn of them. Cases that ask the same once more are not
 * variants: they are said to be near-duplicates, and one of them can go.
 */
function findUnnamedTemplates(suite: Suite, duplicates: readonly Finding[]): UnnamedTemplates | undefined {
  const again = new Set(duplicates.map(({ caseIds }) => caseIds.at(-1)!))
  const groups = findTemplates(readPrompts([suite])).filter((ids) => ids.filter((id) => !again.has(id)).length > 1)
  if (groups.length === 0) return undefined
  const testCases = new Map(suite.testCases.map((testCase) => [testCase.id, testCase]))
  const facts = { cases: groups.flat().length, of: suite.testCases.length, templates: groups.length }
  return {
    groups,
    sentence: `${describeVariants(facts)}: counted one by one, they make every interval too narrow. Cases with the same cluster count once.`,
    evidence: groups
      .toSorted((a, b) => b.length - a.length)
      .slice(0, MOST_SHOWN)
      .map((ids) => `${joinNames(ids)}: ${quote(writeQuestions(testCases.get(ids[0]!)!, suite.variants) ?? '')}`),
  }
}

/** A longer expected output is a text that nobody writes word for word, unless the prompt has it. */
const LONGEST_EXACT = 200
const MOST_WORDS_EXACT = 20
/** Failed answers that give the expected number: from here on the method is wrong, not the answers. */
const FEWEST_SAME_NUMBERS = 2
/** Rounded decimals are the same number; whole numbers must be equal: 1968 is not 1969. */
const SAME_DECIMAL = 0.001
/** A shorter text is found inside other words. */
const SHORTEST_PART = 3

const LOOKS_LIKE_PATTERN =
  /^\/.+\/[dgimsuvy]*$|^\^.+\$$|\\[dwsb](?:[+*{]|\b)|\.[*+](?:\)|$|\S)|\(\?[:=!<]|\[[^\]\n]+\](?:[+*]|\{\d)|\([^()\n]+\|[^()\n]+\)/s
const LOOKS_LIKE_CRITERION =
  /^(?:(?:the |a good |any )?(?:answer|response|output|reply|model)s? (?:should|must|needs? to|has to|mentions?|explains?|contains?)\b|(?:should|must) (?:mention|explain|contain|include|say|describe|state|name|be)\b|(?:mentions?|explains?|describes?) (?:that|how|why|the|at least)\b)/i
const LOOKS_LIKE_CHOICES = /^[^|\n]{1,60}(?:\|[^|\n]{1,60}){1,9}$/

function isJson(text: string): boolean {
  if (!/^\s*[{[]/.test(text)) return false
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

function compile(pattern: string): RegExp | undefined {
  const written = /^\/(.+)\/([dgimsuvy]*)$/s.exec(pattern)
  try {
    return written ? new RegExp(written[1]!, written[2]) : new RegExp(pattern)
  } catch {
    return undefined
  }
}

/** Texts that no two sensible patterns have in common; so short that no pattern is slow on them. */
const ANYTHING = ['', '~', 'q0 ~']

function isProse(text: string, prompt: string): boolean {
  const isLong = text.length > LONGEST_EXACT || text.split(/\s+/).length > MOST_WORDS_EXACT
  return isLong && !prompt.includes(text)
}

/** Why the method cannot do what the expected output wants; undefined if nothing speaks against it. */
function findMismatch(method: string, expected: string, prompt: string): string | undefined {
  const text = expected.trim()
  if (method === 'regex-match') {
    const pattern = compile(text)
    return pattern && ANYTHING.every((answer) => pattern.test(answer))
      ? 'this pattern matches every answer, so every answer passes'
      : undefined
  }
  if (method !== 'exact-match' && method !== 'boolean') return undefined
  if (LOOKS_LIKE_PATTERN.test(text))
    return 'the expected output is a pattern, and is compared as plain text; regex-match reads patterns'
  if (LOOKS_LIKE_CRITERION.test(text))
    return 'the expected output describes what a good answer has, which no answer repeats word for word; llm-judge reads criteria'
  if (LOOKS_LIKE_CHOICES.test(text))
    return 'the expected output lists several answers with |, and is compared as one text; regex-match accepts any of them'
  if (method === 'exact-match') {
    if (isJson(text))
      return 'the expected output is JSON, where blanks and the order of fields do not matter; json-match compares the values'
  }
  if (isProse(text, prompt))
    return `the expected output has ${formatCount(text.split(/\s+/).length, 'word')}, which no answer repeats one by one; llm-judge compares what is meant`
  if (method === 'exact-match') return undefined
  return /^\p{L}+$/u.test(text) && text.length < SHORTEST_PART
    ? 'so short a text is found inside other words too; regex-match or multiple-choice finds it on its own'
    : undefined
}

/** Answers that failed an exact match although they give the expected number. */
function findSameNumbers({ testCase, models }: CaseEvidence): Finding[] {
  const { id, scoringMethod, expectedOutput = '' } = testCase
  const [expected, ...others] = readNumbers(expectedOutput)
  if (scoringMethod !== 'exact-match' || expected === undefined || others.length > 0) return []
  if (!/^[^\p{L}]*$/u.test(expectedOutput)) return []
  const failed = [...models].flatMap(([model, { passed, answers }]) =>
    passed === 0 ? answers.map((text) => ({ model, text })) : [],
  )
  const same = failed.filter(({ text }) => {
    const number = readNumbers(text).at(-1)
    return (
      number !== undefined &&
      Math.abs(number - expected) <= (Number.isInteger(expected) ? 0 : SAME_DECIMAL * Math.abs(expected))
    )
  })
  if (new Set(same.map(({ model }) => model)).size < FEWEST_SAME_NUMBERS) return []
  return [
    {
      kind: 'method-mismatch',
      caseIds: [id],
      sentence: `${id} is scored by exact-match, which fails ${formatCount(same.length, 'answer')} with the expected number written in another way; numeric-tolerance compares numbers.`,
      evidence: [
        `Expected output: ${quote(expectedOutput)}`,
        ...same.slice(0, 3).map(({ model, text }) => `${model}: ${quote(text)}`),
      ],
    },
  ]
}

function checkCase(testCase: TestCase): Finding[] {
  const { id, scoringMethod, expectedOutput, checks } = testCase
  const scorings = checks ?? [{ scoringMethod, expectedOutput }]
  return scorings.flatMap(({ scoringMethod: method, expectedOutput: expected }): Finding[] => {
    if (method === undefined || expected === undefined) return []
    const mismatch = findMismatch(method, expected, writeQuestions(testCase) ?? '')
    if (mismatch === undefined) return []
    return [
      {
        kind: 'method-mismatch',
        caseIds: [id],
        sentence: `${id} is scored by ${method}, which does not fit its expected output: ${mismatch}.`,
        evidence: [`Expected output: ${quote(expected)}`],
      },
    ]
  })
}

/** Scoring methods that cannot do what their expected output wants. */
function findMismatches({ cases }: SuiteEvidence): Finding[] {
  return cases.flatMap((found) => {
    const written = checkCase(found.testCase)
    return written.length > 0 ? written : findSameNumbers(found)
  })
}

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
      sentence: `${where} is too easy: all ${count} pass at least ${formatPercent(Math.floor(Math.min(...rates) * 100 + 1e-9) / 100, 0)} of it, so it can hardly tell them apart. Add harder cases.`,
      evidence: describeLevel(level.models),
    }
  if (Math.max(...rates) <= 1 - EVERY_MODEL && level.high <= 1 - SURELY)
    return {
      kind: 'floor',
      caseIds,
      sentence: `${where} is too hard: none of the ${count} passes more than ${formatPercent(Math.max(...rates), 0)} of it, so it can hardly tell them apart. Check the scoring, or add easier cases.`,
      evidence: describeLevel(level.models),
    }
  return undefined
}

/** Suites, or categories of them, that all models pass or all fail. */
function findLevels({ cases }: SuiteEvidence): Finding[] {
  const whole = findLevel(cases, 'The suite')
  if (whole) return [whole]
  const categories = Map.groupBy(cases, ({ testCase }) => testCase.metadata?.category ?? '')
  if (categories.size < 2) return []
  return [...categories].flatMap(([category, own]) => {
    const found = category === '' ? undefined : findLevel(own, `The category ${category}`)
    return found ? [{ ...found, caseIds: own.map(({ testCase }) => testCase.id) }] : []
  })
}

/** Below this the judges hardly agree on anything (Krippendorff 2004 draws no conclusions below .667). */
const AGREEMENT_FROM = 0.4
const FEWEST_ANSWERS = 10
/** On a case where judges split, every answer is graded this far apart. */
const SPLIT_FROM = 0.4
const MEAN_SPLIT_FROM = 0.5
const FEWEST_ANSWERS_A_CASE = 2

/** Judges that disagree on the whole suite, or on single cases where they agree elsewhere. */
function findJudgeSplits({ cases, runs }: SuiteEvidence): Finding[] {
  const agreement = measureJudgeAgreement(runs)
  if (!agreement) return []
  const { judges, alpha, answers, means } = agreement
  const ranges = cases.flatMap(({ judgeRanges }) => judgeRanges)
  const apart = meanOf(ranges)
  if (answers >= FEWEST_ANSWERS && alpha < AGREEMENT_FROM && apart >= SPLIT_FROM / 2)
    return [
      {
        kind: 'judges-split',
        caseIds: [],
        sentence: `The judges hardly agree on this suite: their grades are ${formatPoints(apart)} apart on average (Krippendorff's alpha ${formatStatistic(alpha)}). Say more clearly what a good answer is.`,
        evidence: [
          `${formatCount(answers, 'answer')} graded by ${judges.length} judges.`,
          ...means.map(({ judge, mean }) => `${judge}: ${formatPoints(mean)} on average`),
        ],
      },
    ]
  return cases.flatMap(({ testCase: { id }, judgeRanges }): Finding[] => {
    if (judgeRanges.length < FEWEST_ANSWERS_A_CASE || Math.min(...judgeRanges) < SPLIT_FROM) return []
    if (meanOf(judgeRanges) < MEAN_SPLIT_FROM) return []
    return [
      {
        kind: 'judges-split',
        caseIds: [id],
        sentence: `The judges split on ${id}: their grades are ${formatPoints(meanOf(judgeRanges))} apart on average, and ${formatPoints(apart)} over all cases. Say more clearly what a good answer is.`,
        evidence: [
          `${formatCount(judgeRanges.length, 'answer')}, graded ${judgeRanges.map(formatPoints).join(', ')} apart.`,
        ],
      },
    ]
  })
}

export type { Finding } from './finding.ts'

/** What is wrong with a suite, and what it was looked for in. */
export interface SuiteFindings {
  findings: Finding[]
  cases: number
  runs: number
  models: number
  /** Answers with a score, to cases that are still the same. */
  answers: number
  /** Variants of a few templates, if there are any and the suite names no clusters. */
  templates?: UnnamedTemplates
  /** What could not be checked, and what it would take. */
  notes: string[]
}

/** Checks a suite by itself and by the answers of runs. Says only what chance does not explain. */
export function checkSuite(suite: Suite, runs: readonly RunResult[]): SuiteFindings {
  const evidence = gatherEvidence(suite, runs)
  // One case, one verdict: the most precise one counts.
  const mismatches = findMismatches(evidence)
  const isMismatched = new Set(mismatches.flatMap(({ caseIds }) => caseIds))
  const disputed = findDisputedKeys(evidence, isMismatched)
  const isExplained = new Set([...isMismatched, ...disputed.flatMap(({ caseIds }) => caseIds)])
  const failed = findFailedByAll(evidence, isExplained)
  const falling = findFallingCases(evidence, isExplained)
  const duplicates = findNearDuplicates(suite)
  const templates = findUnnamedTemplates(suite, duplicates)
  const findings = [
    ...findLevels(evidence),
    ...disputed,
    ...falling,
    ...failed,
    ...findJudgeSplits(evidence),
    ...mismatches,
    ...findLostCases(suite),
    ...duplicates,
  ]
  return {
    findings,
    cases: suite.testCases.length,
    runs: runs.length,
    models: evidence.models.length,
    answers: evidence.answers,
    ...(templates && { templates }),
    notes: describeCheckLimits(evidence.models.length, evidence.answers),
  }
}
