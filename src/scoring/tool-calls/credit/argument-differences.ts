import { AcceptedValues } from './accepted-values.ts'
import { argumentSimilarity, mayBeLeftOut } from './argument-similarity.ts'
import type { Credit } from '../credit.ts'
import { detailSimilarity, effectSimilarity, pairItems } from './effect-similarity.ts'
import { isList, isJsonObject, ownValue } from '../../../contract/index.ts'

export interface ArgumentDifference {
  /** Such as `flights[0].date`. List items are numbered as in the expected list, extra ones as in the actual list. */
  path: string
  kind: 'changed' | 'missing' | 'extra'
  expected?: unknown
  actual?: unknown
}

const MAX_DIFFERENCES = 200

/** The differences that cost credit, argument by argument. */
export function findDifferences(expected: unknown, actual: unknown, credit: Credit): ArgumentDifference[] {
  const found: ArgumentDifference[] = []
  collect({ expected, actual, path: '', credit, found })
  return found
}

interface Place {
  expected: unknown
  actual: unknown
  path: string
  credit: Credit
  found: ArgumentDifference[]
}

function collect(place: Place): void {
  const { expected, actual, path, credit, found } = place
  if (found.length >= MAX_DIFFERENCES) return
  const similarity = credit === 'calls' ? argumentSimilarity : path === '' ? effectSimilarity : detailSimilarity
  if (similarity(expected, actual) === 1) return
  if (expected instanceof AcceptedValues || typeof expected !== 'object' || expected === null) {
    found.push({ path, kind: 'changed', expected, actual })
  } else if (isList(expected) && isList(actual)) collectItems({ ...place, expected, actual })
  else if (isJsonObject(expected) && isJsonObject(actual)) collectKeys({ ...place, expected, actual })
  else found.push({ path, kind: 'changed', expected, actual })
}

function collectKeys(place: Place & { expected: Record<string, unknown>; actual: Record<string, unknown> }): void {
  const { expected, actual, path, credit, found } = place
  const isGiven = (key: string) => Object.hasOwn(actual, key) && (credit === 'calls' || ownValue(actual, key) !== null)
  for (const key of Object.keys(expected)) {
    const wanted = expected[key]
    const inside = joinKey(path, key)
    if (isGiven(key)) collect({ ...place, expected: wanted, actual: ownValue(actual, key), path: inside })
    else if (!mayBeLeftOut(wanted) && !(credit === 'effects' && wanted === null))
      found.push({ path: inside, kind: 'missing', expected: wanted })
  }
  if (credit === 'calls' || path !== '') return
  for (const key of Object.keys(actual))
    if (isGiven(key) && !Object.hasOwn(expected, key))
      found.push({ path: joinKey(path, key), kind: 'extra', actual: actual[key] })
}

function collectItems(place: Place & { expected: readonly unknown[]; actual: readonly unknown[] }): void {
  const { expected, actual, path, credit, found } = place
  const partnerOf = credit === 'calls' ? bestPartners(expected, actual) : assignedPartners(expected, actual)
  expected.forEach((wanted, index) => {
    const partner = partnerOf.get(index)
    const inside = `${path}[${index}]`
    if (partner === undefined) found.push({ path: inside, kind: 'missing', expected: wanted })
    else collect({ ...place, expected: wanted, actual: actual[partner], path: inside })
  })
  if (credit === 'calls') return
  const matched = new Set(partnerOf.values())
  actual.forEach((item, index) => {
    if (!matched.has(index)) found.push({ path: `${path}[${index}]`, kind: 'extra', actual: item })
  })
}

function bestPartners(expected: readonly unknown[], actual: readonly unknown[]): Map<number, number> {
  const partners = new Map<number, number>()
  expected.forEach((wanted, index) => {
    let best = 0
    actual.forEach((item, partner) => {
      const similarity = argumentSimilarity(wanted, item)
      if (similarity <= best) return
      best = similarity
      partners.set(index, partner)
    })
    // One item on each side: "changed" reads better than "missing".
    if (best === 0 && expected.length === actual.length && expected.length === 1) partners.set(index, 0)
  })
  return partners
}

function assignedPartners(expected: readonly unknown[], actual: readonly unknown[]): Map<number, number> {
  const partners = new Map(pairItems(expected, actual).map((pair) => [pair.expectedIndex, pair.actualIndex]))
  if (expected.length === 1 && actual.length === 1) partners.set(0, 0)
  return partners
}

function joinKey(path: string, key: string): string {
  const isPlain = /^[\p{L}_$][\p{L}\p{N}_$-]*$/u.test(key)
  if (!isPlain) return `${path}[${JSON.stringify(key)}]`
  return path === '' ? key : `${path}.${key}`
}
