import { isJsonObject, asText } from '../../../contract/index.ts'
import type { Trajectory, TrajectoryStep } from '../../../scoring/tool-calls/index.ts'
import { unwrapJson } from '../../../scoring/tool-calls/index.ts'
import { field, idField, listField, textField } from '../../tool-results/formats/fields.ts'
import { readPythonLiteral } from '../python-literal.ts'
import type { TrajectoryReader } from '../reader.ts'
import { createRecorder, type Recorder } from '../recorder.ts'
import { readCallId, readToolSpan, type Span } from '../span.ts'
import { firstField, firstText, readNumber, readParts, readTime } from '../values.ts'

/** Langfuse exports: `{ trace, observations }`, a trace of its API, or observations as a list or one a line. */
export const langfuse: TrajectoryReader = {
  name: 'langfuse',
  looksLike: 'a Langfuse export (trace and observations)',

  recognises: (sample) => sample.some((document) => listTraces([document]).length > 0),

  read: (source) => listTraces([...source.records()]).map((found) => readTrace(found, source.file)),
}

interface Found {
  trace: unknown
  observations: readonly unknown[]
}

const types = new Set([
  'GENERATION',
  'TOOL',
  'AGENT',
  'CHAIN',
  'SPAN',
  'EVENT',
  'RETRIEVER',
  'EVALUATOR',
  'EMBEDDING',
  'GUARDRAIL',
])

const isObservation = (value: unknown): boolean =>
  types.has(textField(value, 'type') ?? '') &&
  (field(value, 'traceId') !== undefined || field(value, 'trace_id') !== undefined) &&
  (field(value, 'startTime') !== undefined || field(value, 'start_time') !== undefined)

function listTraces(documents: readonly unknown[]): Found[] {
  const found: Found[] = []
  const loose: unknown[] = []
  const traces: unknown[] = []
  for (const document of documents.flat()) {
    const observations = listField(document, 'observations')
    const several = listField(document, 'traces')
    if (several && observations) {
      traces.push(...several)
      loose.push(...observations.filter(isObservation))
    } else if (observations?.some(isObservation))
      found.push({ trace: field(document, 'trace') ?? document, observations })
    else if (isObservation(document)) loose.push(document)
  }
  const byTrace = Map.groupBy(loose, (one) => idField(one, 'traceId', 'trace_id') ?? '')
  const ofId = (id: string): unknown => traces.find((trace) => idField(trace, 'id') === id) ?? { id }
  return [...found, ...[...byTrace].map(([id, observations]) => ({ trace: ofId(id), observations }))]
}

interface Observation {
  fields: Record<string, unknown>
  type: string
  id: string
  parent: string | undefined
  name: string
  start: number | undefined
  attributes: Record<string, unknown>
}

function readObservation(fields: unknown): Observation {
  const attributes = field(unwrapJson(field(fields, 'metadata')), 'attributes')
  return {
    fields: isJsonObject(fields) ? fields : {},
    type: textField(fields, 'type') ?? '',
    id: idField(fields, 'id') ?? '',
    parent: idField(fields, 'parentObservationId', 'parent_observation_id'),
    name: textField(fields, 'name') ?? '',
    start: readTime(firstField(fields, 'startTime', 'start_time')),
    attributes: isJsonObject(attributes) ? attributes : {},
  }
}

function readTrace({ trace, observations: given }: Found, file: string): Trajectory {
  const recorder = createRecorder({ file, format: langfuse.name, marksErrors: true, countsUserTurns: false })
  // Pages of the API overlap.
  const once = new Map(given.map((one) => [idField(one, 'id') ?? one, one]))
  const observations = [...once.values()].map(readObservation).toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  const generations = observations.filter(({ type }) => type === 'GENERATION')
  const generationIds = new Set(generations.map(({ id }) => id))
  const made = new Map(generations.map((generation) => [generation, findCalls(field(generation.fields, 'output'))]))
  const called = new Set([...made.values()].flatMap((calls) => calls.map(({ name }) => name)))
  const tools = new Set(findTools(observations, called))

  const sums = findSums(observations)
  for (const text of readUserInput(trace, generations)) recorder.addStep({ source: 'user', text })
  let current: TrajectoryStep | undefined
  const seen = new Set<string>()
  for (const observation of observations) {
    const { fields, type, start } = observation
    recorder.seeTime(start)
    recorder.seeTime(readTime(firstField(fields, 'endTime', 'end_time')))
    const isRepeated = type === 'GENERATION' && isInside(observation, generationIds)
    if (!isRepeated && !sums.has(observation.id)) recorder.addCost(readNumber(field(fields, 'totalCost')))
    if (type === 'GENERATION') {
      current = addGeneration(observation, recorder, isRepeated)
      if (tools.size === 0)
        for (const call of made.get(observation) ?? []) {
          if (call.id !== undefined && seen.has(call.id)) continue
          if (call.id !== undefined) seen.add(call.id)
          recorder.addCall(current, call)
        }
    } else if (tools.has(observation))
      addTool(observation, recorder, (current ??= recorder.addStep({ source: 'agent', text: '' })))
    else if (!types.has(type)) recorder.noteUnknown(type)
  }
  if (tools.size === 0) addReplies(generations, recorder)
  readFacts(trace, recorder.facts)
  return recorder.finish()
}

