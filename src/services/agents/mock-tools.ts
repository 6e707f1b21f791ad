import { isJsonObject, type MockRule, type WorldEdit } from '../../contract/index.ts'
import { applyEdits, isSameValue } from '../../scoring/index.ts'
import { fillTemplate, findKeys, findPathProblem, listPaths, lookUp, ownOf, type Scope } from './paths.ts'

/** What a tool did: its reply and the world after it, or why it failed; only a real tool changes the world all the same. */
export type ToolResult = { world: unknown; reply: unknown } | { error: string; world?: unknown }

const MATCHERS: Readonly<Record<string, (value: unknown, wanted: unknown) => boolean>> = {
  in: (value, wanted) => isIn(value, wanted),
  notIn: (value, wanted) => !isIn(value, wanted),
  is: isSameValue,
  not: (value, wanted) => !isSameValue(value, wanted),
  atLeast: (value, wanted) => compare(value, wanted) >= 0,
  atMost: (value, wanted) => compare(value, wanted) <= 0,
  exists: (value, wanted) => (value !== undefined && value !== null) === (wanted !== false),
}

/** A key of an object, or an item of a list. */
function isIn(value: unknown, wanted: unknown): boolean {
  if (Array.isArray(wanted)) return wanted.some((item) => isSameValue(item, value))
  return isJsonObject(wanted) && typeof value !== 'object' && Object.hasOwn(wanted, String(value))
}

function compare(value: unknown, wanted: unknown): number {
  if (typeof value === 'number' && typeof wanted === 'number') return value - wanted
  if (typeof value !== 'string' || typeof wanted !== 'string') return Number.NaN
  return value < wanted ? -1 : value > wanted ? 1 : 0
}

/** `world peace` is a text, and `world` may be the name of an argument. */
const isPath = (text: unknown): text is string => typeof text === 'string' && /^(?:world|args)[.[]/.test(text)

/** Of these, the world itself may be meant: `{ in: world }`. */
const LISTING = new Set(['in', 'notIn'])

const isWantedPath = (wanted: unknown, matcher: string): wanted is string =>
  isPath(wanted) || (LISTING.has(matcher) && (wanted === 'world' || wanted === 'args'))

/** A text that is a path means what is there: `{ in: world.orders }`. */
function readWanted(wanted: unknown, matcher: string, scope: Scope): unknown {
  return isWantedPath(wanted, matcher) ? lookUp(wanted, scope) : fillTemplate(wanted, scope)
}

/** A condition by its matchers; a value alone is one that must be the same. */
function readCondition(condition: unknown): [matcher: string, wanted: unknown][] {
  const entries = isJsonObject(condition) ? Object.entries(condition) : []
  const isMatcher = entries.length > 0 && entries.every(([key]) => Object.hasOwn(MATCHERS, key))
  return isMatcher ? entries : [['is', condition]]
}

function matches(rule: MockRule, scope: Scope): boolean {
  return Object.entries(rule.when ?? {}).every(([name, condition]) => {
    const value = isPath(name) ? lookUp(name, scope) : ownOf(scope.args, name)
    return readCondition(condition).every(([key, wanted]) => MATCHERS[key]!(value, readWanted(wanted, key, scope)))
  })
}

class EditFailed extends Error {}

const toPointer = (keys: readonly string[]): string =>
  keys.map((key) => `/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`).join('')

const editedPlace = (change: WorldEdit): string =>
  'set' in change ? change.set : 'add' in change ? change.add : 'append' in change ? change.append : change.remove

/** The world itself has no name in it. */
const nameInWorld = (keys: readonly string[]): string => (keys.length === 0 ? 'the world' : keys.join('.'))

/** Keys of a list are numbers; the one after its last item adds to it, and what is not there need not be removed. */
const isPlaceIn = (list: readonly unknown[], key: string, change: WorldEdit): boolean =>
  /^\d+$/.test(key) && ('remove' in change || Number(key) <= list.length)

function edit(world: unknown, change: WorldEdit, args: unknown): unknown {
  const scope = { world, args }
  const keys = findKeys(editedPlace(change), scope)
  if (!keys) throw new EditFailed(`${editedPlace(change)} is no place in the world`)
  const path = toPointer(keys)
  const parent = keys.slice(0, -1).reduce<unknown>((value, key) => ownOf(value, key), world)
  const last = keys.at(-1)
  const old = last === undefined ? world : ownOf(parent, last)
  if (last !== undefined) {
    const around = nameInWorld(keys.slice(0, -1))
    if (typeof parent !== 'object' || parent === null) throw new EditFailed(`there is no ${around}`)
    if (Array.isArray(parent) && !isPlaceIn(parent, last, change)) throw new EditFailed(`${around} has no item ${last}`)
  }
  if ('remove' in change) return old === undefined ? world : applyEdits(world, [{ op: 'remove', path }])
  if ('set' in change)
    return applyEdits(world, [
      { op: old === undefined ? 'add' : 'replace', path, value: fillTemplate(change.to, scope) },
    ])
  if ('append' in change) {
    if (!Array.isArray(old)) throw new EditFailed(`${nameInWorld(keys)} is not a list`)
    return applyEdits(world, [{ op: 'add', path: `${path}/-`, value: fillTemplate(change.value, scope) }])
  }
  const by = fillTemplate(change.by, scope)
  if (typeof old !== 'number' || typeof by !== 'number') throw new EditFailed(`${nameInWorld(keys)} is not a number`)
  return applyEdits(world, [{ op: 'replace', path, value: old + by }])
}

/** The first rule that matches changes the world and replies; the reply is written after the changes. */
export function runMock(rules: readonly MockRule[], world: unknown, args: unknown): ToolResult {
  const rule = rules.find((one) => matches(one, { world, args }))
  if (!rule) return { error: 'the tool does not take these arguments' }
  if (rule.error !== undefined) return { error: String(fillTemplate(rule.error, { world, args })) }
  try {
    const after = (rule.edits ?? []).reduce<unknown>((now, change) => edit(now, change, args), world)
    return { world: after, reply: fillTemplate(rule.reply ?? null, { world: after, args }) }
  } catch (error) {
    if (error instanceof EditFailed) return { error: error.message }
    throw error
  }
}

/** What is wrong with the paths of rules, for the check of a suite. */
export function findMockProblems(rules: readonly MockRule[]): string[] {
  const paths = rules.flatMap(({ when = {}, edits = [], reply, error }) => [
    ...Object.keys(when).filter(isPath),
    ...Object.values(when)
      .flatMap(readCondition)
      .flatMap(([matcher, wanted]) => (isWantedPath(wanted, matcher) ? [wanted] : listPaths(wanted))),
    ...edits.flatMap((change) => [editedPlace(change), ...listPaths(change)]),
    ...listPaths(reply),
    ...listPaths(error),
  ])
  const places = rules.flatMap(({ edits = [] }) => edits.map(editedPlace))
  return [
    ...paths.flatMap((path) => findPathProblem(path) ?? []),
    ...places.flatMap((place) =>
      /^\s*args\b/.test(place) ? [`edits change the world, and ${place} is not in it`] : [],
    ),
  ]
}
