import { isJsonObject, asText } from '../../../contract/index.ts'
import type { ExpectedCall, TaskKey, Trajectory } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, textField } from '../../tool-results/formats/fields.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { firstField, firstText, readNumber, readParts } from '../values.ts'

/** Google ADK writes the same fields in snake_case and in camelCase. */
const both = (holder: unknown, snake: string): unknown =>
  firstField(
    holder,
    snake,
    snake.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )

const bothList = (holder: unknown, snake: string): readonly unknown[] | undefined => {
  const found = both(holder, snake)
  return Array.isArray(found) ? found : undefined
}

const readContentText = (content: unknown): string => readParts(field(content, 'parts') ?? content)

/** Evaluation sets say what is expected, turn by turn; nothing has happened yet. */
export const adkEvalSet: TrajectoryReader = {
  name: 'adk-eval-set',
  looksLike: 'a Google ADK evaluation set (eval_cases, or a list with query and expected_tool_use)',

  recognises: ([first]) => {
    if (Array.isArray(first))
      return first.length > 0 && first.every((turn) => textField(turn, 'query') !== undefined) && first.some(hasOldKey)
    return (textField(first, 'query') !== undefined && hasOldKey(first)) || bothList(first, 'eval_cases') !== undefined
  },

  read(source) {
    const documents = [...source.records()]
    const old = documents.flatMap((document) => (Array.isArray(document) ? document : []))
    const lines = documents.filter((document) => textField(document, 'query') !== undefined)
    const turns = [...old, ...lines]
    const cases = documents.flatMap((document) => bothList(document, 'eval_cases') ?? [])
    return [
      ...(turns.length > 0 ? [readCase(source.file, null, turns.map(readOldTurn))] : []),
      ...cases.map((one) =>
        readCase(
          source.file,
          idField(one, 'eval_id', 'evalId') ?? null,
          (listField(one, 'conversation') ?? []).map(readTurn),
        ),
      ),
    ]
  },
}

const hasOldKey = (turn: unknown): boolean =>
  Array.isArray(field(turn, 'expected_tool_use')) || field(turn, 'reference') !== undefined

interface Turn {
  query: string
  calls: ExpectedCall[]
  said: string
}

function readOldTurn(turn: unknown): Turn {
  const calls = (listField(turn, 'expected_tool_use') ?? []).flatMap((use): ExpectedCall[] => {
    const name = textField(use, 'tool_name')
    return name === undefined ? [] : [{ name, arguments: field(use, 'tool_input') ?? {} }]
  })
  return { query: textField(turn, 'query') ?? '', calls, said: textField(turn, 'reference') ?? '' }
}

function listUses(turn: unknown): readonly unknown[] {
  const data = both(turn, 'intermediate_data')
  const uses = bothList(data, 'tool_uses')
  if (uses) return uses
  // Newer sets keep the events of the invocation instead.
  return (bothList(data, 'invocation_events') ?? []).flatMap((event) =>
    (listField(field(event, 'content'), 'parts') ?? []).flatMap((part) => both(part, 'function_call') ?? []),
  )
}

function readTurn(turn: unknown): Turn {
  const calls = listUses(turn).flatMap((use): ExpectedCall[] => {
    const name = textField(use, 'name')
    return name === undefined ? [] : [{ name, arguments: field(use, 'args') ?? {} }]
  })
  return {
    query: readContentText(both(turn, 'user_content')),
    calls,
    said: readContentText(both(turn, 'final_response')),
  }
}

function toKey(turns: readonly Turn[]): TaskKey {
  return { calls: turns.flatMap(({ calls }) => calls), turns: turns.map(({ calls }) => calls.length) }
}

function readCase(file: string, task: string | null, turns: readonly Turn[]): Trajectory {
  const recorder = createRecorder({ file, format: adkEvalSet.name, marksErrors: true })
  for (const { query } of turns) recorder.addStep({ source: 'user', text: query })
  recorder.addUserTurn(turns.length)
  recorder.facts.task = task
  recorder.facts.expected = toKey(turns)
  return recorder.finish()
}

const statuses: Readonly<Record<number, string>> = { 1: 'passed', 2: 'failed', 3: 'not evaluated' }

