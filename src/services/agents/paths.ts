import { isJsonObject, textOrJson } from '../../contract/index.ts'

/** What rules of a suite look up: `world.orders[args.order_id].items[0]`. Paths, not code: `[…]` is the only lookup. */
export interface Scope {
  world: unknown
  args: unknown
}

type Step = { key: string } | { path: Step[] }

class PathProblem extends Error {}

/** Paths in a suite are few, and looked up again and again. */
const parsed = new Map<string, Step[]>()
const MAX_PARSED = 1000

const NAME = /^[\p{L}_$][\p{L}\p{N}_$-]*/u

function parseSteps(text: string, from: number, isInside: boolean): { steps: Step[]; end: number } {
  const steps: Step[] = []
  let at = from
  const fail = (): never => {
    throw new PathProblem(`${JSON.stringify(text)} is not a path such as world.orders[args.order_id].status`)
  }
  const first = NAME.exec(text.slice(at))?.[0]
  if (first !== 'world' && first !== 'args') return fail()
  steps.push({ key: first })
  at += first.length
  for (;;) {
    if (at === text.length || (isInside && text[at] === ']')) return { steps, end: at }
    if (text[at] === '.') {
      const name = NAME.exec(text.slice(at + 1))?.[0] ?? fail()
      steps.push({ key: name })
      at += 1 + name.length
    } else if (text[at] === '[') {
      const quoted = /^\[\s*(?:'([^']*)'|"([^"]*)"|(\d+))\s*\]/.exec(text.slice(at))
      if (quoted) {
        steps.push({ key: quoted[1] ?? quoted[2] ?? quoted[3]! })
        at += quoted[0].length
        continue
      }
      const inner = parseSteps(text, at + 1, true)
      if (text[inner.end] !== ']') return fail()
      steps.push({ path: inner.steps })
      at = inner.end + 1
    } else return fail()
  }
}

function parsePath(text: string): Step[] {
  const path = text.trim()
  const known = parsed.get(path)
  if (known) return known
  const { steps } = parseSteps(path, 0, false)
  if (parsed.size >= MAX_PARSED) parsed.clear()
  parsed.set(path, steps)
  return steps
}

/** What is wrong with a path; undefined if nothing is. */
export function findPathProblem(path: string): string | undefined {
  try {
    parsePath(path)
    return undefined
  } catch (error) {
    if (error instanceof PathProblem) return error.message
    throw error
  }
}

export function ownOf(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return /^\d+$/.test(key) ? value[Number(key)] : key === 'length' ? value.length : undefined
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** Undefined if a lookup in the path finds nothing that could be a key. */
function resolve(steps: readonly Step[], scope: Scope): string[] | undefined {
  const keys: string[] = []
  for (const step of steps) {
    const key = 'key' in step ? step.key : follow(step.path, scope)
    if (key === undefined || key === null || typeof key === 'object') return undefined
    keys.push(String(key))
  }
  return keys
}

function follow(steps: readonly Step[], scope: Scope): unknown {
  return resolve(steps, scope)?.reduce<unknown>((value, key) => ownOf(value, key), scope)
}

/** The value at a path; undefined if there is none. */
export function lookUp(path: string, scope: Scope): unknown {
  return follow(parsePath(path), scope)
}

/** The keys of a path in the world, with every lookup in it done; undefined if one of them finds no key. */
export function findKeys(path: string, scope: Scope): string[] | undefined {
  return resolve(parsePath(path), scope)?.slice(1)
}

const WHOLE = /^\s*\{\{([^{}]*)\}\}\s*$/
const PARTS = /\{\{([^{}]*)\}\}/g

/** A value with its `{{ paths }}` filled: a text that is only a path becomes what is there. */
export function fillTemplate(template: unknown, scope: Scope): unknown {
  if (typeof template === 'string') {
    const whole = WHOLE.exec(template)
    if (whole) return lookUp(whole[1]!, scope) ?? null
    return template.replaceAll(PARTS, (_, path: string) => textOrJson(lookUp(path, scope)))
  }
  if (Array.isArray(template)) return template.map((item) => fillTemplate(item, scope))
  if (!isJsonObject(template)) return template
  return Object.fromEntries(Object.entries(template).map(([key, value]) => [key, fillTemplate(value, scope)]))
}

/** The paths in a template, to check them before a run. */
export function listPaths(template: unknown): string[] {
  if (typeof template === 'string') return Array.from(template.matchAll(PARTS), ([, path]) => path!)
  if (typeof template !== 'object' || template === null) return []
  return Object.values(template).flatMap(listPaths)
}
