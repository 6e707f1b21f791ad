import { readFile } from 'node:fs/promises'
import { parse } from 'yaml'
import { z } from 'zod'
import { InputError, isJsonObject, messageOf } from '../../contract/index.ts'
import type { ExpectedCall, TaskKey } from '../../scoring/tool-calls/index.ts'
import { explainReadError } from '../text/source-text.ts'
import { readCall } from '../tool-results/formats/chat-calls.ts'
import { readTrajectories } from './read-trajectories.ts'

const callSchema = z.unknown().transform((given, context): ExpectedCall => {
  const call = typeof given === 'string' ? { name: given, arguments: {} } : readCall(given)
  if (call) return { name: call.name, arguments: call.arguments }
  context.addIssue('must be a call: { name: …, arguments: { … } }')
  return z.NEVER
})

const forbiddenSchema = z.union([
  z.string().transform((name) => ({ name })),
  z.strictObject({ name: z.string(), arguments: z.record(z.string(), z.unknown()).optional() }),
])

const callsSchema = z.array(callSchema)

const taskSchema = z
  .strictObject({
    calls: callsSchema.optional(),
    turns: z
      .array(z.union([callsSchema, z.strictObject({ calls: callsSchema }).transform(({ calls }) => calls)]))
      .optional(),
    said: z.array(z.union([z.string(), z.number().transform(String)])).optional(),
    forbidden: z.array(forbiddenSchema).optional(),
    endState: z.unknown().optional(),
  })
  .transform(({ calls, turns, said, forbidden, endState }, context): TaskKey => {
    if (calls && turns) context.addIssue('has both calls and turns; give the calls turn by turn or all together')
    return {
      calls: calls ?? turns?.flat() ?? [],
      ...(turns && { turns: turns.map((own) => own.length) }),
      ...(said && { said }),
      ...(forbidden && {
        forbidden: forbidden.map((one) => ('arguments' in one && one.arguments ? one : { name: one.name })),
      }),
      ...(endState !== undefined && { endState }),
    }
  })

const keySchema = z.record(z.string(), z.union([callsSchema.transform((calls): TaskKey => ({ calls })), taskSchema]))

/** Other names that people give these fields. */
const otherNames: Readonly<Record<string, string>> = {
  expectedCalls: 'calls',
  expected_calls: 'calls',
  actions: 'calls',
  outputs: 'said',
  expectedOutputs: 'said',
  forbiddenCalls: 'forbidden',
  end_state: 'endState',
}

const rename = (task: unknown): unknown =>
  isJsonObject(task)
    ? Object.fromEntries(Object.entries(task).map(([name, value]) => [otherNames[name] ?? name, value]))
    : task

/**
 * Reads what each task expects: `tasks` by id, each with `calls` or `turns`, `said`, `forbidden` and `endState`. A file of
 * recorded runs that says what it expects, such as a Google ADK evaluation set, is a key too.
 */
export async function readTrajectoryKey(path: string): Promise<Map<string, TaskKey>> {
  let document: unknown
  try {
    document = parse(await readFile(path, 'utf8'))
  } catch (error) {
    const why =
      error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('E')
        ? explainReadError(error)
        : messageOf(error)
    throw new InputError(`${path}: ${why}`, { cause: error })
  }
  const found = isJsonObject(document) ? document['tasks'] : undefined
  const tasks = isJsonObject(found) ? found : document
  const recorded = isJsonObject(found) ? undefined : await readRecorded(path)
  if (recorded) return recorded
  const named = Array.isArray(found) ? listTasks(found) : tasks
  if (!isJsonObject(named))
    throw new InputError(`${path}: is no key; it needs tasks: { <task>: { calls: [{ name, arguments }] } }`)
  const read = keySchema.safeParse(Object.fromEntries(Object.entries(named).map(([id, task]) => [id, rename(task)])))
  if (!read.success) {
    const [issue] = read.error.issues
    throw new InputError(`${path}: ${issue?.path.join('.') ?? ''} ${issue?.message ?? 'is no key'}`)
  }
  return new Map(Object.entries(read.data))
}

/** Tasks as a list, each with its id. */
function listTasks(list: readonly unknown[]): Record<string, unknown> {
  return Object.fromEntries(
    list.flatMap((task) => {
      if (!isJsonObject(task)) return []
      const { id, task: named, ...rest } = task
      const name = id ?? named
      return typeof name === 'string' || typeof name === 'number' ? [[String(name), rest]] : []
    }),
  )
}

async function readRecorded(path: string): Promise<Map<string, TaskKey> | undefined> {
  const trajectories = await readTrajectories(path).catch(() => [])
  const entries = trajectories.flatMap(({ task, expected }): [string, TaskKey][] =>
    task === null || !expected ? [] : [[task, expected]],
  )
  return entries.length > 0 ? new Map(entries) : undefined
}