/** Results of an evaluation: what was expected and what happened, case by case. */
export const adkResults: TrajectoryReader = {
  name: 'adk-results',
  looksLike: 'Google ADK evaluation results (evalCaseResults)',

  recognises: ([first]) => bothList(unwrapText(first), 'eval_case_results') !== undefined,

  read: (source) =>
    [...source.records()].flatMap((document) =>
      (bothList(unwrapText(document), 'eval_case_results') ?? []).map((result) => readResult(source.file, result)),
    ),
}

/** ADK has written the document as JSON text inside JSON. */
function unwrapText(document: unknown): unknown {
  if (typeof document !== 'string') return document
  try {
    return JSON.parse(document)
  } catch {
    return undefined
  }
}

function readResult(file: string, result: unknown): Trajectory {
  const recorder = createRecorder({ file, format: adkResults.name, marksErrors: false })
  const invocations = bothList(result, 'eval_metric_result_per_invocation') ?? []
  const events = bothList(both(result, 'session_details'), 'events')
  if (events && events.length > 0) readEvents(events, recorder)
  else for (const one of invocations) readInvocation(both(one, 'actual_invocation'), recorder)
  const status = readNumber(both(result, 'final_eval_status'))
  const { facts } = recorder
  facts.task = idField(result, 'eval_id', 'evalId') ?? null
  facts.id = idField(result, 'session_id', 'sessionId') ?? null
  facts.outcome = status === undefined ? null : (statuses[status] ?? null)
  facts.reward = status === 1 ? 1 : status === 2 ? 0 : null
  const expected = invocations.flatMap((one) => both(one, 'expected_invocation') ?? [])
  if (expected.length > 0) facts.expected = toKey(expected.map(readTurn))
  return recorder.finish()
}

function readInvocation(invocation: unknown, recorder: Recorder): void {
  recorder.addStep({ source: 'user', text: readContentText(both(invocation, 'user_content')) })
  recorder.addUserTurn()
  recorder.addAssistantTurn()
  const step = recorder.addStep({ source: 'agent', text: readContentText(both(invocation, 'final_response')) })
  for (const use of listUses(invocation))
    recorder.addCall(step, { id: idField(use, 'id'), name: textField(use, 'name') ?? '', input: field(use, 'args') })
  for (const reply of bothList(both(invocation, 'intermediate_data'), 'tool_responses') ?? [])
    recorder.answer({
      id: idField(reply, 'id'),
      name: textField(reply, 'name'),
      text: asText(field(reply, 'response')),
    })
}

function readEvents(events: readonly unknown[], recorder: Recorder): void {
  for (const event of events) {
    const content = field(event, 'content')
    const parts = listField(content, 'parts') ?? []
    const seconds = readNumber(field(event, 'timestamp'))
    recorder.seeTime(seconds === undefined ? undefined : seconds * 1000)
    // A streamed answer is repeated whole by its last event.
    if (field(event, 'partial') === true) continue
    const replies = parts.flatMap((part) => both(part, 'function_response') ?? [])
    for (const reply of replies)
      recorder.answer({
        id: idField(reply, 'id'),
        name: textField(reply, 'name'),
        text: asText(field(reply, 'response')),
      })
    const text = parts.map((part) => textField(part, 'text') ?? '').join('')
    const author = firstText(event, 'author')
    if (author === 'user') {
      if (replies.length > 0) continue
      recorder.addStep({ source: 'user', text })
      recorder.addUserTurn()
      continue
    }
    const calls = parts.flatMap((part) => both(part, 'function_call') ?? [])
    if (calls.length === 0 && text === '') continue
    recorder.addAssistantTurn(textField(event, 'modelVersion') ?? textField(event, 'model_version'))
    const step = recorder.addStep({ source: 'agent', text })
    for (const call of calls)
      if (isJsonObject(call))
        recorder.addCall(step, { id: idField(call, 'id'), name: textField(call, 'name') ?? '', input: call['args'] })
    const usage = both(event, 'usage_metadata')
    recorder.addUsage({
      inputTokens: readNumber(both(usage, 'prompt_token_count')),
      // Gemini counts its thoughts apart.
      outputTokens: addUp(both(usage, 'candidates_token_count'), both(usage, 'thoughts_token_count')),
      cachedTokens: readNumber(both(usage, 'cached_content_token_count')),
      reasoningTokens: readNumber(both(usage, 'thoughts_token_count')),
    })
  }
}

function addUp(...counts: readonly unknown[]): number | undefined {
  const known = counts.map(readNumber).filter((count) => count !== undefined)
  return known.length === 0 ? undefined : known.reduce((sum, count) => sum + count, 0)
}
