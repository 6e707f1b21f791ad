import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { scoreRecord, type ToolCallRecord } from '../../../scoring/tool-calls/index.ts'
import { readPythonCalls } from './python-calls.ts'
import { readPossibleAnswerFiles, readToolResults } from '../read-tool-results.ts'
import { recogniseFile } from '../recognise.ts'

let folder = ''
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'tool-results-'))
})
afterAll(() => rmSync(folder, { recursive: true }))

function save(name: string, content: unknown): string {
  const path = join(folder, name)
  writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(content))
  return path
}

async function load(
  path: string,
  answers?: Record<string, unknown>,
): Promise<{ format: string; records: ToolCallRecord[] }> {
  const file = await recogniseFile(path)
  const records: ToolCallRecord[] = []
  for await (const piece of readToolResults(file, { ...(answers && { answers }) }))
    if (piece.kind === 'record') records.push(piece.record)
  return { format: typeof file.kind === 'string' ? file.kind : file.kind.name, records }
}

const toolCall = (id: string, name: string, given: string) => ({
  id,
  type: 'function',
  function: { name, arguments: given },
})

describe('tau-bench', () => {
  const traj = [
    { role: 'assistant', content: null, tool_calls: [toolCall('c', 'book', '{"a": 1}')] },
    { role: 'tool', tool_call_id: 'c', content: 'Error: no seats' },
    { role: 'assistant', content: null, tool_calls: [toolCall('c', 'book', '{"a": 2}')] },
    { role: 'tool', tool_call_id: 'c', content: 'ok' },
    { role: 'assistant', content: null, tool_calls: [toolCall('d', 'book', '{broken')] },
  ]

  it('reads expected actions, calls, and the reply of each call though ids repeat, as they do in real files', async () => {
    const { format, records } = await load(
      save('tau.json', [
        { task_id: 7, reward: 1.0, info: { task: { actions: [{ name: 'book', kwargs: { a: 2 } }] } }, traj, trial: 3 },
      ]),
    )
    expect(format).toBe('tau-bench')
    expect(records).toMatchObject([
      {
        taskId: '7',
        trial: 3,
        reward: 1,
        expected: [{ name: 'book', arguments: { a: 2 } }],
        calls: [
          { name: 'book', arguments: { a: 1 }, result: 'Error: no seats' },
          { name: 'book', arguments: { a: 2 }, result: 'ok' },
          { name: 'book', arguments: {}, unreadableArguments: '{broken' },
        ],
        problems: ['arguments that are not JSON'],
      },
    ])
  })

  it('counts what is wrong with single records and scores them as SPEC section 5 says', async () => {
    const { records } = await load(
      save('tau-odd.json', [
        { task_id: 0, reward: 0 },
        { task_id: 0, reward: 0, info: { task: { actions: [{ name: 'f', kwargs: {} }] } } },
        { task_id: 0, trial: 0, reward: 0, info: { error: 'timeout' }, traj: [] },
        { task_id: 1, reward: null, traj },
      ]),
    )
    expect(records.map(({ trial, problems }) => [trial, problems])).toEqual([
      [0, ['no info', 'no traj']],
      [1, ['no traj']],
      [0, ['info.error (scored 0)', 'the same task and trial again']],
      [0, ['arguments that are not JSON', 'no info']],
    ])
    expect(records.map((record) => scoreRecord(record, { credit: 'calls' }).score)).toEqual([1, 0, 0, 0])
  })

  it('refuses a reward outside 0 to 1, with its place', async () => {
    await expect(load(save('reward.json', [{ task_id: 4, reward: 10, traj: [] }]))).rejects.toThrow(
      'the reward of task 4 is 10; rewards must lie between 0 and 1 (record 1, at byte 1)',
    )
  })

  it('takes __proto__ for a key like any other', async () => {
    const text =
      '[{"task_id": 0, "reward": 1, "__proto__": {"polluted": 1}, "info": {"task": {"actions": [{"name": "f", "kwargs": {"__proto__": {"polluted": 1}}}]}}, "traj": [{"role": "assistant", "tool_calls": [{"function": {"name": "f", "arguments": "{\\"__proto__\\": {\\"polluted\\": 1}}"}}]}]}]'
    const { records } = await load(save('proto.json', text))
    for (const credit of ['calls', 'effects'] as const) expect(scoreRecord(records[0]!, { credit }).score).toBe(1)
    expect('polluted' in {}).toBe(false)
  })
})

