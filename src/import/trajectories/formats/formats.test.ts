import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countTrajectory, type TrajectoryCounts } from '../../../scoring/tool-calls/index.ts'
import { makeZip } from '../../results/testing/zip-file.ts'
import { readTrajectories } from '../index.ts'
import { readText } from '../testing/read-again.ts'

async function countOf(content: unknown, name?: string): Promise<TrajectoryCounts> {
  const [first] = await readText(content, name)
  return countTrajectory(first!)
}

const call = (id: string, name: string, given: unknown) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
})

describe('OpenAI chat', () => {
  it('counts a reused id once a turn, and old function calls', async () => {
    const counts = await countOf([
      { role: 'user', content: 'hi' },
      { role: 'assistant', content: null, tool_calls: [call('c', 'look', '{"at": 1}')] },
      { role: 'tool', tool_call_id: 'c', content: 'one' },
      { role: 'assistant', content: '', tool_calls: [call('c', 'look', '{"at": 2}'), call('d', 'jump', 'high')] },
      { role: 'tool', tool_call_id: 'c', content: 'two' },
      { role: 'assistant', content: null, function_call: { name: 'old', arguments: '{}' } },
    ])
    expect(counts).toMatchObject({
      format: 'openai-chat',
      calls: 4,
      byName: { jump: 1, look: 2, old: 1 },
      results: 2,
      errors: null,
      unanswered: 2,
      userTurns: 1,
      assistantTurns: 3,
    })
  })

  it('puts streamed pieces together', async () => {
    const chunk = (delta: object, more = {}) => ({
      id: 'x',
      object: 'chat.completion.chunk',
      model: 'm',
      choices: [{ delta }],
      ...more,
    })
    const [trajectory] = await readText(
      [
        chunk({ role: 'assistant', tool_calls: [{ index: 0, id: 'c', function: { name: 'look', arguments: '' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: '{"at"' } }] }),
        chunk({ tool_calls: [{ index: 0, function: { arguments: ': 1}' } }] }),
        chunk(
          {},
          { usage: { prompt_tokens: 5, completion_tokens: 2, completion_tokens_details: { reasoning_tokens: 1 } } },
        ),
      ],
      'stream.jsonl',
    )
    expect(trajectory?.steps[0]?.calls).toEqual([{ id: 'c', name: 'look', arguments: { at: 1 } }])
    expect(trajectory).toMatchObject({ model: 'm', usage: { inputTokens: 5, outputTokens: 2, reasoningTokens: 1 } })
  })
})

it('OpenAI Responses: call_id connects a call with its output', async () => {
  const counts = await countOf({
    object: 'response',
    model: 'gpt-x',
    input: [{ role: 'user', content: 'hi' }],
    output: [
      { type: 'reasoning', id: 'r', summary: [] },
      { type: 'function_call', id: 'fc_1', call_id: 'call_1', name: 'look', arguments: '{}' },
      { type: 'function_call_output', call_id: 'call_1', output: 'seen' },
      { type: 'mcp_call', id: 'm1', name: 'search', arguments: '{"q":"a"}', output: 'found' },
      { type: 'web_search_call', id: 'w1', status: 'completed' },
      { type: 'message', role: 'assistant', content: [{ type: 'output_text', text: 'done' }] },
    ],
    usage: { input_tokens: 9, output_tokens: 3, input_tokens_details: { cached_tokens: 4 } },
  })
  expect(counts).toMatchObject({
    format: 'openai-responses',
    model: 'gpt-x',
    calls: 3,
    byName: { look: 1, search: 1, web_search_call: 1 },
    results: 3,
    unanswered: 0,
    usage: { inputTokens: 9, outputTokens: 3, cachedTokens: 4 },
  })
})

