import type { Trajectory, TrajectoryStep } from '../../scoring/tool-calls/index.ts'
import type { Recorder } from './recorder.ts'
import { isModelSpan, isToolSpan, nameOfTool, readToolSpan, spanText, type Span } from './span.ts'
import { readMessages, type SpanMessage } from './span-messages.ts'
import { firstField, readNumber } from './values.ts'

function readUsage(span: Span) {
  const count = (...names: readonly string[]) => readNumber(firstField(span.attributes, ...names))
  return {
    inputTokens: count(
      'gen_ai.usage.input_tokens',
      'gen_ai.usage.prompt_tokens',
      'llm.token_count.prompt',
      'ai.usage.promptTokens',
      'ai.usage.inputTokens',
      'llm.usage.prompt_tokens',
    ),
    outputTokens: count(
      'gen_ai.usage.output_tokens',
      'gen_ai.usage.completion_tokens',
      'llm.token_count.completion',
      'ai.usage.completionTokens',
      'ai.usage.outputTokens',
      'llm.usage.completion_tokens',
    ),
    cachedTokens: count(
      'gen_ai.usage.cache_read.input_tokens',
      'gen_ai.usage.cache_read_input_tokens',
      'gen_ai.usage.input_tokens.cached',
      'gen_ai.usage.details.cache_read_tokens',
      'llm.token_count.prompt_details.cache_read',
      'ai.usage.cachedInputTokens',
    ),
    reasoningTokens: count(
      'gen_ai.usage.reasoning.output_tokens',
      'gen_ai.usage.reasoning_tokens',
      'gen_ai.usage.output_tokens.reasoning',
      'gen_ai.usage.details.reasoning_tokens',
      'llm.token_count.completion_details.reasoning',
      'ai.usage.reasoningTokens',
    ),
  }
}

function readCost(span: Span): number | undefined {
  const whole = readNumber(firstField(span.attributes, 'gen_ai.usage.cost', 'llm.cost.total', 'operation.cost'))
  if (whole !== undefined) return whole
  const parts = ['gen_ai.usage.input_cost', 'gen_ai.usage.output_cost'].map((name) => readNumber(span.attributes[name]))
  return parts.some((part) => part !== undefined)
    ? parts.reduce<number>((sum, part) => sum + (part ?? 0), 0)
    : undefined
}

const keyOf = ({ trace, id }: Pick<Span, 'trace' | 'id'>): string => `${trace} ${id}`

/** Spans are exported again, by retries and before they have ended: the copy that says most counts. */
function keepOnce(given: readonly Span[]): Span[] {
  const sizeOf = ({ end, attributes, events, isError }: Span) =>
    Object.keys(attributes).length + events.length + (end === undefined ? 0 : 1) + (isError ? 1 : 0)
  const kept = new Map<string | Span, Span>()
  for (const span of given) {
    const key = span.id === '' ? span : keyOf(span)
    const other = kept.get(key)
    if (!other || sizeOf(span) > sizeOf(other)) kept.set(key, span)
  }
  return [...kept.values()]
}

/**
 * The requests to models. Two instrumentations write one request as two spans, one inside the other, and a loop over
 * several requests may say of itself what they say: those are not requests of their own.
 */
function findRequests(spans: readonly Span[], parentOf: (span: Span) => Span | undefined) {
  const models = new Set(spans.filter(isModelSpan))
  const partsOf = new Map<Span, Span[]>()
  const tops: Span[] = []
  for (const span of models) {
    const above = findAbove(span)
    if (above) partsOf.set(above, [...(partsOf.get(above) ?? []), span])
    else tops.push(span)
  }
  const requests = new Set<Span>()
  const sums = new Map<Span, Span>()
  const open = [...tops]
  for (const span of open) {
    const loop = [span, ...listBelow(span)].find((one) => (partsOf.get(one) ?? []).length > 1)
    const parts = (loop && partsOf.get(loop)) ?? []
    const [first] = parts
    if (!first) {
      requests.add(span)
      continue
    }
    // Its tokens are those of its parts; where they say none, the first one has them all.
    if (!parts.flatMap((part) => [part, ...listBelow(part)]).some((one) => hasUsage(readUsage(one))))
      sums.set(first, span)
    open.push(...parts)
  }
  return {
    requests: spans.filter((span) => requests.has(span)),
    usageOf(span: Span): ReturnType<typeof readUsage> {
      const own = [span, ...listBelow(span)].map(readUsage).find(hasUsage)
      return own ?? readUsage(sums.get(span) ?? span)
    },
  }

  /** The model's span that this one is inside of, unless a tool or an agent of its own is between them. */
  function findAbove(span: Span): Span | undefined {
    let at = parentOf(span)
    for (let depth = 0; at && at !== span && depth < 100; depth += 1) {
      if (models.has(at)) return at
      if (isToolSpan(at)) return undefined
      at = parentOf(at)
    }
    return undefined
  }

  function listBelow(span: Span): Span[] {
    const below = [...(partsOf.get(span) ?? [])]
    for (const part of below) below.push(...(partsOf.get(part) ?? []))
    return below
  }
}

