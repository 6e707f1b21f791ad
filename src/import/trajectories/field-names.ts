import { isJsonObject } from '../../contract/index.ts'
import { field } from '../tool-results/formats/fields.ts'

/** `$.metadata.task_id` points at a field of a file. */
export const isFieldPath = (text: string): boolean => /^\$\.\S/.test(text)

/** What a field says of each of the file’s trajectories: of its own record, or of the only one the first record that has it. */
export function readFieldOf(records: Iterable<unknown>, path: string, count: number): (string | undefined)[] {
  const names = path.slice(2).split('.')
  const found: (string | undefined)[] = []
  for (const record of eachRecord(records)) {
    const value = names.reduce<unknown>((holder, name) => field(holder, name), record)
    const said =
      typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean' ? String(value) : undefined
    if (count === 1) {
      if (said !== undefined) return [said]
    } else found.push(said)
  }
  // With another number of records nobody can say which belongs to which.
  return found.length === count ? found : Array.from({ length: count }, () => undefined)
}

/** The records of a file: its lines, the items of a list, or those of the list that a document holds. */
function* eachRecord(records: Iterable<unknown>): Generator<unknown> {
  for (const record of records) {
    if (Array.isArray(record)) yield* record
    else {
      const lists = isJsonObject(record)
        ? ['simulations', 'samples', 'evalCaseResults', 'runs'].map((name) => record[name])
        : []
      const list = lists.find(Array.isArray)
      if (list) yield* list
      else yield record
    }
  }
}

const MOST_FIELDS = 60
const LONGEST_VALUE = 80

/** Fields that could name a task or a model, with a value by example. */
export function listFields(sample: readonly unknown[]): { path: string; example: string }[] {
  const found = new Map<string, string>()
  const visit = (value: unknown, path: string, depth: number): void => {
    if (found.size >= MOST_FIELDS || depth > 4) return
    if (isJsonObject(value)) {
      for (const [name, inside] of Object.entries(value))
        if (!name.includes('.') && !/\s/.test(name)) visit(inside, `${path}.${name}`, depth + 1)
      return
    }
    const isShort =
      (typeof value === 'string' && value !== '' && value.length <= LONGEST_VALUE) || typeof value === 'number'
    if (isShort && path !== '$' && !found.has(path)) found.set(path, String(value))
  }
  for (const record of eachRecord(sample)) visit(record, '$', 0)
  return [...found].map(([path, example]) => ({ path, example }))
}
