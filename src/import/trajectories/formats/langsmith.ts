import { isJsonObject, asText } from '../../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../../scoring/tool-calls/index.ts'
import { unwrapJson } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, textField } from '../../tool-results/formats/fields.ts'
import { readPythonLiteral } from '../python-literal.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { firstField, firstText, readNumber, readParts, readTime } from '../values.ts'

/** Runs of LangSmith: a list, `{ runs }`, or one a line; those of one trace belong together. */
export const langsmith: TrajectoryReader = {
  name: 'langsmith',
  looksLike: 'LangSmith runs (run_type, inputs and outputs)',

  recognises: (sample) => {
    const runs = sample.flatMap(listRuns)
    return runs.length > 0 && runs.every(isRun)
  },

  read(source) {
    const runs = [...source.records()].flatMap(listRuns).filter(isRun)
    const byTrace = Map.groupBy(runs, (run) => idField(run, 'trace_id') ?? idField(run, 'id') ?? '')
    return [...byTrace.values()].map((own) => readTrace(own, source.file))
  },
}

const isRun = (value: unknown): boolean =>
  textField(value, 'run_type') !== undefined &&
  (field(value, 'inputs') !== undefined || field(value, 'trace_id') !== undefined)

/** Runs, and those nested in `child_runs`. */
function listRuns(document: unknown): unknown[] {
  if (Array.isArray(document)) return document.flatMap(listRuns)
  const inside = listField(document, 'runs')
  if (inside) return inside.flatMap(listRuns)
  return isJsonObject(document) ? [document, ...(listField(document, 'child_runs') ?? []).flatMap(listRuns)] : []
}

function readTrace(given: readonly unknown[], file: string): Trajectory {
  const recorder = createRecorder({ file, format: langsmith.name, marksErrors: true, countsUserTurns: false })
  // A run can be exported with its parent and on its own.
  const runs = [...new Map(given.map((run) => [idField(run, 'id'), run])).values()].toSorted(
    (a, b) => (readTime(field(a, 'start_time')) ?? 0) - (readTime(field(b, 'start_time')) ?? 0),
  )
  const root = runs.find((run) => idField(run, 'parent_run_id') === undefined) ?? runs[0]
  const hasTools = runs.some((run) => textField(run, 'run_type') === 'tool')
  const seen = new Set<string>()
  let current: TrajectoryStep | undefined
  for (const run of runs) {
    recorder.seeTime(readTime(field(run, 'start_time')))
    recorder.seeTime(readTime(field(run, 'end_time')))
    const type = textField(run, 'run_type')
    if (type === 'llm') {
      if (!current) for (const text of readUserInput(run)) recorder.addStep({ source: 'user', text })
      current = addModelRun(run, recorder)
      if (!hasTools)
        for (const call of listCalls(run)) {
          if (call.id !== undefined && seen.has(call.id)) continue
          if (call.id !== undefined) seen.add(call.id)
          recorder.addCall(current, call)
        }
    } else if (type === 'tool') addToolRun(run, recorder, (current ??= recorder.addStep({ source: 'agent', text: '' })))
  }
  const { facts } = recorder
  facts.id = idField(root, 'trace_id', 'id') ?? null
  facts.task = idField(root, 'reference_example_id') ?? null
  facts.outcome = firstText(root, 'status') ?? null
  return recorder.finish()
}

function addModelRun(run: unknown, recorder: Recorder): TrajectoryStep {
  const metadata = field(field(run, 'extra'), 'metadata')
  const model =
    firstText(metadata, 'ls_model_name') ??
    firstText(field(field(run, 'extra'), 'invocation_params'), 'model', 'model_name')
  recorder.addAssistantTurn(model)
  const [message] = listAnswers(run)
  const usage =
    field(message, 'usage_metadata') ??
    field(field(run, 'outputs'), 'usage_metadata') ??
    field(field(run, 'outputs'), 'usage')
  recorder.addUsage({
    inputTokens: readNumber(firstField(run, 'prompt_tokens') ?? firstField(usage, 'input_tokens', 'prompt_tokens')),
    outputTokens: readNumber(
      firstField(run, 'completion_tokens') ?? firstField(usage, 'output_tokens', 'completion_tokens'),
    ),
    cachedTokens: readNumber(field(field(usage, 'input_token_details'), 'cache_read')),
    reasoningTokens: readNumber(field(field(usage, 'output_token_details'), 'reasoning')),
  })
  recorder.addCost(readNumber(field(run, 'total_cost')))
  const time = firstText(run, 'start_time')
  return recorder.addStep({
    source: 'agent',
    text: readParts(field(message, 'content')),
    ...(model !== undefined && { model }),
    ...(time !== undefined && { time }),
  })
}

