import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { listOf, type Fields } from '../suite-draft.ts'

type Known = Pick<ScorerInfo, 'name' | 'expectedOutput' | 'options'>

function optionNames(scorers: readonly Known[], method: unknown): string[] {
  return Object.keys(scorers.find(({ name }) => name === method)?.options.properties ?? {})
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])))
}

function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** One scoring method becomes the first of several checks; its options go with it. */
export function toChecks(testCase: Fields, scorers: readonly Known[]): Fields {
  const moved = ['scoringMethod', 'expectedOutput', ...optionNames(scorers, testCase['scoringMethod'])]
  const check = pick(testCase, moved)
  return { ...omit(testCase, moved), checks: [{ scoringMethod: 'exact-match', ...check }] }
}

/** The other way: only when a single check is left, so that nothing is lost. */
export function toOneMethod(testCase: Fields): Fields {
  const checks = listOf(testCase['checks'])
  const [check] = checks
  if (check === undefined || checks.length > 1) return testCase
  return { ...omit(testCase, ['checks']), ...omit(check, ['weight']) }
}

/** Options set for methods that were chosen before, so that trying another method and going back loses nothing. */
export type RememberedOptions = Record<string, Fields>

/** Another method: options that only the old one reads are taken out and remembered, those set for the new one come back. */
export function changeMethod(
  fields: Fields,
  method: string,
  { scorers, remembered }: { scorers: readonly Known[]; remembered: RememberedOptions },
): { fields: Fields; remembered: RememberedOptions } {
  const old = fields['scoringMethod']
  const mine = new Set(optionNames(scorers, method))
  const left = optionNames(scorers, old).filter((name) => !mine.has(name))
  return {
    fields: { ...remembered[method], ...omit(fields, left), scoringMethod: method },
    remembered: typeof old === 'string' ? { ...remembered, [old]: pick(fields, left) } : remembered,
  }
}

export function needsJudge(testCase: Fields, scorers: readonly (Known & Pick<ScorerInfo, 'isJudge'>)[]): boolean {
  const methods = new Set([testCase, ...listOf(testCase['checks'])].map(({ scoringMethod }) => scoringMethod))
  return scorers.some(({ name, isJudge }) => isJudge && methods.has(name))
}

export function takesToolCalls(testCase: Fields): boolean {
  return [testCase, ...listOf(testCase['checks'])].some(({ scoringMethod }) => scoringMethod === 'tool-calls')
}

const always = [
  'id',
  'prompt',
  'scoringMethod',
  'weight',
  'metadata.category',
  'metadata.difficulty',
  'metadata.tags',
  'vars',
]

function shownOf(fields: Fields, scorers: readonly Known[]): string[] {
  const scorer = scorers.find(({ name }) => name === fields['scoringMethod'])
  return [
    'scoringMethod',
    ...(scorer?.expectedOutput === 'unused' ? [] : ['expectedOutput']),
    ...optionNames(scorers, fields['scoringMethod']),
  ]
}

/** Every field of a case that the form has a place for, as `placeOf` names them; problems elsewhere are shown above the form. */
export function shownFields(testCase: Fields, scorers: readonly Known[]): Set<string> {
  const turns = listOf(testCase['messages']).map((_, index) => `messages.${index}`)
  const checks = listOf(testCase['checks'])
  const scored =
    checks.length > 0
      ? checks.flatMap((check, index) =>
          [...shownOf(check, scorers), 'weight'].map((name) => `checks.${index}.${name}`),
        )
      : shownOf(testCase, scorers)
  return new Set([...always, ...turns, ...scored])
}

/** Fields that nothing here reads: kept as they are, and named so that a misspelt one is seen. */
export function otherFields(testCase: Fields, scorers: readonly Known[]): string[] {
  const known = new Set([
    'id',
    'prompt',
    'messages',
    'expectedOutput',
    'scoringMethod',
    'checks',
    'weight',
    'metadata',
    'vars',
    ...optionNames(scorers, testCase['scoringMethod']),
  ])
  return Object.keys(testCase).filter((name) => !known.has(name))
}
