import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { countTrajectory } from '../../scoring/tool-calls/index.ts'
import { readTrajectories } from './index.ts'
import { readText } from './testing/read-again.ts'

const value = (given: unknown) =>
  typeof given === 'number' ? { intValue: String(given) } : { stringValue: String(given) }

function span(id: string, parent: string, attributes: Record<string, unknown>, more = {}) {
  return {
    traceId: 't',
    spanId: id,
    parentSpanId: parent,
    name: id,
    startTimeUnixNano: '1753828032134892000',
    endTimeUnixNano: '1753828033134892000',
    attributes: Object.entries(attributes).map(([key, given]) => ({ key, value: value(given) })),
    ...more,
  }
}

const otlp = (...spans: object[]) => ({ resourceSpans: [{ scopeSpans: [{ spans }] }] })
const chat = {
  'gen_ai.operation.name': 'chat',
  'gen_ai.request.model': 'm',
  'gen_ai.usage.input_tokens': 5,
  'gen_ai.usage.output_tokens': 2,
}
const tool = { 'gen_ai.operation.name': 'execute_tool', 'gen_ai.tool.name': 'look' }
const once = { calls: 1, results: 1, assistantTurns: 1, usage: { inputTokens: 5, outputTokens: 2 } }

describe('a span that is exported twice', () => {
  it('counts once, as its fuller copy', async () => {
    const counts = (
      await readText(
        otlp(
          span('c', 'r', { 'gen_ai.operation.name': 'chat' }, { endTimeUnixNano: '0' }),
          span('c', 'r', chat),
          span('c', 'r', chat),
          span('x', 'r', tool),
          span('x', 'r', tool, { status: { code: 2 } }),
        ),
      )
    ).map(countTrajectory)
    expect(counts).toMatchObject([{ ...once, errors: 1, model: 'm' }])
  })

  it('counts each of two spans that have the same id in two traces of a conversation', async () => {
    const own = { ...chat, 'gen_ai.conversation.id': 'talk' }
    const other = { traceId: 'u' }
    const counts = (
      await readText(otlp(span('c', '', own), span('c', '', own, other), span('x', 'c', tool, other)))
    ).map(countTrajectory)
    expect(counts).toMatchObject([{ calls: 1, assistantTurns: 2, usage: { inputTokens: 10 } }])
  })

  it('counts once what a log record says twice', async () => {
    const record = {
      spanId: 'c',
      eventName: 'gen_ai.choice',
      body: { stringValue: JSON.stringify({ message: { content: 'Well.', tool_calls: [{ name: 'look' }] } }) },
    }
    const logs = { resourceLogs: [{ scopeLogs: [{ logRecords: [record] }] }] }
    const [trajectory] = await readText([otlp(span('c', '', chat)), logs, logs], 'run.jsonl')
    expect(countTrajectory(trajectory!).calls).toBe(1)
    expect(trajectory?.steps.map(({ text }) => text)).toEqual(['Well.'])
  })
})