/** Tools by their type, else by what they say of themselves, else the leaves that are named like a called tool. */
function findTools(observations: readonly Observation[], called: ReadonlySet<string>): Observation[] {
  const typed = observations.filter(({ type }) => type === 'TOOL')
  if (typed.length > 0) return typed
  const named = observations.filter(
    ({ type, attributes }) =>
      type !== 'GENERATION' && firstText(attributes, 'gen_ai.tool.name', 'tool.name') !== undefined,
  )
  if (named.length > 0) return named
  const parents = new Set(observations.map(({ parent }) => parent))
  return observations.filter(
    ({ type, name, id }) => type !== 'GENERATION' && type !== 'EVENT' && called.has(name) && !parents.has(id),
  )
}

/** Two instrumentations write one request as two generations, one inside the other: its tokens and cost count once. */
const isInside = ({ parent }: Observation, generations: ReadonlySet<string>): boolean =>
  parent !== undefined && generations.has(parent)

/** What an agent's or a chain's observation costs is the sum of what is inside it. */
function findSums(observations: readonly Observation[]): ReadonlySet<string> {
  const byId = new Map(observations.map((observation) => [observation.id, observation]))
  const sums = new Set<string>()
  for (const { fields, parent } of observations) {
    if (!readNumber(field(fields, 'totalCost'))) continue
    const seen = new Set<string>()
    for (let at = byId.get(parent ?? ''); at && !seen.has(at.id); at = byId.get(at.parent ?? '')) {
      seen.add(at.id)
      if (at.type !== 'GENERATION') sums.add(at.id)
    }
  }
  return sums
}

function addGeneration({ fields, start }: Observation, recorder: Recorder, isRepeated: boolean): TrajectoryStep {
  const model = firstText(fields, 'model', 'providedModelName')
  recorder.addAssistantTurn(model)
  const usage = firstField(fields, 'usageDetails', 'usage')
  const count = (...names: readonly string[]) => readNumber(firstField(usage, ...names))
  const outputTokens =
    count('output', 'completionTokens', 'completion_tokens', 'output_tokens') ??
    readNumber(firstField(fields, 'completionTokens', 'outputUsage'))
  const cost = readNumber(field(fields, 'totalCost'))
  if (!isRepeated)
    recorder.addUsage({
      inputTokens:
        count('input', 'promptTokens', 'prompt_tokens', 'input_tokens') ??
        readNumber(firstField(fields, 'promptTokens', 'inputUsage')),
      outputTokens,
      cachedTokens: count(
        'prompt_details.cache_read',
        'input_cached_tokens',
        'cache_read_input_tokens',
        'input_cache_read',
      ),
      reasoningTokens: count('completion_details.reasoning', 'output_reasoning_tokens', 'output_reasoning'),
    })
  return recorder.addStep({
    source: 'agent',
    text: readSaid(field(fields, 'output')),
    ...(model !== undefined && { model }),
    ...(start !== undefined && { time: new Date(start).toISOString() }),
    ...(!isRepeated && outputTokens !== undefined && { outputTokens }),
    ...(!isRepeated && cost !== undefined && { cost }),
  })
}

function addTool({ fields, name, attributes }: Observation, recorder: Recorder, step: TrajectoryStep): void {
  const span: Span = {
    trace: '',
    id: '',
    parent: undefined,
    name,
    start: undefined,
    end: undefined,
    attributes,
    events: [],
    isError: false,
  }
  const facts = readToolSpan(span)
  const input = readPythonLiteral(unwrapJson(field(fields, 'input')))
  const hasInput = isJsonObject(input) ? Object.keys(input).length > 0 : input !== undefined && input !== null
  const output = field(fields, 'output')
  const call = recorder.addCall(step, {
    id: facts.id,
    name: facts.name === '' ? name : facts.name,
    input: hasInput ? input : (facts.input ?? {}),
  })
  const isError = textField(fields, 'level') === 'ERROR'
  const text = isError ? (textField(fields, 'statusMessage') ?? asText(output)) : asText(output)
  recorder.answer({
    id: facts.id,
    name: call.name,
    text: text === '' || text === '{}' ? facts.output || text : text,
    isError,
  })
}

