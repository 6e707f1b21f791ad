import { isJsonObject, type ScoredConversation } from '../../contract/index.ts'
import { readArguments, type ActualCall, type ExpectedCall } from '../tool-calls/calls.ts'

interface WrittenCall {
  name: string
  arguments: unknown
  /** These do not count. */
  ignoreArgs?: readonly string[] | undefined
  /** Only these count. */
  compareArgs?: readonly string[] | undefined
}

type MadeCall = Pick<ScoredConversation['calls'][number], 'by' | 'name' | 'arguments' | 'reply' | 'isError'>

function dropArguments(given: unknown, names: ReadonlySet<string>): unknown {
  return isJsonObject(given) ? Object.fromEntries(Object.entries(given).filter(([key]) => !names.has(key))) : given
}

/** The expected calls of a case and those that were made, as grades compare them. */
export function readExpected(
  expected: readonly WrittenCall[],
  made: readonly MadeCall[],
): { calls: ExpectedCall[]; actual: ActualCall[] } {
  // Of a tool, the same arguments are left out on both sides.
  const ignored = new Map<string, Set<string>>()
  for (const { name, ignoreArgs = [] } of expected)
    for (const argument of ignoreArgs) ignored.set(name, (ignored.get(name) ?? new Set()).add(argument))
  const without = (name: string, given: unknown) => dropArguments(given, ignored.get(name) ?? new Set())
  return {
    calls: expected.map(({ name, arguments: given, compareArgs }) => ({
      name,
      arguments: without(name, given),
      ...(compareArgs && { compared: compareArgs }),
    })),
    actual: made.map(({ name, arguments: given, reply, isError = false, by }) => {
      const read = readArguments(given)
      return {
        ...read,
        name,
        arguments: without(name, read.arguments),
        isError,
        ...(reply !== undefined && { result: reply }),
        requestor: by === 'user' ? 'user' : 'assistant',
      }
    }),
  }
}