/** The answers of a model: LangChain's serialised messages one or two lists deep, OpenAI's choices, Anthropic's message. */
function listAnswers(run: unknown): unknown[] {
  const outputs = field(run, 'outputs')
  const generations = (listField(outputs, 'generations') ?? []).flat()
  const generated = generations.map((generation) => unserialise(field(generation, 'message'))).filter(isJsonObject)
  if (generated.length > 0) return generated
  const choices = (listField(outputs, 'choices') ?? []).map((choice) => field(choice, 'message')).filter(isJsonObject)
  if (choices.length > 0) return choices
  const message = unserialise(firstField(outputs, 'message', 'output'))
  if (isJsonObject(message)) return [message]
  const messages = listField(outputs, 'messages')
  if (messages && messages.length > 0) return [unserialise(messages.at(-1))]
  return isJsonObject(outputs) && (outputs['content'] !== undefined || outputs['tool_calls'] !== undefined)
    ? [outputs]
    : []
}

/** LangChain writes objects as `{ lc, type, id, kwargs }`. */
function unserialise(value: unknown): unknown {
  const kwargs = field(value, 'kwargs')
  return isJsonObject(kwargs) ? kwargs : value
}

function listCalls(run: unknown): { id: string | undefined; name: string; input: unknown }[] {
  return listAnswers(run).flatMap((message) => {
    const blocks = (listField(message, 'content') ?? []).filter((block) => textField(block, 'type') === 'tool_use')
    const direct =
      listField(message, 'tool_calls') ?? listField(field(message, 'additional_kwargs'), 'tool_calls') ?? []
    return (direct.length > 0 ? direct : blocks).flatMap((given) => {
      const inside = field(given, 'function') ?? given
      const name = textField(inside, 'name')
      if (name === undefined) return []
      return [{ id: idField(given, 'id'), name, input: unwrapJson(firstField(inside, 'args', 'arguments', 'input')) }]
    })
  })
}

function addToolRun(run: unknown, recorder: Recorder, step: TrajectoryStep): void {
  const inputs = field(run, 'inputs')
  // What a tool was given is often one text, as Python prints it.
  const only = isJsonObject(inputs) && Object.keys(inputs).length === 1 ? field(inputs, 'input') : undefined
  const input = readPythonLiteral(unwrapJson(only))
  const name = textField(run, 'name') ?? ''
  const reply = unserialise(field(field(run, 'outputs'), 'output')) ?? field(run, 'outputs')
  const id = idField(reply, 'tool_call_id')
  recorder.addCall(step, { id, name, input: isJsonObject(input) ? input : (inputs ?? {}) })
  const error = textField(run, 'error')
  const isError = (error !== undefined && error !== '') || textField(run, 'status') === 'error'
  const content = field(reply, 'content')
  if (isError || (reply !== undefined && reply !== null))
    recorder.answer({
      id,
      name,
      text: isError ? (error ?? '') : content === undefined ? asText(reply) : readParts(content) || asText(content),
      isError: isError || textField(reply, 'status') === 'error',
    })
}

function readUserInput(run: unknown): string[] {
  const messages = (listField(field(run, 'inputs'), 'messages') ?? []).flat().map(unserialise)
  return messages
    .filter((message) => ['user', 'human'].includes(textField(message, 'role') ?? textField(message, 'type') ?? ''))
    .map((message) => readParts(field(message, 'content')))
    .filter((text) => text !== '')
}