interface MadeCall {
  id: string | undefined
  name: string
  input: unknown
}

/** The calls anywhere in a model's output, in the forms of OpenAI, Anthropic, Gemini and the conventions of OpenTelemetry. */
function findCalls(output: unknown): MadeCall[] {
  const found: MadeCall[] = []
  const visit = (value: unknown, depth: number): void => {
    if (depth > 12 || typeof value !== 'object' || value === null) return
    if (Array.isArray(value)) {
      for (const item of value) visit(item, depth + 1)
      return
    }
    const call = readMadeCall(value)
    if (call) found.push(call)
    else for (const inside of Object.values(value)) visit(inside, depth + 1)
  }
  visit(unwrapJson(output), 0)
  return found.filter(({ id }, index) => id === undefined || found.findIndex((other) => other.id === id) === index)
}

function readMadeCall(value: unknown): MadeCall | undefined {
  const type = textField(value, 'type')
  const gemini = field(value, 'function_call') ?? field(value, 'functionCall')
  const inside = isJsonObject(gemini) ? gemini : (field(value, 'function') ?? value)
  const name = textField(inside, 'name')
  const input = firstField(inside, 'arguments', 'args', 'input')
  // The definition of a tool has a name and parameters, but no arguments.
  const isCall =
    isJsonObject(gemini) || ['function', 'function_call', 'tool_call', 'tool_use', 'tool-call'].includes(type ?? '')
  if (!isCall || name === undefined || (input === undefined && field(inside, 'parameters') !== undefined))
    return undefined
  return { id: readCallId(firstField(value, 'call_id', 'id')), name, input: unwrapJson(input) }
}

/** Where tools were not observed, the next request has their replies. */
function addReplies(generations: readonly Observation[], recorder: Recorder): void {
  const answered = new Set<string>()
  for (const { fields } of generations) {
    const input = unwrapJson(field(fields, 'input'))
    const messages = Array.isArray(input) ? input : (listField(input, 'messages') ?? [])
    for (const message of messages) {
      const id = readCallId(firstField(message, 'tool_call_id', 'call_id'))
      const isReply = textField(message, 'role') === 'tool' || textField(message, 'type') === 'function_call_output'
      if (!isReply || id === undefined || answered.has(id)) continue
      answered.add(id)
      recorder.answer({ id, text: readParts(field(message, 'content')) || asText(field(message, 'output')) })
    }
  }
}

function readSaid(output: unknown): string {
  const value = unwrapJson(output)
  if (typeof value === 'string') return value
  const list = Array.isArray(value) ? value : [value]
  return list
    .map((message) => {
      const content = field(message, 'content')
      return typeof content === 'string'
        ? content
        : readParts(field(content, 'parts') ?? listField(message, 'parts') ?? content)
    })
    .filter((text) => text !== '')
    .join('\n')
}

function readUserInput(trace: unknown, generations: readonly Observation[]): string[] {
  const input = unwrapJson(field(generations[0]?.fields, 'input')) ?? unwrapJson(field(trace, 'input'))
  const messages = Array.isArray(input) ? input : (listField(input, 'messages') ?? listField(input, 'contents') ?? [])
  return messages
    .filter((message) => textField(message, 'role') === 'user')
    .map((message) => readParts(field(message, 'content') ?? field(message, 'parts')))
    .filter((text) => text !== '')
}

/** Scores that say whether the task was done; others, such as toxicity, are no verdict. */
const verdictNames = /^(reward|success|succeeded|correct(ness)?|pass(ed)?|solved|task[ _-]?(success|completion))$/i

function readFacts(trace: unknown, facts: Partial<Trajectory>): void {
  facts.id = idField(trace, 'id') ?? null
  const verdicts = (listField(trace, 'scores') ?? []).filter((score) =>
    verdictNames.test(textField(score, 'name') ?? ''),
  )
  const reward = verdicts.length === 1 ? readNumber(field(verdicts[0], 'value')) : undefined
  if (reward !== undefined && reward >= 0 && reward <= 1) facts.reward = reward
  const metadata = unwrapJson(field(trace, 'metadata'))
  facts.task = idField(metadata, 'task_id', 'taskId', 'dataset_item_id', 'datasetItemId') ?? null
}
