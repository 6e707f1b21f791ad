import { AcceptedValues, readArguments, type ActualCall, type ExpectedCall } from '../../../scoring/tool-calls/index.ts'
import { readCall } from './chat-calls.ts'
import { field, idField, isFields, listField, textField } from './fields.ts'
import { readReward, type ToolResultFormat } from './format.ts'
import { readPythonCalls } from './python-calls.ts'

/** BFCL's model results: JSON lines of `{ id, result }`; the expected calls are in the possible-answer file. */
export const bfcl: ToolResultFormat = {
  name: 'bfcl',
  looksLike: 'BFCL lines with id and result (beside its possible answers)',

  recognises: (record) => isFields(record) && Object.hasOwn(record, 'id') && Object.hasOwn(record, 'result'),

  read(record, { fields, index }) {
    const taskId = idField(record, 'id') ?? String(index)
    const truth = field(record, 'ground_truth') ?? field(fields['answers'], taskId)
    const expected = readPossibleAnswers(truth)
    const calls = readResult(field(record, 'result'))
    const { reward, problems } = readReward(record, taskId)
    return {
      taskId,
      ...(reward !== undefined && { reward }),
      expected,
      calls: renameLikeExpected(calls ?? [], expected ?? []),
      everyToolCounts: true,
      problems: [
        ...problems,
        ...(calls ? [] : ['calls that cannot be read' as const]),
        ...(calls?.some(({ unreadableArguments }) => unreadableArguments !== undefined)
          ? ['arguments that are not JSON' as const]
          : []),
        ...(expected ? [] : ['no expected actions (not scored)' as const]),
      ],
    }
  },
}

/** Files that go with BFCL results: they have what is expected, and nothing to score. */
export type BfclCompanion = 'bfcl-answers' | 'bfcl-questions'

export function recogniseCompanion(record: unknown): BfclCompanion | undefined {
  if (!isFields(record) || !Object.hasOwn(record, 'id') || Object.hasOwn(record, 'result')) return undefined
  if (Object.hasOwn(record, 'ground_truth')) return 'bfcl-answers'
  return Object.hasOwn(record, 'question') ? 'bfcl-questions' : undefined
}

/** Reads `[{ tool: { argument: [values] } }]`: any value of the list is accepted; `""` makes the argument optional. */
function readPossibleAnswers(truth: unknown): ExpectedCall[] | null {
  if (!Array.isArray(truth)) return null
  const calls: ExpectedCall[] = []
  for (const answer of truth) {
    if (!isFields(answer)) return null
    for (const [name, given] of Object.entries(answer)) {
      if (!isFields(given)) return null
      calls.push({ name, arguments: acceptValues(given) })
    }
  }
  return calls
}

function acceptValues(given: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(given).map(([key, values]) => [
      key,
      Array.isArray(values)
        ? new AcceptedValues(values.map(deepen), { isOptional: values.includes(''), looseText: true })
        : values,
    ]),
  )
}

// Objects inside a value have lists of accepted values of their own; plain lists are values.
function deepen(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(deepen)
  return isFields(value) ? acceptValues(value) : value
}

/** Reads `[{ tool: arguments }]` from function calling, or Python calls as text from prompting. */
function readResult(result: unknown): ActualCall[] | undefined {
  if (typeof result === 'string') return readPythonCalls(result)
  if (!Array.isArray(result)) return undefined
  const calls: ActualCall[] = []
  for (const item of result) {
    if (typeof item === 'string') calls.push(...(readPythonCalls(item) ?? []))
    else if (textField(item, 'name') !== undefined || isFields(field(item, 'function'))) {
      const call = readCall(item)
      if (call) calls.push(call)
    } else if (isFields(item))
      for (const [name, given] of Object.entries(item)) calls.push({ name, ...readArguments(given) })
  }
  return calls
}

/** Restores dots in names: function-calling APIs do not allow them, so models answer `spotify_play` for `spotify.play`. */
function renameLikeExpected(calls: ActualCall[], expected: readonly ExpectedCall[]): ActualCall[] {
  const dotted = new Map(expected.map(({ name }) => [name.replaceAll('.', '_'), name]))
  for (const call of calls) call.name = dotted.get(call.name) ?? call.name
  return calls
}

export function readAnswerLine(record: unknown): { id: string; truth: readonly unknown[] } | undefined {
  const id = idField(record, 'id')
  const truth = listField(record, 'ground_truth')
  return id === undefined || !truth ? undefined : { id, truth }
}