describe('tau2-bench', () => {
  const action = (name: string, given: unknown, more = {}) => ({
    action_id: 'x',
    requestor: 'assistant',
    name,
    arguments: given,
    compare_args: null,
    ...more,
  })
  const simulation = (id: string, taskId: string, rewardInfo: unknown) => ({
    id,
    task_id: taskId,
    termination_reason: 'user_stop',
    reward_info: rewardInfo,
    messages: [
      { role: 'assistant', tool_calls: [{ id: 'a', name: 'book', arguments: { n: 1 }, requestor: 'assistant' }] },
      { id: 'a', role: 'tool', content: 'Error: no', error: true, requestor: 'assistant' },
      { role: 'user', tool_calls: [{ id: 'u', name: 'toggle_data', arguments: {}, requestor: 'user' }] },
      { id: 'u', role: 'tool', content: 'on', error: false, requestor: 'user' },
    ],
    trial: 0,
  })
  const tasks = [
    { id: '1', evaluation_criteria: { actions: [action('book', { n: 2 })] } },
    { id: '2', evaluation_criteria: { actions: null } },
    { id: '3', evaluation_criteria: { actions: [] } },
  ]
  const simulations = [
    simulation('s1', '1', {
      reward: 1,
      action_checks: [{ action: action('book', { n: 1 }, { compare_args: ['n'] }) }],
    }),
    simulation('s2', '1', { reward: 0, action_checks: null }),
    simulation('s3', '2', { reward: 0 }),
    simulation('s4', '3', { reward: 0, action_checks: [] }),
  ]
  const expected = [
    [{ name: 'book', arguments: { n: 1 }, compared: ['n'] }],
    [{ name: 'book', arguments: { n: 2 } }],
    null,
    [],
  ]

  it.each([
    ['tasks before simulations', { info: {}, tasks, simulations }],
    ['tasks after simulations', { simulations, info: {}, tasks }],
  ])('takes expected actions from the checks, else from the task; none is none: %s', async (_name, content) => {
    const { format, records } = await load(save('tau2.json', content))
    expect(format).toBe('tau2-bench')
    expect(records.map((record) => record.expected)).toEqual(expected)
    expect(records[2]!.problems).toContain('no expected actions (not scored)')
    expect(scoreRecord(records[2]!, { credit: 'calls' }).score).toBeNull()
    expect(records[0]!.calls).toMatchObject([
      { name: 'book', arguments: { n: 1 }, isError: true },
      { name: 'toggle_data', requestor: 'user', result: 'on' },
    ])
  })

  it('reads the folder form: results.json beside simulations/', async () => {
    const run = join(folder, 'run')
    mkdirSync(join(run, 'simulations'), { recursive: true })
    writeFileSync(join(run, 'results.json'), JSON.stringify({ info: {}, tasks, simulation_index: [] }))
    for (const one of simulations)
      writeFileSync(join(run, 'simulations', `${one.id}.json`), JSON.stringify(one, null, 2))
    const { records } = await load(run)
    expect(records.map((record) => record.expected)).toEqual(expected)
  })
})

