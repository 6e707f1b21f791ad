import { describe, expect, it } from 'vitest'
import { readTranscript } from '../recognise.ts'
import { anthropicMessages } from './anthropic-messages.ts'
import { bfcl } from './bfcl.ts'
import type { ToolResultFormat } from './format.ts'
import { openaiMessages } from './openai-messages.ts'
import { tau2Bench } from './tau2-bench.ts'
import { tauBench } from './tau-bench.ts'

const call = (name: string, args: object, id = name) => ({
  id,
  type: 'function',
  function: { name, arguments: JSON.stringify(args) },
})
const chat = [
  { role: 'user', content: 'Hello' },
  {
    role: 'assistant',
    content: 'One moment.',
    tool_calls: [call('find', { id: 1 }), { broken: true }, call('get', {})],
  },
  { role: 'tool', tool_call_id: 'find', content: '{"id": 1}' },
  {
    role: 'assistant',
    content: [
      { type: 'text', text: 'Done ' },
      { type: 'text', text: 'that.' },
    ],
  },
  { role: 'assistant', content: null, tool_calls: [call('book', { __proto__: 1 })] },
]

/** Reasons refer to calls by their position among those that were read. */
function expectSameCalls(format: ToolResultFormat, record: unknown): void {
  const { calls, effectCalls } = format.read(record, { fields: {}, index: 0, readTyped: () => record })
  const shown = readTranscript(format.name, JSON.stringify(record)).flatMap((entry) => entry.calls)
  const read = effectCalls && effectCalls.length > 0 ? effectCalls : calls
  expect(shown.length).toBeGreaterThan(0)
  expect(shown.map(({ index, name }) => [index, name])).toEqual(read.map(({ name }, index) => [index, name]))
}

describe('a transcript', () => {
  it('has the calls of every format at the positions that reasons name', () => {
    expectSameCalls(tauBench, { task_id: 0, info: {}, traj: chat })
    expectSameCalls(openaiMessages, { messages: chat })
    expectSameCalls(tau2Bench, {
      task_id: 'a',
      messages: [
        { role: 'assistant', content: null, tool_calls: [{ id: '1', name: 'find', arguments: {} }] },
        { role: 'tool', tool_messages: [{ role: 'tool', id: '1', content: 'found' }] },
        { role: 'user', content: null, tool_calls: [{ id: '2', name: 'reboot', arguments: {}, requestor: 'user' }] },
      ],
    })
    expectSameCalls(anthropicMessages, {
      messages: [
        {
          role: 'assistant',
          content: [
            { type: 'text', text: 'Hm' },
            { type: 'tool_use', id: 'a', name: 'find', input: {} },
          ],
        },
        { role: 'user', content: [{ type: 'tool_result', tool_use_id: 'a', content: 'found' }] },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'b', name: 'book', input: {} }] },
      ],
    })
    expectSameCalls(bfcl, { id: 'parallel_1', result: [{ find: '{"a": 1}' }, { book: '{}' }] })
    expectSameCalls(bfcl, { id: 'parallel_1', result: '[find(a=1), book()]' })
  })

  it('has calls written as text in the message that has them', () => {
    const traj = [
      { role: 'assistant', content: 'Action:\n{"name": "cancel", "arguments": {"id": 1}}' },
      { role: 'user', content: 'API output: {}' },
      { role: 'assistant', content: 'Action:\n{"name": "book", "arguments": {}}' },
      { role: 'user', content: 'API output: {}' },
    ]
    expectSameCalls(tauBench, { task_id: 0, info: {}, traj })
    expect(readTranscript('tau-bench', JSON.stringify({ traj })).map(({ calls }) => calls.length)).toEqual([1, 0, 1, 0])
  })

  it('keeps every message with its role and text', () => {
    expect(readTranscript('tau-bench', JSON.stringify({ traj: chat })).map(({ role, text }) => [role, text])).toEqual([
      ['user', 'Hello'],
      ['assistant', 'One moment.'],
      ['tool', '{"id": 1}'],
      ['assistant', 'Done that.'],
      ['assistant', ''],
    ])
    expect(readTranscript('tau-bench', '{}')).toEqual([])
    expect(readTranscript('openai-messages', '{"messages": [null, 3, {"content": 5}]}')).toHaveLength(3)
  })
})