describe('Anthropic messages', () => {
  it('reads blocks, errors and the provider’s own tools', async () => {
    const counts = await countOf({
      messages: [
        { role: 'user', content: 'hi' },
        {
          role: 'assistant',
          content: [
            { type: 'tool_use', id: 'a', name: 'look', input: { at: 1 } },
            { type: 'tool_use', id: 'b', name: 'look', input: { at: 2 } },
          ],
        },
        {
          role: 'user',
          content: [
            { type: 'tool_result', tool_use_id: 'b', is_error: true, content: 'no' },
            { type: 'tool_result', tool_use_id: 'a', content: [{ type: 'text', text: 'yes' }] },
          ],
        },
        {
          role: 'assistant',
          content: [
            { type: 'server_tool_use', id: 's', name: 'web_search', input: { query: 'x' } },
            { type: 'web_search_tool_result', tool_use_id: 's', content: [] },
            { type: 'text', text: 'done' },
          ],
        },
      ],
    })
    expect(counts).toMatchObject({
      format: 'anthropic-messages',
      calls: 3,
      results: 3,
      errors: 1,
      unanswered: 0,
      userTurns: 1,
      assistantTurns: 2,
    })
  })

  it('puts streamed events together', async () => {
    const [trajectory] = await readText(
      [
        { type: 'message_start', message: { role: 'assistant', model: 'claude', content: [] } },
        {
          type: 'content_block_start',
          index: 0,
          content_block: { type: 'tool_use', id: 'a', name: 'look', input: {} },
        },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: '{"at"' } },
        { type: 'content_block_delta', index: 0, delta: { type: 'input_json_delta', partial_json: ': 1}' } },
        { type: 'message_stop' },
      ],
      'stream.jsonl',
    )
    expect(trajectory?.steps[0]?.calls).toEqual([{ id: 'a', name: 'look', arguments: { at: 1 } }])
  })
})

describe('Claude Code', () => {
  const line = (type: string, message: object, more = {}) => ({
    type,
    uuid: crypto.randomUUID(),
    sessionId: 's',
    message,
    ...more,
  })
  const use = (id: string) => ({ type: 'tool_use', id, name: 'Bash', input: { command: 'ls' } })

  it('counts a reply once, however many lines it has, and names what it does not know', async () => {
    const reply = (content: unknown[], output: number) =>
      line('assistant', {
        id: 'msg',
        model: 'claude-x',
        content,
        usage: { input_tokens: 2, cache_read_input_tokens: 3, output_tokens: output },
      })
    const lines = [
      line('user', { role: 'user', content: 'hi' }),
      reply([{ type: 'text', text: 'a' }], 1),
      reply([use('t1')], 7),
      reply([use('t1')], 7),
      line('assistant', { id: 'other', model: '<synthetic>', content: [] }),
      line('user', { content: [{ type: 'tool_result', tool_use_id: 't1', content: 'x', is_error: true }] }),
      line('user', { content: '<command-name>/clear</command-name>' }),
      line('user', { content: 'a summary' }, { isCompactSummary: true }),
      { type: 'brand-new', sessionId: 's', uuid: '1' },
    ]
    const text = `${lines.map((one) => JSON.stringify(one)).join('\n')}\n{"type":"user","sess`
    expect(await countOf(text, 'session.jsonl')).toMatchObject({
      format: 'claude-code',
      calls: 1,
      results: 1,
      errors: 1,
      userTurns: 1,
      assistantTurns: 1,
      models: { 'claude-x': 1 },
      usage: { inputTokens: 5, outputTokens: 7, cachedTokens: 3 },
      unknown: { 'brand-new': 1, 'a line that is not JSON': 1 },
    })
  })

  it('keeps sub-agents of old sessions, in the same file, apart', async () => {
    const counts = await countOf(
      [
        line('user', { content: 'hi' }),
        line('assistant', { id: 'm1', model: 'a', content: [use('t1')] }),
        line('assistant', { id: 'm2', model: 'b', content: [use('t2'), use('t3')] }, { isSidechain: true }),
      ],
      'session.jsonl',
    )
    expect(counts).toMatchObject({ calls: 1, model: 'a', subagents: [{ calls: 2, model: 'b' }] })
  })
})

it('Codex before October 2025: bare items after a header', async () => {
  const counts = await countOf(
    [
      { id: 'x', timestamp: '2025-06-01T09:00:00Z', instructions: null },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: '<environment_context>' }] },
      { type: 'message', role: 'user', content: [{ type: 'input_text', text: 'do it' }] },
      { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } },
      { type: 'function_call_output', call_id: 'c', output: '{"output":"no","metadata":{"exit_code":1}}' },
    ],
    'rollout.jsonl',
  )
  expect(counts).toMatchObject({
    format: 'codex',
    calls: 1,
    byName: { local_shell_call: 1 },
    results: 1,
    errors: 1,
    userTurns: 1,
    assistantTurns: 0,
  })
})

