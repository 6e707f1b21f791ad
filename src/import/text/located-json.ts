import { InputError, suiteTextFields, isRecord } from '../../contract/index.ts'
import { JsonPlaces, describeRepeated, findRepeatedKey } from './json-places.ts'
import { MAX_LOCATED_PARTS, refuseDeepJson, refuseWideJson } from './nesting.ts'

/** A parsed document that can say where in the file a value is. */
export interface LocatedDocument {
  value: unknown
  /** `file:line:column` of the value at a path, or of its nearest parent. */
  locate(path: readonly PropertyKey[]): string
}

type ReadSource = (path: readonly PropertyKey[]) => string | undefined

/** Where a suite expects text, `"expectedOutput": 1.50` means the characters 1.50. */
function keepAsWritten(value: unknown, names: readonly string[], readSource: ReadSource): void {
  const [name, ...rest] = names
  if (name === undefined || !isRecord(value) || !Object.hasOwn(value, name)) return
  const held = value[name]
  if (rest.length === 0 && (typeof held === 'number' || typeof held === 'boolean'))
    value[name] = readSource([name]) ?? String(held)
  else if (Array.isArray(held))
    for (const [index, item] of held.entries()) keepAsWritten(item, rest, (path) => readSource([name, index, ...path]))
}

/** Parses JSON; returns `undefined` for any other text. */
export function parseLocatedJson(text: string, file: string): LocatedDocument | undefined {
  if (!/^\s*[{[]/.test(text)) return undefined
  refuseWideJson(text, `${file}: the document`, MAX_LOCATED_PARTS)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  refuseDeepJson(value, text, { file })
  let places: JsonPlaces | undefined
  const readPlaces = () => (places ??= new JsonPlaces(text))
  const repeated = findRepeatedKey(text, value)
  if (repeated) throw new InputError(`${file}:${readPlaces().describe(repeated.offset)}: ${describeRepeated(repeated)}`)
  for (const names of suiteTextFields) keepAsWritten(value, names, (path) => readPlaces().source(path))
  return {
    value,
    locate(path) {
      const found = readPlaces()
      return `${file}:${found.describe(found.find(path))}`
    },
  }
}