const hasUsage = ({ inputTokens, outputTokens }: ReturnType<typeof readUsage>): boolean =>
  inputTokens !== undefined || outputTokens !== undefined

/** Reads the agent's spans of one trace, in time order whatever their order in the file. */
export function addSpans(given: readonly Span[], recorder: Recorder): void {
  const spans = keepOnce(given).toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  const byId = new Map(spans.map((span) => [keyOf(span), span]))
  const parentOf = ({ trace, parent }: Span) => byId.get(keyOf({ trace, id: parent ?? '' }))
  for (const span of spans) {
    recorder.seeTime(span.start)
    recorder.seeTime(span.end)
  }
  const { requests, usageOf } = findRequests(spans, parentOf)

  const tools = spans.filter(isToolSpan)
  const seen = new Set<string>()
  const toolSet = new Set(
    tools.filter((span) => {
      const above = parentOf(span)
      if (above && isToolSpan(above) && nameOfTool(above) === nameOfTool(span)) return false
      const { id } = readToolSpan(span)
      if (id !== undefined && seen.has(id)) return false
      if (id !== undefined) seen.add(id)
      return true
    }),
  )

  let current: TrajectoryStep | undefined
  const requestSet = new Set(requests)
  const inputs = requests.map((span) => readMessages(span, 'input'))
  for (const message of inputs[0] ?? [])
    if (message.role === 'user' || message.role === 'system')
      recorder.addStep({ source: message.role, text: message.text })
  for (const span of spans) {
    if (requestSet.has(span)) {
      const model = spanText(span, 'gen_ai.request.model', 'gen_ai.response.model', 'llm.model_name', 'ai.model.id')
      recorder.addAssistantTurn(model)
      const usage = usageOf(span)
      const cost = readCost(span)
      recorder.addUsage(usage)
      recorder.addCost(cost)
      const output = readMessages(span, 'output')
      current = recorder.addStep({
        source: 'agent',
        text: output
          .map((message) => message.text)
          .filter((said) => said !== '')
          .join('\n'),
        ...(model !== undefined && { model }),
        ...(span.start !== undefined && { time: new Date(span.start).toISOString() }),
        ...(usage.outputTokens !== undefined && { outputTokens: usage.outputTokens }),
        ...(cost !== undefined && { cost }),
      })
      if (toolSet.size === 0) addMessageCalls(output, { recorder, step: current, seen })
    } else if (toolSet.has(span)) {
      const { name, id, input, output } = readToolSpan(span)
      const call = recorder.addCall((current ??= recorder.addStep({ source: 'agent', text: '' })), { id, name, input })
      recorder.answer({ id, name, text: output, isError: span.isError || spanText(span, 'error.type') !== undefined })
      if (call.result === undefined) call.result = output
    }
  }
  if (toolSet.size === 0) addMessageResults(inputs, recorder)
  readVerdict(spans, recorder.facts)
}

/** Where tools have no spans, the model's own words have the calls: each id once. */
function addMessageCalls(
  messages: readonly SpanMessage[],
  { recorder, step, seen }: { recorder: Recorder; step: TrajectoryStep; seen: Set<string> },
): void {
  for (const { calls } of messages)
    for (const call of calls) {
      if (call.id !== undefined && seen.has(call.id)) continue
      if (call.id !== undefined) seen.add(call.id)
      recorder.addCall(step, call)
    }
}

function addMessageResults(inputs: readonly (readonly SpanMessage[])[], recorder: Recorder): void {
  const answered = new Set<string>()
  for (const { id, output } of inputs.flat().flatMap(({ replies }) => replies)) {
    if (id === undefined || answered.has(id)) continue
    answered.add(id)
    recorder.answer({ id, text: output })
  }
}

function readVerdict(spans: readonly Span[], facts: Partial<Trajectory>): void {
  const verdicts = spans.flatMap(({ events }) => events.filter(({ name }) => name === 'gen_ai.evaluation.result'))
  const scores = verdicts.map(({ attributes }) => readNumber(firstField(attributes, 'gen_ai.evaluation.score.value')))
  const [score] = scores
  // Several judgements are no verdict.
  if (scores.length === 1 && score !== undefined && score >= 0 && score <= 1) facts.reward = score
  const label = verdicts.length === 1 ? firstField(verdicts[0]!.attributes, 'gen_ai.evaluation.score.label') : undefined
  if (typeof label === 'string') facts.outcome = label
}

/** How many messages of the user the first request had. */
export function countUserMessages(spans: readonly Span[]): number {
  const [first] = spans.filter(isModelSpan).toSorted((a, b) => (a.start ?? 0) - (b.start ?? 0))
  return first ? readMessages(first, 'input').filter(({ role }) => role === 'user').length : 0
}