describe('traces', () => {
  const value = (given: unknown) =>
    typeof given === 'number' ? { intValue: String(given) } : { stringValue: String(given) }
  const span = (id: string, parent: string, attributes: Record<string, unknown>, more = {}) => ({
    traceId: 't',
    spanId: id,
    parentSpanId: parent,
    name: id,
    startTimeUnixNano: '1753828032134892000',
    endTimeUnixNano: '1753828033134892000',
    attributes: Object.entries(attributes).map(([key, given]) => ({ key, value: value(given) })),
    ...more,
  })
  const otlp = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.request.model': 'm',
    'gen_ai.usage.input_tokens': 5,
    'gen_ai.usage.output_tokens': 2,
  }

  it('counts a call once that the model, its tool’s span and the next request have', async () => {
    const made = JSON.stringify([
      { role: 'assistant', parts: [{ type: 'tool_call', id: 'c1', name: 'look', arguments: {} }] },
    ])
    const counts = await countOf(
      otlp(
        span('root', '', { 'gen_ai.operation.name': 'invoke_agent', 'gen_ai.usage.input_tokens': 10 }),
        span('chat1', 'root', { ...chat, 'gen_ai.output.messages': made }),
        span(
          'tool',
          'root',
          { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look', 'gen_ai.tool.call.id': 'c1' },
          { status: { code: 2 } },
        ),
        span('chat2', 'root', { ...chat, 'gen_ai.input.messages': made }),
        span('inner', 'chat2', { 'openinference.span.kind': 'LLM', 'llm.token_count.prompt': 5 }),
      ),
    )
    expect(counts).toMatchObject({
      format: 'otlp-json',
      calls: 1,
      byName: { look: 1 },
      results: 1,
      errors: 1,
      userTurns: null,
      assistantTurns: 2,
      usage: { inputTokens: 10, outputTokens: 4 },
      model: 'm',
    })
  })

  it.each([
    [
      'OpenInference',
      { 'openinference.span.kind': 'TOOL', 'tool.name': 'look', 'input.value': '{"at":1}', 'output.value': 'seen' },
    ],
    [
      'the AI SDK',
      {
        'ai.operationId': 'ai.toolCall',
        'ai.toolCall.name': 'look',
        'ai.toolCall.args': '{"at":1}',
        'ai.toolCall.result': 'seen',
      },
    ],
    [
      'Traceloop',
      {
        'traceloop.span.kind': 'tool',
        'traceloop.entity.name': 'look',
        'traceloop.entity.input': '{"args":[],"kwargs":{"at":1}}',
        'traceloop.entity.output': 'seen',
      },
    ],
    [
      'Logfire (functions of the OpenAI Agents SDK)',
      {
        'logfire.msg_template': 'Function: {name}',
        'gen_ai.system': 'openai',
        name: 'look',
        input: '{"at":1}',
        output: 'seen',
      },
    ],
    ['pydantic-ai', { 'gen_ai.tool.name': 'look', tool_arguments: '{"at":1}', tool_response: 'seen' }],
    [
      'ADK',
      {
        'gen_ai.operation.name': 'execute_tool',
        'gen_ai.tool.name': 'look',
        'gcp.vertex.agent.tool_call_args': '{"at":1}',
        'gcp.vertex.agent.tool_response': 'seen',
      },
    ],
  ])('reads tools in the dialect of %s', async (_, attributes) => {
    const [trajectory] = await readText(otlp(span('tool', '', attributes)))
    expect(trajectory?.steps.flatMap(({ calls }) => calls)).toEqual([
      { name: 'look', arguments: { at: 1 }, result: 'seen' },
    ])
  })

  it('knows a request to a model by its model and tokens, where nothing else says so', async () => {
    const request = { 'gen_ai.request.model': 'm', 'gen_ai.usage.input_tokens': 5, 'gen_ai.usage.output_tokens': 2 }
    const counts = await countOf(
      otlp(span('a', '', { 'gen_ai.request.model': 'm' }), span('b', 'a', request), span('c', 'b', request)),
    )
    expect(counts).toMatchObject({ assistantTurns: 1, model: 'm', usage: { inputTokens: 5, outputTokens: 2 } })
  })

  it('reads calls from the messages where tools have no spans', async () => {
    const counts = await countOf(
      otlp(
        span('a', '', {
          'openinference.span.kind': 'LLM',
          'llm.model_name': 'm',
          'llm.output_messages.0.message.role': 'assistant',
          'llm.output_messages.0.message.tool_calls.0.tool_call.id': 'c1',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.name': 'look',
          'llm.output_messages.0.message.tool_calls.0.tool_call.function.arguments': '{}',
        }),
      ),
    )
    expect(counts).toMatchObject({ calls: 1, byName: { look: 1 }, unanswered: 1 })
  })

  const event = (name: string, attributes: Record<string, unknown>) => ({
    name,
    attributes: Object.entries(attributes).map(([key, given]) => ({ key, value: value(given) })),
  })
  const choice = JSON.stringify({ role: 'assistant', tool_calls: [call('c1', 'look', '{"at":1}')] })

  it.each([
    [
      'events with attributes (conventions up to 1.36)',
      otlp(
        span('a', '', chat, {
          events: [
            event('gen_ai.user.message', { content: 'hi' }),
            event('gen_ai.choice', { index: 0, message: choice }),
          ],
        }),
        span('b', '', chat, { events: [event('gen_ai.tool.message', { id: 'c1', content: 'seen' })] }),
      ),
    ],
    [
      'events with their content as JSON (Azure)',
      otlp(
        span('a', '', chat, {
          events: [
            event('gen_ai.user.message', { 'gen_ai.event.content': '{"role":"user","content":"hi"}' }),
            event('gen_ai.choice', { 'gen_ai.event.content': `{"index":0,"message":${choice}}` }),
          ],
        }),
        span('b', '', chat, {
          events: [event('gen_ai.tool.message', { 'gen_ai.event.content': '{"tool_call_id":"c1","content":"seen"}' })],
        }),
      ),
    ],
    [
      'events in an attribute (Logfire)',
      otlp(
        span('a', '', {
          ...chat,
          events: JSON.stringify([
            { 'event.name': 'gen_ai.user.message', content: 'hi', role: 'user' },
            { 'event.name': 'gen_ai.choice', index: 0, message: JSON.parse(choice) },
          ]),
        }),
        span('b', '', {
          ...chat,
          events: JSON.stringify([{ 'event.name': 'gen_ai.tool.message', id: 'c1', role: 'tool', content: 'seen' }]),
        }),
      ),
    ],
    [
      'one event with all messages (conventions from 1.37)',
      otlp(
        span('a', '', chat, {
          events: [
            event('gen_ai.client.inference.operation.details', {
              'gen_ai.input.messages': '[{"role":"user","parts":[{"type":"text","content":"hi"}]}]',
              'gen_ai.output.messages':
                '[{"role":"assistant","parts":[{"type":"tool_call","id":"c1","name":"look","arguments":{"at":1}}]}]',
            }),
          ],
        }),
        span('b', '', chat, {
          events: [
            event('gen_ai.client.inference.operation.details', {
              'gen_ai.input.messages':
                '[{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"seen"}]}]',
            }),
          ],
        }),
      ),
    ],
    [
      'log records beside the spans',
      [
        otlp(span('a', '', chat), span('b', '', chat)),
        {
          resourceLogs: [
            {
              scopeLogs: [
                {
                  logRecords: [
                    {
                      spanId: 'a',
                      eventName: 'gen_ai.user.message',
                      body: { kvlistValue: { values: [{ key: 'content', value: { stringValue: 'hi' } }] } },
                    },
                    {
                      spanId: 'a',
                      ...event('gen_ai.choice', {}),
                      eventName: 'gen_ai.choice',
                      body: value(`{"message":${choice}}`),
                    },
                    {
                      spanId: 'b',
                      attributes: [{ key: 'event.name', value: { stringValue: 'gen_ai.tool.message' } }],
                      body: value('{"id":"c1","content":"seen"}'),
                    },
                  ],
                },
              ],
            },
          ],
        },
      ],
    ],
  ])('reads messages from %s', async (_, content) => {
    const [trajectory] = await readText(content)
    expect(trajectory).toMatchObject({
      results: 1,
      assistantTurns: 2,
      unknown: {},
      steps: [
        { source: 'user', text: 'hi' },
        { source: 'agent', calls: [{ id: 'c1', name: 'look', arguments: { at: 1 }, result: 'seen' }] },
        { source: 'agent', calls: [] },
      ],
    })
  })

  it('reads what Strands writes: Bedrock’s parts, and a tool’s input and output as events', async () => {
    const [trajectory] = await readText(
      otlp(
        span('a', '', chat, {
          events: [
            event('gen_ai.user.message', { content: '[{"text":"hi"}]' }),
            event('gen_ai.choice', {
              message: '[{"text":"Looking."},{"toolUse":{"toolUseId":"c1","name":"look","input":{}}}]',
            }),
          ],
        }),
        span(
          'tool',
          '',
          { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look', 'gen_ai.tool.call.id': 'c1' },
          {
            startTimeUnixNano: '1753828032134893000',
            events: [
              event('gen_ai.tool.message', { role: 'tool', content: '{"at":1}', id: 'c1' }),
              event('gen_ai.choice', { message: '[{"text":"seen"}]', id: 'c1' }),
            ],
          },
        ),
      ),
    )
    expect(trajectory?.steps).toMatchObject([
      { source: 'user', text: 'hi' },
      { text: 'Looking.', calls: [{ id: 'c1', arguments: { at: 1 }, result: '[{"text":"seen"}]' }] },
    ])
  })

  it('Langfuse: leaves that are named like a called tool, with input as Python prints it', async () => {
    const observation = (id: string, type: string, more: object) => ({
      id,
      type,
      traceId: 't',
      startTime: '2025-08-26T19:40:59Z',
      name: id,
      parentObservationId: 'root',
      metadata: {},
      level: 'DEFAULT',
      ...more,
    })
    const [trajectory] = await readText({
      trace: { id: 't', scores: [{ name: 'toxicity', value: 0 }] },
      observations: [
        observation('llm', 'GENERATION', {
          model: 'm',
          output: { tool_calls: [{ id: 'c', type: 'function', function: { name: 'search', arguments: '{}' } }] },
          totalCost: 0.5,
        }),
        observation('search', 'SPAN', { input: "{'query': 'example'}", output: 'found', level: 'ERROR' }),
      ],
    })
    expect(trajectory?.steps.flatMap(({ calls }) => calls)).toMatchObject([
      { name: 'search', arguments: { query: 'example' } },
    ])
    expect(trajectory).toMatchObject({ format: 'langfuse', errors: 1, results: 1, cost: 0.5, reward: null })
  })

  it('Langfuse: a sum above its parts costs nothing itself, and traces can be a list', async () => {
    const observation = (id: string, parent: string | null, type: string, more: object) => ({
      id,
      traceId: 't1',
      type,
      parentObservationId: parent,
      startTime: `2026-01-01T00:00:0${id}.000Z`,
      name: type,
      ...more,
    })
    const counts = await countOf({
      traces: [{ id: 't1', metadata: { task_id: 'task-7' } }],
      observations: [
        observation('1', null, 'AGENT', { totalCost: 0.5 }),
        observation('2', '1', 'GENERATION', { totalCost: 0.2, model: 'm', inputUsage: 12, outputUsage: 3 }),
        observation('3', '1', 'CHAIN', { totalCost: 0.3 }),
        observation('4', '3', 'GENERATION', { totalCost: 0.3, model: 'm', usageDetails: { input: 8, output: 1 } }),
        observation('5', null, 'EMBEDDING', { totalCost: 0.1 }),
      ],
    })
    expect(counts).toMatchObject({ task: 'task-7', assistantTurns: 2, usage: { inputTokens: 20, outputTokens: 4 } })
    expect(counts.cost).toBeCloseTo(0.6, 12)
  })

  it('LangSmith: tool runs, or calls in LangChain’s messages', async () => {
    const run = (id: string, run_type: string, more: object) => ({
      id,
      trace_id: 't',
      run_type,
      inputs: {},
      outputs: {},
      ...more,
    })
    const message = { kwargs: { tool_calls: [{ name: 'look', args: { at: 1 }, id: 'c' }] } }
    const model = run('m', 'llm', {
      outputs: { generations: [[{ message }]] },
      extra: { metadata: { ls_model_name: 'gpt' } },
      prompt_tokens: 4,
    })
    const tool = run('x', 'tool', {
      name: 'look',
      inputs: { input: "{'at': 1}" },
      outputs: { output: 'seen' },
      error: 'broken',
    })
    expect(await countOf([run('r', 'chain', { reference_example_id: 'task' }), model])).toMatchObject({
      format: 'langsmith',
      task: 'task',
      model: 'gpt',
      calls: 1,
      unanswered: 1,
      usage: { inputTokens: 4 },
    })
    expect(await countOf([model, tool], 'runs.jsonl')).toMatchObject({ calls: 1, results: 1, errors: 1 })
  })
})

it('ADK results: what happened, what was expected, and the verdict', async () => {
  const invocation = (uses: object[]) => ({
    userContent: { parts: [{ text: 'hi' }] },
    finalResponse: { parts: [{ text: 'done' }] },
    intermediateData: { toolUses: uses },
  })
  const [trajectory] = await readText({
    evalSetResultId: 'r',
    evalCaseResults: [
      {
        evalId: 'case',
        finalEvalStatus: 2,
        evalMetricResultPerInvocation: [
          {
            actualInvocation: invocation([{ name: 'b', args: {} }]),
            expectedInvocation: invocation([{ name: 'a', args: {} }]),
          },
        ],
      },
    ],
  })
  expect(trajectory).toMatchObject({
    format: 'adk-results',
    task: 'case',
    reward: 0,
    outcome: 'failed',
    expected: { turns: [1] },
  })
  expect(countTrajectory(trajectory!)).toMatchObject({ calls: 1, byName: { b: 1 } })
})

it('SWE-agent: actions as text, without demonstrations', async () => {
  const counts = await countOf(
    {
      environment: 'main',
      history: [
        { role: 'system', content: 's' },
        { role: 'user', content: 'Here is a demonstration of it', is_demo: true },
        { role: 'user', content: 'the issue' },
        { role: 'assistant', content: 'ls' },
        { role: 'user', content: 'a.py' },
      ],
      trajectory: [
        { action: 'ls -la\n', observation: 'a.py' },
        { action: '', observation: '' },
      ],
      info: { exit_status: 'submitted', model_stats: { instance_cost: 0.2, tokens_sent: 9, tokens_received: 3 } },
    },
    'django-1.traj',
  )
  expect(counts).toMatchObject({
    format: 'swe-agent',
    task: 'django-1',
    calls: 1,
    byName: { ls: 1 },
    results: 1,
    errors: null,
    userTurns: 1,
    assistantTurns: 1,
    cost: 0.2,
    outcome: 'submitted',
  })
})

it('tau2-bench: the agent’s calls, with the flags of the file', async () => {
  const counts = await countOf({
    info: { agent_info: { llm: 'm' } },
    tasks: [],
    simulations: [
      {
        id: 's',
        task_id: '7',
        trial: 1,
        termination_reason: 'user_stop',
        duration: 3,
        agent_cost: 0.1,
        reward_info: { reward: 1, action_checks: [] },
        messages: [
          { role: 'user', content: 'hi' },
          {
            role: 'assistant',
            content: null,
            tool_calls: [{ id: 'a', name: 'look', arguments: {}, requestor: 'assistant' }],
          },
          { role: 'tool', tool_messages: [{ role: 'tool', id: 'a', content: 'Error: no', error: true }] },
          { role: 'user', content: null, tool_calls: [{ id: 'b', name: 'reset', arguments: {}, requestor: 'user' }] },
        ],
      },
    ],
  })
  expect(counts).toMatchObject({
    format: 'tau2',
    task: '7',
    trial: 1,
    model: 'm',
    calls: 1,
    errors: 1,
    reward: 1,
    outcome: 'user_stop',
    cost: 0.1,
    seconds: 3,
  })
})

it('tau2-bench: names a task that is not the one the simulation was judged by', async () => {
  const action = (id: string) => ({ name: 'cancel', arguments: { order_id: id } })
  const read = async (judged: object, task: object) => {
    const [trajectory] = await readText({
      tasks: [
        { id: '0', user_scenario: { instructions: { domain: 'retail', known_info: 'W7' } }, evaluation_criteria: task },
      ],
      simulations: [
        { task_id: '0', messages: [], termination_reason: 'user_stop', reward_info: { reward: 0, ...judged } },
      ],
    })
    return trajectory
  }
  const checks = { action_checks: [{ action: { ...action('W7'), action_id: '0_0', compare_args: null } }] }
  expect(await read(checks, { actions: [action('W7')] })).toMatchObject({ userInstructions: 'retail\nW7' })
  expect((await read(checks, { actions: [action('W7')] }))?.foreignTask).toBeUndefined()
  expect((await read(checks, { actions: [action('W8')] }))?.foreignTask).toBe(
    'judged by cancel({"order_id":"W7"}), but its task says cancel({"order_id":"W8"})',
  )
  const none = { action_checks: null, info: { action: { note: 'No actions to evaluate' } } }
  expect((await read(none, { actions: [action('W8')] }))?.foreignTask).toMatch(/judged by nothing/)
  expect((await read(none, { actions: [] }))?.foreignTask).toBeUndefined()
})

it('BFCL multi-turn: one key a call, its value JSON text', async () => {
  const [trajectory] = await readText(
    [
      {
        id: 'multi_turn_base_0',
        result: [[[{ cd: '{"folder": "a"}' }, { 'ls<|channel|>commentary': '{}' }]], [[{ cat: '{}' }]]],
        latency: [[1], [2]],
      },
    ],
    'result.jsonl',
  )
  expect(countTrajectory(trajectory!)).toMatchObject({
    format: 'bfcl-multi-turn',
    calls: 3,
    byName: { cat: 1, cd: 1, 'ls<|channel|>commentary': 1 },
    userTurns: 2,
    assistantTurns: 2,
    seconds: 3,
  })
})

describe('folders', () => {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'trajectories-'))
  })
  afterEach(() => rmSync(folder, { recursive: true }))
  const save = (path: string, content: unknown) => {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(
      join(folder, path),
      typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content),
    )
  }
  const atif = {
    schema_version: 'ATIF-v1.5',
    session_id: 's',
    agent: { name: 'x', version: '1' },
    steps: [{ step_id: 1, source: 'agent', message: 'hi' }],
  }

  it('reads a list of documents, and counts what it does not know in any file of lines', async () => {
    save('list.json', [atif, { ...atif, session_id: 't' }])
    expect((await readTrajectories(join(folder, 'list.json'))).map(({ id }) => id)).toEqual(['s', 't'])
    const span = {
      traceId: 'a',
      spanId: 'b',
      name: 'chat',
      attributes: [{ key: 'gen_ai.operation.name', value: { stringValue: 'chat' } }],
    }
    const line = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
    save('trace.jsonl', [line, '{"resourceLogs":[]}', line.slice(0, 40)].join('\n'))
    const [trace] = await readTrajectories(join(folder, 'trace.jsonl'))
    expect(trace).toMatchObject({ assistantTurns: 1, unknown: { resourceLogs: 1, 'a line that is not JSON': 1 } })
  })

  it('keeps an agent whose sub-agent, inside its file, has the same id', async () => {
    const one = (calls: object[]) => ({
      schema_version: 'ATIF-v1.7',
      session_id: 's',
      agent: { name: 'x', version: '1' },
      steps: [{ step_id: 1, source: 'agent', message: 'hi', tool_calls: calls }],
    })
    const inside = one([{ tool_call_id: 'c', function_name: 'look', arguments: {} }])
    writeFileSync(join(folder, 'run.json'), JSON.stringify({ ...one([]), subagent_trajectories: [inside] }))
    const read = (await readTrajectories(folder)).map(countTrajectory)
    expect(read.map(({ calls, subagents }) => [calls, subagents.map((agent) => agent.calls)])).toEqual([[0, [1]]])
  })

  it('takes Harbor’s task and reward from beside the trajectory', async () => {
    save('job/hello-world__abc/agent/trajectory.json', atif)
    save('job/hello-world__abc/verifier/reward.txt', '1\n')
    const [trajectory] = await readTrajectories(folder)
    expect(trajectory).toMatchObject({ task: 'hello-world', reward: 1 })
  })

  it('names tasks, trials and models from paths, and skips other files', async () => {
    save('gpt/task-7-2.json', atif)
    save('claude/task-7-0.json', atif)
    save('notes.json', { hello: 'there' })
    const skipped: string[] = []
    const named = await readTrajectories(folder, {
      taskFrom: '{model}/{task}-{trial}.json',
      onSkipped: (file) => void skipped.push(file),
    })
    expect(named.map(({ task, trial, model }) => [task, trial, model])).toEqual([
      ['task-7', 0, 'claude'],
      ['task-7', 2, 'gpt'],
    ])
    expect(skipped).toEqual([join(folder, 'notes.json')])
    const [first] = await readTrajectories(folder, { taskFrom: String.raw`task-(\d+)`, model: 'other' })
    expect(first).toMatchObject({ task: '7', model: 'other' })
  })

  it('reads no file outside its folder that an ATIF file names', async () => {
    save('outside.json', { ...atif, session_id: 'secret' })
    const reference = { subagent_trajectory_ref: [{ session_id: 'x', trajectory_path: '../outside.json' }] }
    save('in/run.json', { ...atif, steps: [{ source: 'agent', message: '', observation: { results: [reference] } }] })
    const [trajectory] = await readTrajectories(join(folder, 'in'))
    expect(trajectory?.subagents).toEqual([])
  })

  it('reads packed files, and archives as the folders they are', async () => {
    const shell = { id: 's', timestamp: '2025-06-01T09:00:00Z', instructions: null }
    const rollout = [shell, { type: 'local_shell_call', call_id: 'c', action: { command: ['ls'] } }]
    const text = rollout.map((line) => JSON.stringify(line)).join('\n')
    save('rollout.jsonl.gz', gzipSync(text))
    const archive = makeZip([
      { name: 'gpt/task-1.json', content: JSON.stringify(atif) },
      { name: 'task-2.json', content: JSON.stringify(atif) },
      { name: 'gpt/readme.md', content: 'no run' },
    ])
    save('runs.zip', archive)
    const before = readdirSync(tmpdir()).filter((name) => name.startsWith('benchmaker-runs-'))
    const read = await readTrajectories(folder, { taskFrom: '{task}.json' })
    expect(read.map(({ file, format, task }) => [file, format, task])).toEqual([
      [join(folder, 'rollout.jsonl.gz'), 'codex', null],
      [join(folder, 'runs.zip/gpt/task-1.json'), 'atif', 'task-1'],
      [join(folder, 'runs.zip/task-2.json'), 'atif', 'task-2'],
    ])
    expect(await readTrajectories(join(folder, 'runs.zip'))).toHaveLength(2)
    const skipped: string[] = []
    save('cut.zip', archive.subarray(0, 60))
    save('cut.json.gz', gzipSync(text).subarray(0, 20))
    save('empty.jsonl', '')
    expect(await readTrajectories(folder, { onSkipped: (file) => void skipped.push(file) })).toHaveLength(3)
    expect(skipped).toEqual(['cut.json.gz', 'cut.zip', 'empty.jsonl'].map((name) => join(folder, name)))
    await expect(readTrajectories(join(folder, 'cut.json.gz'))).rejects.toThrow('copy it again, or unpack it first')
    save('out.zip', makeZip([{ name: '../task-3.json', content: JSON.stringify(atif) }]))
    await expect(readTrajectories(join(folder, 'out.zip'))).rejects.toThrow('archives with such names are not read')
    expect(readdirSync(tmpdir()).filter((name) => name.startsWith('benchmaker-runs-'))).toEqual(before)
  })

  it('finds the sub-agents of a packed session, and the task of a packed run', async () => {
    const line = (more: object, block: object) =>
      JSON.stringify({
        type: 'assistant',
        sessionId: 'one',
        uuid: JSON.stringify(more),
        message: { id: JSON.stringify(more), role: 'assistant', model: 'm', content: [block] },
        ...more,
      })
    const use = (id: string) => ({ type: 'tool_use', id, name: 'look', input: {} })
    save('one.jsonl.gz', gzipSync(line({}, use('a'))))
    save('agent-x.jsonl.gz', gzipSync(`\n${line({ isSidechain: true, agentId: 'x' }, use('b'))}`))
    save('fix-7.traj.gz', gzipSync(JSON.stringify({ history: [{ role: 'assistant', content: 'Done.' }] })))
    const read = (await readTrajectories(folder)).map(countTrajectory)
    expect(read).toMatchObject([
      { format: 'swe-agent', task: 'fix-7', assistantTurns: 1 },
      { format: 'claude-code', calls: 1, subagents: [{ calls: 1 }] },
    ])
  })

  it('puts a rollout of Codex below the one that started it', async () => {
    const rollout = (id: string, more: object, calls: number) =>
      [
        { timestamp: '2026-02-01T09:00:00Z', type: 'session_meta', payload: { id, ...more } },
        ...Array.from({ length: calls }, (_, index) => ({
          timestamp: '2026-02-01T09:00:01Z',
          type: 'response_item',
          payload: { type: 'function_call', call_id: `c${index}`, name: 'look', arguments: '{}' },
        })),
      ]
        .map((line) => JSON.stringify(line))
        .join('\n')
    save('rollout-1.jsonl', rollout('one', {}, 1))
    const spawn = { subagent: { thread_spawn: { parent_thread_id: 'one', depth: 1 } } }
    save('rollout-2.jsonl', rollout('two', { source: spawn }, 2))
    save('rollout-3.jsonl', rollout('three', { parent_thread_id: 'two' }, 3))
    save('rollout-4.jsonl', rollout('four', { parent_thread_id: 'five' }, 4))
    save('rollout-5.jsonl', rollout('five', { parent_thread_id: 'four' }, 5))
    const read = (await readTrajectories(folder)).map(countTrajectory)
    expect(read).toMatchObject([
      { calls: 1, subagents: [{ calls: 2, subagents: [{ calls: 3, subagents: [] }] }] },
      { calls: 4, subagents: [] },
      { calls: 5, subagents: [] },
    ])
  })

  it('says which formats it knows when a file is none of them', async () => {
    save('notes.json', { hello: 'there' })
    await expect(readTrajectories(join(folder, 'notes.json'))).rejects.toThrow(
      /none of the known formats[^]*Claude Code session/,
    )
    await expect(readTrajectories(join(folder, 'nothing.json'))).rejects.toThrow(/there is no such file/)
    await expect(readTrajectories(folder, { taskFrom: '{model}.json' })).rejects.toThrow(/which part is the \{task\}/)
  })
})