describe('a request above the requests that it is made of', () => {
  it('is no request of its own', async () => {
    const asked = JSON.stringify([{ role: 'user', content: 'Go.' }])
    const made = (id: string) =>
      JSON.stringify([{ role: 'assistant', tool_calls: [{ id, name: 'look', arguments: '{}' }] }])
    const all = { 'gen_ai.input.messages': asked, 'gen_ai.usage.input_tokens': 10, 'gen_ai.usage.output_tokens': 4 }
    const counts = (
      await readText(
        otlp(
          span('outer', '', { ...chat, ...all, 'gen_ai.output.messages': made('2') }),
          span('first', 'outer', { ...chat, 'gen_ai.input.messages': asked, 'gen_ai.output.messages': made('1') }),
          span('second', 'outer', { ...chat, 'gen_ai.output.messages': made('2') }),
        ),
      )
    ).map(countTrajectory)
    expect(counts).toMatchObject([{ calls: 2, assistantTurns: 2, usage: { inputTokens: 10, outputTokens: 4 } }])
  })

  it('may be as deep as a file can make it', async () => {
    const spans = Array.from({ length: 20_000 }, (_, index) =>
      span(
        `d${index}`,
        index === 0 ? '' : `d${index - 1}`,
        index === 19_999 ? chat : { 'gen_ai.operation.name': 'chat' },
      ),
    )
    expect((await readText(otlp(...spans))).map(countTrajectory)).toMatchObject([{ assistantTurns: 1 }])
  })

  it('is one where a tool asks a model of its own', async () => {
    const counts = (
      await readText(otlp(span('outer', '', chat), span('x', 'outer', tool), span('inner', 'x', chat)))
    ).map(countTrajectory)
    expect(counts).toMatchObject([{ calls: 1, assistantTurns: 2, usage: { inputTokens: 10, outputTokens: 4 } }])
  })
})

it('Langfuse: an observation that is there twice counts once', async () => {
  const observation = (id: string, type: string, more: object) => ({
    id,
    traceId: 't',
    type,
    name: 'look',
    startTime: '2026-01-01T00:00:00.000Z',
    ...more,
  })
  const observations = [
    observation('1', 'GENERATION', { model: 'm', usageDetails: { input: 5, output: 2 }, totalCost: 0.25 }),
    observation('2', 'TOOL', { input: { at: 1 }, output: 'seen' }),
  ]
  const counts = (await readText([...observations, ...observations], 'run.jsonl')).map(countTrajectory)
  expect(counts).toMatchObject([{ ...once, cost: 0.25 }])
})

describe('a trace in several files', () => {
  let folder: string
  beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), 'spans-'))))
  afterEach(() => rmSync(folder, { recursive: true }))
  const save = (name: string, content: string | Buffer | object) => {
    mkdirSync(join(folder, name, '..'), { recursive: true })
    const isRaw = typeof content === 'string' || Buffer.isBuffer(content)
    writeFileSync(join(folder, name), isRaw ? content : JSON.stringify(content))
  }

  it('is one run, whose spans count once', async () => {
    save('a.json', otlp(span('r', '', { 'gen_ai.operation.name': 'invoke_agent' }), span('c', 'r', chat)))
    save('b/rotated.json.gz', gzipSync(JSON.stringify(otlp(span('c', 'r', chat), span('x', 'r', tool)))))
    save('c.json', otlp(span('c', '', chat, { traceId: 'another' })))
    const runs = await readTrajectories(folder)
    expect(runs.map(({ id, file }) => [id, file])).toEqual([
      ['t', join(folder, 'a.json')],
      ['another', join(folder, 'c.json')],
    ])
    expect(runs.map(countTrajectory)).toMatchObject([once, { calls: 0, assistantTurns: 1 }])
    const named = await readTrajectories([join(folder, 'b/rotated.json.gz'), join(folder, 'a.json')], {
      taskFrom: '{task}.json*',
    })
    expect(named.map(countTrajectory)).toMatchObject([{ ...once, task: 'rotated' }])
  })

  it('has the task that a field of one of them names', async () => {
    save('a.json', { ...otlp(span('c', '', chat)), task: 'refund' })
    save('b.json', otlp(span('x', 'c', tool)))
    const runs = await readTrajectories(folder, { taskFrom: '$.task' })
    expect(runs.map(countTrajectory)).toMatchObject([{ ...once, task: 'refund' }])
  })

  it('stays apart where the files say nothing of a trace', async () => {
    save('a.json', otlp(span('c', '', chat, { traceId: '' })))
    save('b.json', otlp(span('c', '', chat, { traceId: '' })))
    expect((await readTrajectories(folder)).map(countTrajectory)).toMatchObject([
      { assistantTurns: 1 },
      { assistantTurns: 1 },
    ])
  })
})
