import { InputError, countNoun, writeNumber, isRecord } from '../../../contract/index.ts'
import type { ImportContext } from '../import-warnings.ts'
import { contextOf, type PlacedTest } from './placed-test.ts'
import {
  expandPattern,
  isFileReference,
  readDocument,
  readImage,
  readReference,
  readReferenced,
  runsCode,
} from '../config/referenced-files.ts'
import { mediaTypeOf } from '../../suite-files/images.ts'
import type { Variables } from '../prompts/template.ts'

const MOST_COMBINATIONS = 100_000

const UNREADABLE = Symbol('unreadable')
const NOT_TEXT = new Set(['.pdf', '.mp4', '.mp3', '.wav', '.xlsx'])

/** Reads `file://…` as the text of that file, or an image as a data: URL; with a `*`, as the texts of all matching files. */
async function readValue(value: unknown, place: string, context: ImportContext): Promise<unknown> {
  if (Array.isArray(value)) {
    const items: unknown[] = await Promise.all(value.map(async (item: unknown) => readValue(item, place, context)))
    return items.includes(UNREADABLE) ? UNREADABLE : items
  }
  if (!isFileReference(value)) return value
  const reference = readReference(value, context, place)
  if (runsCode(reference) || NOT_TEXT.has(reference.extension)) {
    context.warnings.add(
      place,
      `the variable ${value} is made by code or is not text, which is not supported; tests that use it are left out`,
    )
    return UNREADABLE
  }
  const texts = await Promise.all(
    (await expandPattern(reference)).map(async (one) =>
      mediaTypeOf(one.path) === undefined ? (await readReferenced(one)).trim() : readImage(one),
    ),
  )
  return value.includes('*') ? texts : texts[0]
}

async function readVars(
  { fields: { vars }, place }: PlacedTest,
  context: ImportContext,
): Promise<Record<string, unknown>> {
  if (vars === undefined || vars === null) return {}
  if (isRecord(vars)) return vars
  const merged: Record<string, unknown> = {}
  for (const name of [vars].flat()) {
    const reference = readReference(name, context, place(['vars']))
    for (const one of await expandPattern(reference)) {
      const { value } = await readDocument(one)
      if (!isRecord(value)) throw new InputError(`${place(['vars'])}: ${one.path}: variables are name: value`)
      Object.assign(merged, value)
    }
  }
  return merged
}

/** Merges the variables of all layers; later layers win. Returns `undefined` if one cannot be read. */
export async function mergeVariables(layers: PlacedTest[], context: ImportContext): Promise<Variables | undefined> {
  const merged = new Map<string, unknown>()
  for (const layer of layers) {
    const inLayer = contextOf(layer, context)
    for (const [name, value] of Object.entries(await readVars(layer, inLayer)))
      merged.set(name, await readValue(value, layer.place(['vars', name]), inLayer))
  }
  return [...merged.values()].includes(UNREADABLE) ? undefined : Object.fromEntries(merged)
}

/** As in promptfoo, a list that begins with text is a list of values; any other list is one value. */
function isListOfValues(value: unknown): value is unknown[] {
  return Array.isArray(value) && typeof value[0] === 'string'
}

/** Expands lists of values: a test for every value, or for every combination if there are several lists. */
export function expandVariables(variables: Variables, place: string): Variables[] {
  const lists = Object.entries(variables).filter((entry): entry is [string, unknown[]] => isListOfValues(entry[1]))
  const count = lists.reduce((product, [, values]) => product * values.length, 1)
  if (count > MOST_COMBINATIONS) {
    throw new InputError(
      `${place}: its lists of variables make ${countNoun(count, 'test')}; at most ${writeNumber(MOST_COMBINATIONS)} are taken`,
    )
  }
  return lists.reduce<Variables[]>(
    (combinations, [name, values]) =>
      combinations.flatMap((combination) => values.map((value) => ({ ...combination, [name]: value }))),
    [variables],
  )
}
