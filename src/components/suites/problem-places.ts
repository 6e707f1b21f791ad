import type { Problem } from '../../contract/index.ts'

/** Where on the screen a problem belongs: a case or the suite, and the field of its form. `''` is the whole of it. */
export interface Place {
  caseIndex: number | undefined
  field: string
}

type Rest = readonly (string | number)[]

/** A list inside a field (a tag, an expected call) is edited as one field; turns, checks and variants have fields of their own. */
function fieldOf([first, second, third, fourth]: Rest): string {
  if (first === undefined) return ''
  const inList = typeof second === 'number'
  if (first === 'messages' && inList) return `messages.${second}`
  if (first === 'checks' && inList) return third === undefined ? `checks.${second}` : `checks.${second}.${third}`
  if (first === 'metadata' && second !== undefined) return `metadata.${second}`
  if (first === 'variants' && inList)
    return ['variants', second, third, third === 'parameters' ? fourth : undefined]
      .filter((part) => part !== undefined)
      .join('.')
  return String(first)
}

export function placeOf(path: Rest): Place {
  const [first, second, ...rest] = path
  if (first === 'testCases' && typeof second === 'number') return { caseIndex: second, field: fieldOf(rest) }
  return { caseIndex: undefined, field: fieldOf(path) }
}

const keyOf = ({ caseIndex, field }: Place) => `${caseIndex ?? ''}:${field}`

export interface ProblemLookup {
  /** Everything wrong with one field, as one text. */
  at(caseIndex: number | undefined, field: string): string | undefined
  countIn(caseIndex: number | undefined): number
  /** Problems of a case or the suite whose field the form does not show. */
  outside(caseIndex: number | undefined, shown: ReadonlySet<string>): Problem[]
}

export function lookUpProblems(problems: readonly Problem[]): ProblemLookup {
  const placed = problems.map((problem) => ({ problem, place: placeOf(problem.path) }))
  const byField = Map.groupBy(placed, ({ place }) => keyOf(place))
  const byCase = Map.groupBy(placed, ({ place }) => place.caseIndex)
  return {
    at(caseIndex, field) {
      const found = byField.get(keyOf({ caseIndex, field }))
      return found && [...new Set(found.map(({ problem }) => sentence(problem.message)))].join(' ')
    },
    countIn: (caseIndex) => byCase.get(caseIndex)?.length ?? 0,
    outside: (caseIndex, shown) =>
      (byCase.get(caseIndex) ?? []).filter(({ place }) => !shown.has(place.field)).map(({ problem }) => problem),
  }
}

/** Messages are written to follow a path; alone they begin with a capital and end with a stop. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** `messages.0`, `checks.1.weight` in words: where a problem is, for the list of all. */
export function describePlace({ caseIndex, field }: Place, caseIds: readonly string[]): string {
  const parts = field.split('.').map((part) => (/^\d+$/.test(part) ? `${Number(part) + 1}` : part))
  const inWords = field === '' ? '' : parts.join(' ')
  if (caseIndex === undefined) return inWords === '' ? 'The suite' : inWords
  const id = caseIds[caseIndex] || `case ${caseIndex + 1}`
  return inWords === '' ? id : `${id} · ${inWords}`
}
