import type { Problem } from '../../contract/index.ts'

/** Where a problem belongs: a case or the suite, and a field of its form. `''` is the whole case or suite. */
export interface Place {
  caseIndex: number | undefined
  field: string
}

type Rest = readonly (string | number)[]

/** A list such as tags or expected calls is one field; messages, checks and variants have their own fields. */
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

const placeKey = ({ caseIndex, field }: Place) => `${caseIndex ?? ''}:${field}`

export interface ProblemLookup {
  /** All problems of one field, as one text. */
  at(caseIndex: number | undefined, field: string): string | undefined
  countIn(caseIndex: number | undefined): number
  /** Problems of a case or the suite whose field is not in the form. */
  outside(caseIndex: number | undefined, shown: ReadonlySet<string>): Problem[]
}

export function lookUpProblems(problems: readonly Problem[]): ProblemLookup {
  const placed = problems.map((problem) => ({ problem, place: placeOf(problem.path) }))
  const byField = Map.groupBy(placed, ({ place }) => placeKey(place))
  const byCase = Map.groupBy(placed, ({ place }) => place.caseIndex)
  return {
    at(caseIndex, field) {
      const found = byField.get(placeKey({ caseIndex, field }))
      return found && [...new Set(found.map(({ problem }) => sentence(problem.message)))].join(' ')
    },
    countIn: (caseIndex) => byCase.get(caseIndex)?.length ?? 0,
    outside: (caseIndex, shown) =>
      (byCase.get(caseIndex) ?? []).filter(({ place }) => !shown.has(place.field)).map(({ problem }) => problem),
  }
}

/** Turns a message that normally follows a path into a sentence of its own. */
export function sentence(message: string): string {
  const text = message.charAt(0).toUpperCase() + message.slice(1)
  return /[.!?…]$/.test(text) ? text : `${text}.`
}

/** A place in words: `checks.1.weight` of case `paris` becomes `paris · checks 2 weight`. */
export function describePlace({ caseIndex, field }: Place, caseIds: readonly string[]): string {
  const parts = field.split('.').map((part) => (/^\d+$/.test(part) ? `${Number(part) + 1}` : part))
  const inWords = field === '' ? '' : parts.join(' ')
  if (caseIndex === undefined) return inWords === '' ? 'The suite' : inWords
  const id = caseIds[caseIndex] || `case ${caseIndex + 1}`
  return inWords === '' ? id : `${id} · ${inWords}`
}
