import { isRecord, strictOptionsOf } from '../../contract/index.ts'
import { describeVariables } from '../../report/words/index.ts'

/** A suite being edited, as plain JSON. Fields that the editor does not know are left untouched and in order. */
export type Fields = Record<string, unknown>

export type Path = readonly (string | number)[]

export function listOf(value: unknown): Fields[] {
  return Array.isArray(value) ? value.filter(isRecord) : []
}

export function readCases(suite: Fields): Fields[] {
  return listOf(suite['testCases'])
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : value === undefined || value === null ? '' : JSON.stringify(value)
}

function setItem(value: unknown, path: Path, next: unknown): unknown {
  const [key, ...rest] = path
  if (key === undefined) return next
  if (typeof key === 'string') return setIn(isRecord(value) ? value : {}, [key, ...rest], next)
  const list: unknown[] = Array.isArray(value) ? [...value] : []
  const changed = setItem(list[key], rest, next)
  if (changed === undefined) list.splice(key, 1)
  else list[key] = changed
  return list
}

/** A copy with one value changed; `undefined` removes the field or the item. Keys keep their order. */
export function setIn(fields: Fields, path: readonly [string, ...Path], next: unknown): Fields {
  const [key, ...rest] = path
  const changed = setItem(fields[key], rest, next)
  const { [key]: current, ...others } = fields
  if (changed === undefined) return others
  return current === undefined ? { ...others, [key]: changed } : { ...fields, [key]: changed }
}

/** Removes `metadata` along with its last field. */
export function setMetadata(testCase: Fields, name: string, next: unknown): Fields {
  const changed = setIn(testCase, ['metadata', name], next)
  return isRecord(changed['metadata']) && Object.keys(changed['metadata']).length === 0
    ? setIn(changed, ['metadata'], undefined)
    : changed
}

/** An unused id: the preferred one, or that with the first free number. */
export function freshId(cases: readonly Fields[], preferred: string): string {
  const taken = new Set(cases.map(({ id }) => id))
  if (!taken.has(preferred)) return preferred
  const stem = preferred.replace(/-\d+$/, '')
  let number = 2
  while (taken.has(`${stem}-${number}`)) number += 1
  return `${stem}-${number}`
}

function withCases(suite: Fields, testCases: Fields[]): Fields {
  return { ...suite, testCases }
}

export function insertCases(suite: Fields, index: number, added: readonly Fields[]): Fields {
  return withCases(suite, readCases(suite).toSpliced(index, 0, ...added))
}

export function removeCase(suite: Fields, index: number): Fields {
  return withCases(suite, readCases(suite).toSpliced(index, 1))
}

export function moveCase(suite: Fields, from: number, to: number): Fields {
  const cases = readCases(suite)
  const moved = cases[from]
  if (moved === undefined || to < 0 || to >= cases.length) return suite
  return withCases(suite, cases.toSpliced(from, 1).toSpliced(to, 0, moved))
}

export function changeCase(suite: Fields, index: number, change: (testCase: Fields) => Fields): Fields {
  return withCases(
    suite,
    readCases(suite).map((testCase, at) => (at === index ? change(testCase) : testCase)),
  )
}

/** A blank case with the scoring method of its neighbour, for a question with one right answer. */
export function blankCase(cases: readonly Fields[], neighbour?: Fields): Fields {
  const neighbourMethod = neighbour?.['scoringMethod']
  const scoringMethod = typeof neighbourMethod === 'string' ? neighbourMethod : 'exact-match'
  return {
    id: freshId(cases, `case-${cases.length + 1}`),
    prompt: '',
    scoringMethod,
    ...strictOptionsOf(scoringMethod),
  }
}

export function duplicateCase(suite: Fields, index: number): Fields {
  const cases = readCases(suite)
  const original = cases[index]
  if (original === undefined) return suite
  return insertCases(suite, index + 1, [
    { ...structuredClone(original), id: freshId(cases, `${textOf(original['id'])}-2`) },
  ])
}

/** Appends cases and renames ids that are already in use. */
export function addCases(suite: Fields, added: readonly Fields[]): Fields {
  return added.reduce<Fields>((result, testCase) => {
    const cases = readCases(result)
    return insertCases(result, cases.length, [
      { ...testCase, id: freshId(cases, textOf(testCase['id']) || `case-${cases.length + 1}`) },
    ])
  }, suite)
}

/** Gives the cases of each group a cluster, named after its first case. Cases that have one keep it. */
export function keepGroups(suite: Fields, groups: readonly (readonly string[])[]): Fields {
  const clusterOf = new Map<unknown, string>(groups.flatMap((ids) => ids.map((id) => [id, ids[0]!])))
  return withCases(
    suite,
    readCases(suite).map((testCase) => {
      const cluster = clusterOf.get(testCase['id'])
      return cluster === undefined || textOf(testCase['cluster']).trim() !== '' ? testCase : { ...testCase, cluster }
    }),
  )
}

export function blankSuite(): Fields {
  return { name: 'Untitled suite', testCases: [blankCase([])] }
}

/**
 * The index of the case to show. The address names it by id, but while ids are edited two can be equal or one empty;
 * then the last index stays selected.
 */
export function findSelected(cases: readonly Fields[], wantedId: string | null, last: number): number {
  const stay = Math.max(0, Math.min(last, cases.length - 1))
  if (wantedId === null || cases[stay]?.['id'] === wantedId) return stay
  const found = cases.findIndex(({ id }) => id === wantedId)
  return found === -1 ? stay : found
}

/** The start of the prompt, for lists; the variables of a case without a prompt. */
export function titleOf({ prompt, messages, vars, turns, user }: Fields): string {
  const spoken = prompt ?? listOf(turns)[0]?.['user'] ?? (isRecord(user) ? user['instructions'] : undefined)
  if (typeof spoken === 'string') return spoken.slice(0, 200)
  const last = listOf(messages).findLast(({ role }) => role === 'user') ?? listOf(messages).at(-1)
  if (last === undefined) return describeVariables(vars).slice(0, 200)
  if (typeof last['content'] === 'string') return last['content'].slice(0, 200)
  return listOf(last['content'])
    .map(({ text, type }) => (type === 'image' ? '[image]' : textOf(text).slice(0, 200)))
    .join(' ')
}

export function methodsOf({ scoringMethod, checks }: Fields): string[] {
  return [scoringMethod, ...listOf(checks).map((check) => check['scoringMethod'])].filter(
    (name) => typeof name === 'string',
  )
}

/** Indexes of the cases with every word in their id, texts, category or tags. */
export function searchCases(cases: readonly Fields[], search: string): number[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean)
  return [...cases.keys()].filter((index) => {
    if (words.length === 0) return true
    const { id, prompt, messages, vars, expectedOutput, metadata } = cases[index]!
    const text = [id, prompt, messages, vars, expectedOutput, metadata, ...methodsOf(cases[index]!)]
      .map(textOf)
      .join('\n')
      .toLowerCase()
    return words.every((word) => text.includes(word))
  })
}
