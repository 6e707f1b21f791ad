import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { INSTRUCTIONS, passMarkOfMethod, strictOptionsOf } from '../../../contract/index.ts'
import { showPoints } from './option-fields.ts'
import { listOf, textOf, type Fields } from '../suite-draft.ts'

type ScorerShape = Pick<ScorerInfo, 'name' | 'expectedOutput' | 'options'>

function optionNames(scorers: readonly ScorerShape[], method: unknown): string[] {
  return Object.keys(scorers.find(({ name }) => name === method)?.options.properties ?? {})
}

function pick(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(names.flatMap((name) => (Object.hasOwn(fields, name) ? [[name, fields[name]]] : [])))
}

function omit(fields: Fields, names: readonly string[]): Fields {
  return Object.fromEntries(Object.entries(fields).filter(([name]) => !names.includes(name)))
}

/** The checks of a case with several; those of instructions are an option of that method. */
export function checksOf(testCase: Fields): Fields[] {
  return testCase['scoringMethod'] === INSTRUCTIONS ? [] : listOf(testCase['checks'])
}

/** Turns the scoring method and its options into the first of several checks. */
export function toChecks(testCase: Fields, scorers: readonly ScorerShape[]): Fields {
  const moved = ['scoringMethod', 'expectedOutput', ...optionNames(scorers, testCase['scoringMethod'])]
  const check = pick(testCase, moved)
  return { ...omit(testCase, moved), checks: [{ scoringMethod: 'exact-match', ...check }] }
}

/** The reverse of `toChecks`, only if there is a single check, so that nothing is lost. */
export function toOneMethod(testCase: Fields): Fields {
  const checks = listOf(testCase['checks'])
  const [check] = checks
  if (check === undefined || checks.length > 1) return testCase
  return { ...omit(testCase, ['checks']), ...omit(check, ['weight']) }
}

/** Options of methods chosen before, so that switching back to a method restores them. */
export type RememberedOptions = Record<string, Fields>

/**
 * Switches the method: removes and remembers options that only the old one uses, and restores those of the new one. A
 * method chosen for the first time starts with the options for one right answer.
 */
export function changeMethod(
  fields: Fields,
  method: string,
  { scorers, remembered }: { scorers: readonly ScorerShape[]; remembered: RememberedOptions },
): { fields: Fields; remembered: RememberedOptions } {
  const oldMethod = fields['scoringMethod']
  const newOptions = new Set(optionNames(scorers, method))
  const removed = optionNames(scorers, oldMethod).filter((name) => !newOptions.has(name))
  return {
    fields: { ...(remembered[method] ?? strictOptionsOf(method)), ...omit(fields, removed), scoringMethod: method },
    remembered: typeof oldMethod === 'string' ? { ...remembered, [oldMethod]: pick(fields, removed) } : remembered,
  }
}

/** A case, its checks and the checks of its groups. */
function listScored(testCase: Fields): Fields[] {
  return [testCase, ...listOf(testCase['checks']).flatMap(listScored)]
}

/** Which models scoring the case asks: these requests cost money. */
export function findGraders(
  testCase: Fields,
  scorers: readonly Pick<ScorerInfo, 'name' | 'isJudge' | 'isEmbedding'>[],
): { judge: boolean; embeddings: boolean } {
  const methods = new Set(listScored(testCase).map(({ scoringMethod }) => scoringMethod))
  const used = scorers.filter(({ name }) => methods.has(name))
  return { judge: used.some(({ isJudge }) => isJudge), embeddings: used.some(({ isEmbedding }) => isEmbedding) }
}

export function takesToolCalls(testCase: Fields): boolean {
  return [testCase, ...listOf(testCase['checks'])].some(({ scoringMethod }) => scoringMethod === 'tool-calls')
}

const always = [
  'id',
  'prompt',
  'scoringMethod',
  'weight',
  'passAt',
  'cluster',
  'metadata.category',
  'metadata.difficulty',
  'metadata.tags',
  'vars',
]

function scoringFieldNames(fields: Fields, scorers: readonly ScorerShape[]): string[] {
  const scorer = scorers.find(({ name }) => name === fields['scoringMethod'])
  return [
    'scoringMethod',
    ...(scorer?.expectedOutput === 'unused' ? [] : ['expectedOutput']),
    ...optionNames(scorers, fields['scoringMethod']),
  ]
}

/** Every field of a case that is in the form, named as by `placeOf`; other problems are shown above the form. */
export function shownFields(testCase: Fields, scorers: readonly ScorerShape[]): Set<string> {
  const turns = listOf(testCase['messages']).map((_, index) => `messages.${index}`)
  const checks = checksOf(testCase)
  const scored =
    checks.length > 0
      ? checks.flatMap((check, index) =>
          [...scoringFieldNames(check, scorers), 'weight', 'passAt'].map((name) => `checks.${index}.${name}`),
        )
      : scoringFieldNames(testCase, scorers)
  return new Set([...always, ...turns, ...scored])
}

/** Unknown fields: left unchanged, but listed so that a misspelt one is noticed. */
export function otherFields(testCase: Fields, scorers: readonly ScorerShape[]): string[] {
  const known = new Set([
    'id',
    'prompt',
    'messages',
    'expectedOutput',
    'scoringMethod',
    'checks',
    'weight',
    'passAt',
    'cluster',
    'metadata',
    'vars',
    ...optionNames(scorers, testCase['scoringMethod']),
  ])
  return Object.keys(testCase).filter((name) => !known.has(name))
}

/** A wrong answer that the case's options would give credit, and the option that gives it none. */
export interface WrongAnswer {
  response: string
  remedy: { label: string; option: string; value: unknown }
}

/** An answer that names the expected output only to reject it; undefined if the options give it nothing. */
export function findWrongAnswer({ scoringMethod, expectedOutput, partial, answer }: Fields): WrongAnswer | undefined {
  const expected = textOf(expectedOutput).trim()
  if (expected === '' || expected.length > 200) return undefined
  if (scoringMethod === 'exact-match' && partial !== false)
    return {
      response: `It is not ${expected}, it is ${expected === 'Paris' ? 'Lyon' : 'something else'}`,
      remedy: { label: 'Give no partial credit', option: 'partial', value: false },
    }
  const number = Number(expected)
  if (scoringMethod === 'numeric-tolerance' && answer !== 'last' && Number.isFinite(number))
    return {
      response: `It is not ${expected}, it is ${2 * number + 1}`,
      remedy: { label: 'Count only the last number', option: 'answer', value: 'last' },
    }
  return undefined
}

/** The pass mark of a case that sets none, in points. */
export function describeDefaultMark(testCase: Fields, suitePassAt: unknown): string {
  if (typeof suitePassAt === 'number') return `${showPoints(suitePassAt)}, from the suite`
  if (checksOf(testCase).length > 0) return 'each check its own'
  return showPoints(passMarkOfMethod(textOf(testCase['scoringMethod'])))
}