describe('BFCL', () => {
  const answers = save.bind(undefined, 'answers.json')
  const truth = {
    id: 'p_0',
    ground_truth: [
      { 'a.play': { artist: ['Swift', 'Taylor Swift'], minutes: [20], shuffle: [true, ''] } },
      { 'a.play': { artist: ['Maroon 5'], minutes: [15] } },
    ],
  }

  it.each([
    [
      'function calling',
      [{ a_play: '{"artist": "maroon-5", "minutes": 15}' }, { a_play: { artist: 'Taylor Swift', minutes: 20.0 } }],
    ],
    ['prompting', '[a.play(artist=\'Maroon 5\', minutes=15), a.play(minutes=20, artist="Swift", shuffle=True)]'],
  ])('accepts any value of the lists, in any order, "" may be left out: %s', async (_name, result) => {
    const answerFile = answers(`${JSON.stringify(truth)}\n`)
    expect((await recogniseFile(answerFile)).kind).toBe('bfcl-answers')
    const { format, records } = await load(
      save('result.json', `${JSON.stringify({ id: 'p_0', result })}\n`),
      await readPossibleAnswerFiles([answerFile]),
    )
    expect(format).toBe('bfcl')
    for (const credit of ['calls', 'effects'] as const) expect(scoreRecord(records[0]!, { credit }).score).toBe(1)
  })

  it('counts every tool, whatever its name, and an argument that was not asked for', async () => {
    const lines = [
      { id: 'p_0', ground_truth: [{ get_x: { a: [1] } }], result: [{ get_x: { a: 1 } }, { get_y: {} }] },
      { id: 'p_1', ground_truth: [{ get_x: { a: [1] } }], result: [{ get_x: { a: 1, b: 2 } }] },
      { id: 'p_2', ground_truth: [{ get_x: { a: [{ deep: ['x', ''] }] } }], result: [{ get_x: { a: {} } }] },
      { id: 'p_3', ground_truth: [{ get_x: { a: [1] } }], result: 'I cannot do that.' },
    ]
    const { records } = await load(save('result.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')))
    expect(records.map((record) => scoreRecord(record, { credit: 'effects' }).score)).toEqual([0.5, 0.7, 1, 0])
    expect(records[3]!.problems).toEqual(['calls that cannot be read'])
  })

  it.each([
    [
      "f(a=1, b=[1, 'x'], c={'k': None}, d=(True, -2.5e3))",
      [{ name: 'f', arguments: { a: 1, b: [1, 'x'], c: { k: null }, d: [true, -2500] } }],
    ],
    ['[]', []],
    ["[m.f(s='it\\'s \\\\n')]", [{ name: 'm.f', arguments: { s: "it's \\n" } }]],
    ['f(1, b=2)', [{ name: 'f', arguments: { '#0': 1, b: 2 } }]],
    ['Sure! f(a=1)', undefined],
    ['f(a=g(1))', undefined],
    ['f(a=1', undefined],
    ["f(a='x", undefined],
  ])('reads Python calls: %s', (text, calls) => {
    expect(readPythonCalls(text)).toEqual(calls)
  })
})

describe('chat messages', () => {
  const expectedCalls = [{ name: 'send', arguments: { to: 'a' } }]

  it('reads OpenAI chat with expected calls beside the messages', async () => {
    const messages = [
      { role: 'user', content: 'Send it.' },
      { role: 'assistant', tool_calls: [toolCall('1', 'send', '{"to":"a"}'), toolCall('2', 'send', '{"to":"b"}')] },
      { role: 'tool', tool_call_id: '2', content: 'Error: unknown' },
      { role: 'tool', tool_call_id: '1', content: [{ type: 'text', text: 'sent' }] },
    ]
    const { format, records } = await load(
      save(
        'openai.jsonl',
        `${JSON.stringify({ id: 'x', messages, expectedCalls, reward: 1 })}\n${JSON.stringify({ messages })}\n`,
      ),
    )
    expect(format).toBe('openai-messages')
    expect(records[0]).toMatchObject({
      taskId: 'x',
      expected: expectedCalls,
      calls: [{ result: 'sent' }, { result: 'Error: unknown' }],
    })
    expect(records[1]).toMatchObject({ taskId: '1', expected: null, problems: ['no expected actions (not scored)'] })
    expect(scoreRecord(records[0]!, { credit: 'effects' }).score).toBe(1)
  })

  it('reads Anthropic messages, with is_error', async () => {
    const messages = [
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'Now' },
          { type: 'tool_use', id: 't1', name: 'send', input: { to: 'a' } },
        ],
      },
      {
        role: 'user',
        content: [{ type: 'tool_result', tool_use_id: 't1', content: [{ type: 'text', text: 'no' }], is_error: true }],
      },
    ]
    const { format, records } = await load(
      save('anthropic.json', [{ task_id: 5, messages, expected_calls: expectedCalls }]),
    )
    expect(format).toBe('anthropic-messages')
    expect(records[0]).toMatchObject({
      taskId: '5',
      expected: expectedCalls,
      calls: [{ name: 'send', arguments: { to: 'a' }, isError: true, result: 'no' }],
    })
  })

  it('says what was looked for when nothing is known', async () => {
    await expect(load(save('unknown.json', [{ vars: {}, assert: [] }]))).rejects.toThrow(
      /none of the known formats\. Looked for: .*simulations.*task_id.*BFCL.*Anthropic.*OpenAI.* Found: records with vars, assert$/,
    )
    await expect(load(save('talk.json', [{ role: 'user', content: 'hi' }]))).rejects.toThrow(
      'one conversation without expected calls',
    )
    await expect(load(save('none.json', []))).rejects.toThrow('contains no records')
    await expect(load(folder)).rejects.toThrow('is a folder without results.json')
  })
})
