/** What the fake model server says, in the words of each vendor's interface, streamed or whole. */
export type Vendor = 'openai' | 'anthropic' | 'google'

/** One answer of a model, whoever sells it. */
export interface Spoken {
  text?: string
  /** Arguments that are a text are sent as they are, which may be no JSON. */
  calls?: { id?: string; name: string; arguments: unknown }[]
  /** What the vendor wants back unchanged with this message. */
  state?: string
}

/** The vendor of a path; undefined if it is none where models answer. */
export function vendorOf(path: string): Vendor | undefined {
  if (path.endsWith('/chat/completions')) return 'openai'
  if (path.endsWith('/messages')) return 'anthropic'
  return /\/models\/[^/:]+:(?:stream)?generateContent$/i.test(path) ? 'google' : undefined
}

const USAGE = { prompt: 100, completion: 10 }
const data = (value: unknown): string => `data: ${JSON.stringify(value)}\n\n`
const named = (type: string, value: object): string => `event: ${type}\n${data({ type, ...value })}`
const writeArguments = (given: unknown): string => (typeof given === 'string' ? given : JSON.stringify(given))
/** As streams do: no piece is JSON by itself. */
const halve = (text: string): string[] => [
  text.slice(0, Math.ceil(text.length / 2)),
  text.slice(Math.ceil(text.length / 2)),
]

type Call = NonNullable<Spoken['calls']>[number]

function writeOpenAI(model: string, { text = '', calls = [], state }: Spoken, cost: number | undefined) {
  const usage = {
    prompt_tokens: USAGE.prompt,
    completion_tokens: USAGE.completion,
    total_tokens: USAGE.prompt + USAGE.completion,
    ...(cost !== undefined && { cost }),
  }
  const details = state && [{ format: 'openai-responses-v1', index: 0, type: 'reasoning.encrypted', data: state }]
  const reason = calls.length > 0 ? 'tool_calls' : 'stop'
  const open = ({ id, name }: Call, index: number, given: string) => ({
    index,
    ...(id !== undefined && { id }),
    type: 'function',
    function: { name, arguments: given },
  })
  const chunk = (delta: object, finish: string | null = null) =>
    data({ object: 'chat.completion.chunk', model, choices: [{ index: 0, delta, finish_reason: finish }] })
  return {
    whole: {
      model,
      choices: [
        {
          index: 0,
          message: {
            role: 'assistant',
            content: text,
            ...(details && { reasoning_details: details }),
            ...(calls.length > 0 && {
              tool_calls: calls.map((call, index) => open(call, index, writeArguments(call.arguments))),
            }),
          },
          finish_reason: reason,
        },
      ],
      usage,
    },
    pieces: [
      ...(details ? [chunk({ reasoning_details: details })] : []),
      ...(text === '' ? [] : [chunk({ content: text })]),
      ...calls.flatMap((call, index) => [
        chunk({ tool_calls: [open(call, index, '')] }),
        ...halve(writeArguments(call.arguments)).map((piece) =>
          chunk({ tool_calls: [{ index, function: { arguments: piece } }] }),
        ),
      ]),
      `${chunk({}, reason)}${data({ object: 'chat.completion.chunk', model, choices: [], usage })}data: [DONE]\n\n`,
    ],
  }
}

function writeAnthropic(model: string, { text = '', calls = [], state }: Spoken) {
  const reason = calls.length > 0 ? 'tool_use' : 'end_turn'
  const usage = { input_tokens: USAGE.prompt, output_tokens: USAGE.completion }
  const message = { id: 'msg_fake', type: 'message', role: 'assistant', model, content: [], stop_reason: null, usage }
  const idOf = ({ id }: Call, index: number) => id ?? `toolu_${index}`
  const blocks = [
    ...(state === undefined
      ? []
      : [
          {
            start: { type: 'thinking', thinking: '', signature: '' },
            deltas: [
              { type: 'thinking_delta', thinking: 'Hm.' },
              { type: 'signature_delta', signature: state },
            ],
            whole: { type: 'thinking', thinking: 'Hm.', signature: state },
          },
        ]),
    ...(text === ''
      ? []
      : [
          {
            start: { type: 'text', text: '' },
            deltas: [{ type: 'text_delta', text }],
            whole: { type: 'text', text },
          },
        ]),
    ...calls.map((call, index) => ({
      start: { type: 'tool_use', id: idOf(call, index), name: call.name, input: {} },
      deltas: halve(writeArguments(call.arguments)).map((piece) => ({ type: 'input_json_delta', partial_json: piece })),
      whole: { type: 'tool_use', id: idOf(call, index), name: call.name, input: call.arguments },
    })),
  ]
  return {
    whole: { ...message, content: blocks.map(({ whole }) => whole), stop_reason: reason },
    pieces: [
      named('message_start', { message }),
      ...blocks.flatMap(({ start, deltas }, index) => [
        named('content_block_start', { index, content_block: start }),
        ...deltas.map((delta) => named('content_block_delta', { index, delta })),
        named('content_block_stop', { index }),
      ]),
      `${named('message_delta', { delta: { stop_reason: reason, stop_sequence: null }, usage })}${named('message_stop', {})}`,
    ],
  }
}

function writeGoogle(model: string, { text = '', calls = [], state }: Spoken) {
  const usageMetadata = {
    promptTokenCount: USAGE.prompt,
    candidatesTokenCount: USAGE.completion,
    totalTokenCount: USAGE.prompt + USAGE.completion,
  }
  const signed = state !== undefined && { thoughtSignature: state }
  const parts = [
    ...(text === '' ? [] : [{ text, ...(calls.length === 0 && signed) }]),
    // A signature comes with the first of parallel calls.
    ...calls.map(({ name, arguments: args }, index) => ({
      functionCall: { name, args },
      ...(index === 0 && signed),
    })),
  ]
  const reply = (some: object[], isLast: boolean) => ({
    candidates: [{ content: { role: 'model', parts: some }, index: 0, ...(isLast && { finishReason: 'STOP' }) }],
    usageMetadata,
    modelVersion: model,
  })
  return {
    whole: reply(parts, true),
    pieces: [...parts.map((part) => data(reply([part], false))), data(reply([], true))],
  }
}

/** A reply in the vendor's own words. Only OpenAI-like routers say what it cost. */
export function writeSpoken(
  vendor: Vendor,
  model: string,
  spoken: Spoken,
  cost: number | undefined,
): { whole: unknown; pieces: string[] } {
  if (vendor === 'anthropic') return writeAnthropic(model, spoken)
  return vendor === 'google' ? writeGoogle(model, spoken) : writeOpenAI(model, spoken, cost)
}

/** An error in the vendor's own words. */
export function writeError(vendor: Vendor, fault: 'rateLimit' | 'serverError'): unknown {
  const isLimit = fault === 'rateLimit'
  const message = isLimit ? 'Rate limit reached' : 'The server had an error'
  if (vendor === 'anthropic')
    return { type: 'error', error: { type: isLimit ? 'rate_limit_error' : 'api_error', message } }
  if (vendor === 'google')
    return { error: { code: isLimit ? 429 : 500, message, status: isLimit ? 'RESOURCE_EXHAUSTED' : 'INTERNAL' } }
  const type = isLimit ? 'requests' : 'server_error'
  return { error: { message, type, ...(isLimit && { code: 'rate_limit_exceeded' }) } }
}
