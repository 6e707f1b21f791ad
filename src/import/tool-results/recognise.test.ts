import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scoreRecord } from '../../scoring/tool-calls/index.ts'
import { openaiMessages } from './formats/openai-messages.ts'
import { readToolResults } from './read-tool-results.ts'
import { readTranscript, recogniseFile } from './recognise.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'recognise-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

async function score(records: readonly unknown[]) {
  const path = join(folder, 'results.json')
  writeFileSync(path, JSON.stringify(records))
  const file = await recogniseFile(path)
  const scores: (number | null)[] = []
  for await (const piece of readToolResults(file))
    if (piece.kind === 'record') scores.push(scoreRecord(piece.record, { credit: 'calls' }).score)
  return { format: typeof file.kind === 'string' ? file.kind : file.kind.name, scores }
}

const expectedCalls = [{ name: 'send_mail', arguments: { to: 'a' } }]
const openaiCall = (name: string) => [
  { role: 'assistant', tool_calls: [{ id: 'c', type: 'function', function: { name, arguments: '{"to":"a"}' } }] },
]
const anthropicCall = (name: string) => [
  { role: 'assistant', content: [{ type: 'tool_use', id: 'c', name, input: { to: 'a' } }] },
]

describe('messages with expected calls', () => {
  it.each([
    { task_id: 'mail-1', reward: 0 },
    { task_id: 'mail-1', info: {} },
    { task_id: 'mail-1', info: { task: { actions: [] } }, reward: 1 },
    { task_id: 'mail-1', termination_reason: 'user_stop' },
    { id: 'mail-1', result: 'done' },
    { id: 'mail-1', question: 'Which?' },
    { id: 'mail-1', ground_truth: 'sent' },
  ])('are messages, whatever else a record has: %j', async (more) => {
    expect(
      await score([
        { ...more, messages: openaiCall('delete_everything'), expectedCalls },
        { ...more, messages: openaiCall('send_mail'), expectedCalls },
      ]),
    ).toEqual({ format: 'openai-messages', scores: [0, 1] })
    expect(
      await score([
        { ...more, messages: anthropicCall('delete_everything'), expectedCalls },
        { ...more, messages: anthropicCall('send_mail'), expectedCalls },
      ]),
    ).toEqual({ format: 'anthropic-messages', scores: [0, 1] })
  })

  it('are messages in a reply too, and without expected calls in some records', async () => {
    const choices = openaiCall('send_mail').map((message) => ({ message }))
    expect(
      await score([
        { task_id: 1, reward: 1, messages: openaiCall('send_mail') },
        { task_id: 1, reward: 1, choices, expectedCalls },
      ]),
    ).toEqual({ format: 'openai-messages', scores: [null, 1] })
  })

  it('are found after a record that says nothing', async () => {
    expect(
      await score([
        { task_id: 1, reward: 0 },
        { task_id: 2, reward: 1, messages: openaiCall('send_mail'), expectedCalls },
      ]),
    ).toEqual({ format: 'openai-messages', scores: [null, 1] })
  })
})

describe('messages of two vendors', () => {
  const said = { messages: [{ role: 'assistant', content: 'I cannot do that.' }], expectedCalls }
  const [openai, anthropic] = [openaiCall, anthropicCall].map((made) => ({
    messages: made('send_mail'),
    expectedCalls,
  }))

  it('are told by the first record with a call', async () => {
    expect(await score([said, anthropic])).toEqual({ format: 'anthropic-messages', scores: [0, 1] })
    expect(await score([said, openai])).toEqual({ format: 'openai-messages', scores: [0, 1] })
    expect(await score([said])).toEqual({ format: 'openai-messages', scores: [0] })
    const parts = { messages: [{ role: 'assistant', content: [{ type: 'text', text: 'No.' }] }], expectedCalls }
    expect(await score([parts, anthropic])).toEqual({ format: 'anthropic-messages', scores: [0, 1] })
  })

  it('are each read as they are in one file', async () => {
    expect(await score([openai, anthropic, said])).toEqual({ format: 'openai-messages', scores: [1, 1, 0] })
    expect(await score([anthropic, openai, said])).toEqual({ format: 'anthropic-messages', scores: [1, 1, 0] })
    expect((await score([...Array.from({ length: 30 }, () => said), anthropic])).scores.at(-1)).toBe(1)
  })

  it('are each shown as they are', () => {
    for (const format of ['openai-messages', 'anthropic-messages'])
      for (const record of [openai, anthropic])
        expect(readTranscript(format, JSON.stringify(record))).toMatchObject([{ calls: [{ name: 'send_mail' }] }])
  })
})

describe('tau-bench', () => {
  it('is what it was: with traj, or with info and no messages', async () => {
    const info = { task: { actions: [{ name: 'send_mail', kwargs: { to: 'a' } }] } }
    expect(
      await score([
        { task_id: 1, reward: 1, info, traj: openaiCall('send_mail'), messages: [], expectedCalls: [] },
        { task_id: 2, reward: 0, info },
        { task_id: 3, reward: 0, traj: [] },
        { task_id: 4, reward: 0 },
      ]),
    ).toEqual({ format: 'tau-bench', scores: [1, 0, 1, 1] })
  })
})

describe('function_call, as OpenAI wrote calls before tool_calls', () => {
  const messages = [
    { role: 'user', content: 'Send it.' },
    { role: 'assistant', content: null, function_call: { name: 'send_mail', arguments: '{"to":"a"}' } },
    { role: 'function', name: 'send_mail', content: 'Error: no such address' },
    { role: 'assistant', content: null, function_call: { name: 'send_mail', arguments: '{"to":"b"}' } },
    { role: 'function', name: 'send_mail', content: 'sent' },
    { role: 'assistant', content: 'Done.', function_call: null },
  ]
  const asked = [...expectedCalls, { name: 'send_mail', arguments: { to: 'b' } }]

  it('is a call, with its reply', async () => {
    expect(await score([{ messages, expectedCalls: asked }])).toEqual({ format: 'openai-messages', scores: [1] })
    const { calls } = openaiMessages.read({ messages }, { fields: {}, index: 0, readTyped: () => ({}) })
    expect(calls.map(({ result }) => result)).toEqual(['Error: no such address', 'sent'])
    expect(
      readTranscript('openai-messages', JSON.stringify({ messages })).map(({ calls: made }) => made.length),
    ).toEqual([0, 1, 0, 1, 0, 0])
  })

  it('tells OpenAI’s messages from Anthropic’s', async () => {
    const called = { messages: messages.slice(0, 2), expectedCalls }
    expect(await score([called, { messages: anthropicCall('send_mail'), expectedCalls }])).toEqual({
      format: 'openai-messages',
      scores: [1, 1],
    })
  })

  it('is no call for tau-bench: calls credit there is the reference implementation’s', async () => {
    const info = { task: { actions: [{ name: 'send_mail', kwargs: { to: 'a' } }] } }
    expect(await score([{ task_id: 1, reward: 0, info, traj: messages }])).toEqual({ format: 'tau-bench', scores: [0] })
  })
})
