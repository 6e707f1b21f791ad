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

  it('reads what the agent said to the user, but not what it wrote beside a call', async () => {
    const talk = [
      { role: 'assistant', content: 'Hello.' },
      { role: 'assistant', content: 'beside', tool_calls: [toolCall('c', 'book', '{}')] },
      { role: 'user', content: 'thanks' },
    ]
    const { records } = await load(
      save('said.json', [{ task_id: 0, reward: 1, info: { task: { actions: [], outputs: ['5', 7] } }, traj: talk }]),
    )
    expect(records[0]!.outputs).toEqual({ expected: ['5', '7'], said: ['Hello.'] })
  })

  it('reads calls that are written as text for effects credit only: calls credit stays as it was', async () => {
    const written = (content: string) => ({ role: 'assistant', content })
    const acted = [
      written('Action:\n{"name": "book", "arguments": {"a": 2}}'),
      { role: 'user', content: 'API output: ok' },
      written('Action:\n{"name": "book", "arguments": {"a": 3}}'),
      { role: 'user', content: 'Pardon?' },
      written('Action:\n{"name": "respond", "arguments": {"content": "Done: 5."}}'),
    ]
    const info = { task: { actions: [{ name: 'book', kwargs: { a: 2 } }], outputs: ['5'] } }
    const { records } = await load(save('act.json', [{ task_id: 0, reward: 1, info, traj: acted }]))
    expect(records[0]).toMatchObject({
      calls: [],
      effectCalls: [
        { name: 'book', result: 'ok' },
        { name: 'book', isIgnored: true },
      ],
      outputs: { said: ['Done: 5.'] },
      problems: ['calls written as text, which calls credit does not read'],
    })
    expect(scoreRecord(records[0]!, { credit: 'effects' })).toMatchObject({ score: 1, problems: [] })
    expect(scoreRecord(records[0]!, { credit: 'calls' }).score).toBe(0)
  })

  it('reads no calls from text where the file has them as such', async () => {
    const mixed = [
      { role: 'assistant', content: null, tool_calls: [toolCall('c', 'book', '{"a": 2}')] },
      { role: 'tool', tool_call_id: 'c', content: 'ok' },
      { role: 'assistant', content: 'Action: {"name": "book", "arguments": {"a": 3}}' },
    ]
    const info = { task: { actions: [{ name: 'book', kwargs: { a: 2 } }] } }
    const { records } = await load(save('both.json', [{ task_id: 0, reward: 1, info, traj: mixed }]))
    expect(scoreRecord(records[0]!, { credit: 'effects' }).score).toBe(1)
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

  it('does not score a simulation that was not checked from its task, and says why', async () => {
    const note = 'Simulation terminated prematurely. Termination reason: max_steps'
    const { records } = await load(
      save('note.json', {
        tasks,
        simulations: [
          simulation('s1', '1', { reward: 0, action_checks: null, info: { note } }),
          simulation('s2', '1', { reward: 0, action_checks: null, info: { action: null } }),
          simulation('s3', '3', {
            reward: 1,
            action_checks: null,
            info: { action: { note: 'No actions to evaluate' } },
          }),
        ],
      }),
    )
    expect(records.map((record) => record.expected?.length)).toEqual([undefined, 1, 0])
    expect(records[0]!.problems).toContain('null action_checks and a note (not scored)')
    for (const credit of ['calls', 'effects'] as const)
      expect(scoreRecord(records[0]!, { credit })).toMatchObject({
        score: null,
        unscored: `tau2-bench did not check its actions: ${note}`,
      })
  })

  it('takes what must be told from the checks or else the task, if the task is judged by it', async () => {
    const judged = (basis: string[]) => ({
      tasks: [{ id: '1', evaluation_criteria: { actions: [], communicate_info: ['7'], reward_basis: basis } }],
      simulations: [
        simulation('s1', '1', { reward: 0, action_checks: [], communicate_checks: [{ info: '5', met: false }] }),
        simulation('s2', '1', { reward: 0, action_checks: [] }),
        simulation('s3', '1', { reward: 0, action_checks: [], info: { communicate: { note: 'none' } } }),
      ],
    })
    const read = async (basis: string[]) =>
      (await load(save('told.json', judged(basis)))).records.map(({ outputs }) => outputs?.expected)
    expect(await read(['DB', 'COMMUNICATE'])).toEqual([['5'], ['7'], undefined])
    expect(await read(['DB'])).toEqual([undefined, undefined, undefined])
  })

  it('believes the file about which tools write and which expected actions failed', async () => {
    const check = (name: string, type: string, id: string) => ({
      action: { ...action(name, { n: 1 }), action_id: id },
      tool_type: type,
    })
    const { records } = await load(
      save('types.json', {
        tasks,
        simulations: [
          simulation('s1', '1', {
            reward: 1,
            action_checks: [check('frobnicate', 'read', 'a'), check('book', 'write', 'b'), check('send', 'write', 'c')],
            info: { env: { failed_mutating_actions: [{ action_id: 'c' }] } },
          }),
        ],
      }),
    )
    const { reasons } = scoreRecord(records[0]!, { credit: 'effects' })
    expect(reasons!.leftOut.filter(({ side }) => side === 'expected')).toMatchObject([
      { name: 'frobnicate', why: 'changes nothing' },
      { name: 'send', why: 'failed when tau2-bench replayed it' },
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

  const strict = async (lines: object[], more: Record<string, unknown> = {}) => {
    const { records } = await load(save('strict.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')), more)
    return records.map((record) => scoreRecord(record, { credit: 'effects' }).score === 1)
  }

  it('reads questions for the types of parameters, and scores 1 exactly if BFCL’s checker accepts', async () => {
    const parameters = {
      type: 'dict',
      properties: {
        n: { type: 'integer' },
        x: { type: 'float' },
        list: { type: 'array', items: { type: 'integer' } },
        pair: { type: 'tuple', items: { type: 'float' } },
        flag: { type: 'boolean' },
        word: { type: 'string' },
        map: { type: 'dict' },
      },
      required: ['n'],
    }
    const accepted = {
      n: [5],
      x: [2.5, 2.0, ''],
      list: [[1, 2], ''],
      flag: [true, ''],
      word: ['New York', ''],
      map: [{ k: [1, ''] }, ''],
    }
    const questions = save(
      'questions.json',
      `${JSON.stringify({ id: 'simple_0', question: [], function: [{ name: 'f', parameters }] })}\n`,
    )
    const answersFile = save(
      'typed.json',
      `${JSON.stringify({ id: 'simple_0', ground_truth: [{ f: accepted }] }).replace('[2.5,2,', '[2.5,2.0,')}\n`,
    )
    expect((await recogniseFile(questions)).kind).toBe('bfcl-questions')
    const known = await readPossibleAnswerFiles([answersFile, questions])
    const verdicts: [string, boolean][] = [
      ['f(n=5)', true],
      ["f(n='5')", false],
      ['f(n=5.0)', false],
      ['f(n=True)', false],
      ['f(n=2+3)', true],
      ['f(n=10/2)', false],
      ['f(n=5, x=2)', true],
      ['f(n=5, x=2.5)', true],
      ["f(n=5, x='2.5')", false],
      ['f(n=5, list=[1, 2])', true],
      ['f(n=5, list=[2, 1])', false],
      ['f(n=5, list=(1, 2))', false],
      ["f(n=5, list=['1', '2'])", false],
      ['f(n=5, list=[1, 2, 2])', false],
      ['f(n=5, flag=True)', true],
      ['f(n=5, flag=1)', false],
      ["f(n=5, word='new york.')", true],
      ["f(n=5, word='York')", false],
      ["f(n=5, map={'k': 1})", true],
      ['f(n=5, map={})', true],
      ["f(n=5, map={'k': 1, 'j': 2})", false],
      ['f(n=5, other=1)', false],
      ['f(word="New York")', false],
      ['f(n=5), f(n=5)', false],
      ['f(5)', false],
      ['g(n=5)', false],
      ['```\n[f(n=5)]\n```', true],
      ['```python\n[f(n=5)]\n```', false],
      ['I would call f(n=5)', false],
    ]
    const lines = verdicts.map(([result]) => ({ id: 'simple_0', result }))
    const { records } = await load(save('py.jsonl', lines.map((line) => JSON.stringify(line)).join('\n')), known)
    const found = records.map((record, index) => [
      verdicts[index]![0],
      scoreRecord(record, { credit: 'effects' }).score === 1,
    ])
    expect(found).toEqual(verdicts)
    const called = await load(
      save(
        'fc.jsonl',
        '{"id": "simple_0", "result": [{"f": "{\\"n\\": 5.0}"}]}\n{"id": "simple_0", "result": [{"f": {"n": 5}}]}',
      ),
      known,
    )
    expect(called.records.map((record) => scoreRecord(record, { credit: 'effects' }).score === 1)).toEqual([
      false,
      true,
    ])
  })

  it('keeps types, the order of lists and the number of equal calls without the questions too', async () => {
    const ground_truth = [{ set_x: { n: [5], list: [[1, 2]] } }, { set_x: { n: [5], list: [[1, 2]] } }]
    const one = { set_x: '{"n": 5, "list": [1, 2]}' }
    expect(
      await strict([
        { id: 'parallel_0', ground_truth, result: [one, one] },
        { id: 'parallel_1', ground_truth, result: [one] },
        { id: 'parallel_2', ground_truth, result: [one, one, one] },
        { id: 'parallel_3', ground_truth, result: [one, { set_x: '{"n": "5", "list": [1, 2]}' }] },
        { id: 'parallel_4', ground_truth, result: [one, { set_x: '{"n": 5, "list": [2, 1]}' }] },
        { id: 'parallel_5', ground_truth, result: [one, { set_x: '{"n": 5.0, "list": [1, 2]}' }] },
      ]),
    ).toEqual([true, false, false, false, false, false])
  })

  const javaTypes = {
    i: { type: 'integer' },
    l: { type: 'long' },
    f: { type: 'float' },
    d: { type: 'double' },
    b: { type: 'boolean' },
    s: { type: 'String' },
    o: { type: 'any' },
    list: { type: 'ArrayList', items: { type: 'String' } },
    nums: { type: 'Array', items: { type: 'integer' } },
    map: { type: 'HashMap' },
  }
  const javaAnswer = {
    i: [3, ''],
    l: [4, ''],
    f: [1.5, ''],
    d: [2.5, ''],
    b: [true, ''],
    s: ['a b', ''],
    o: ['new Path("/x")', ''],
    list: [['a', 'b'], ''],
    nums: [[1, 2], ''],
    map: [{ k: [1] }, ''],
  }
  it.each<[string, boolean]>([
    ['G.make(i=3)', true],
    ['G.make(i=3.0)', false],
    ['G.make(i="3")', true],
    ['G.make(l=4L)', true],
    ['G.make(l=4)', false],
    ['G.make(f=1.5f)', true],
    ['G.make(f=1.5)', false],
    ['G.make(d=2.5)', true],
    ['G.make(b=true)', true],
    ['G.make(b=True)', false],
    ['G.make(s="A, b")', true],
    ["G.make(s='a b')", false],
    ['G.make(o=new Path("/x"))', true],
    ['G.make(o=new Path("/y"))', false],
    ['G.make(list=new ArrayList<>(Arrays.asList("a", "b")))', true],
    ['G.make(list=new ArrayList<String>(Arrays.asList("b", "a")))', false],
    ['G.make(list=["a", "b"])', false],
    ['G.make(nums=new int[]{1, 2})', true],
    ['G.make(nums=new int[] { 2, 1 })', false],
    // The official reader of Java drops the body of an anonymous class.
    ['G.make(map=new HashMap<String, Integer>() {{ put("k", 1); }})', false],
    ['G.make(i=3), G.make(i=3)', false],
    ['G.make(i=3', false],
    ['G.build(i=3)', false],
  ])('checks Java by the types of its parameters: %s: %s', async (result, isValid) => {
    const line = {
      id: 'simple_java_0',
      question: [],
      function: [{ name: 'G.make', parameters: { properties: javaTypes, required: [] } }],
    }
    const known = await readPossibleAnswerFiles([save('java-q.json', `${JSON.stringify(line)}\n`)])
    expect(await strict([{ id: 'simple_java_0', result, ground_truth: [{ 'G.make': javaAnswer }] }], known)).toEqual([
      isValid,
    ])
  })

  it('checks Java’s function calls by the text of their values', async () => {
    const line = {
      id: 'java_0',
      question: [],
      function: [{ name: 'make', parameters: { properties: javaTypes, required: [] } }],
    }
    const known = await readPossibleAnswerFiles([save('java-fc.json', `${JSON.stringify(line)}\n`)])
    const ground_truth = [{ make: javaAnswer }]
    const results = [{ l: '4L' }, { l: 4 }, { map: 'new HashMap<String, Integer>() {{ put("k", 1); }}' }, { b: 'true' }]
    const lines = results.map((given) => ({ id: 'java_0', ground_truth, result: [{ make: JSON.stringify(given) }] }))
    expect(await strict(lines, known)).toEqual([true, false, true, true])
  })

  it.each<[string, boolean]>([
    ['go(n=3)', true],
    ['go(n="3")', true],
    ['go(n=3.5)', false],
    ['go(x=4)', true],
    ['go(x=4.0)', true],
    ['go(b=true)', true],
    ['go(b="true")', true],
    ['go(b=yes)', false],
    ["go(s='Hello World')", true],
    ['go(s=hello_world)', true],
    ["go(list=['a', 'b'])", true],
    ['go(list=["b", "a"])', false],
    ['go(list=new Array("a", "b"))', true],
    ["go(map={method: 'GET', n: 2})", true],
    ['go(map={"method": "POST", "n": 2})', false],
    ['go(big=12n)', true],
    ['go(big=12)', false],
    ['go(cb=handle)', true],
    ['go(n=3, n=3)', false],
    ['go(other=1)', false],
  ])('checks JavaScript by the types of its parameters: %s: %s', async (result, isValid) => {
    const properties = {
      n: { type: 'integer' },
      x: { type: 'float' },
      b: { type: 'Boolean' },
      s: { type: 'String' },
      list: { type: 'array', items: { type: 'String' } },
      map: { type: 'dict' },
      big: { type: 'Bigint' },
      cb: { type: 'any' },
    }
    const accepted = {
      n: [3, ''],
      x: [4.5, 4, ''],
      b: [true, ''],
      s: ['hello world', ''],
      list: [['a', 'b'], ''],
      map: [{ method: ['GET'], n: [2] }, ''],
      big: [12, ''],
      cb: ['handle', ''],
    }
    const line = {
      id: 'simple_javascript_0',
      question: [],
      function: [{ name: 'go', parameters: { properties, required: [] } }],
    }
    const known = await readPossibleAnswerFiles([save('js-q.json', `${JSON.stringify(line)}\n`)])
    expect(await strict([{ id: 'simple_javascript_0', result, ground_truth: [{ go: accepted }] }], known)).toEqual([
      isValid,
    ])
  })

  it('scores irrelevance: right is to call nothing', async () => {
    expect(
      await strict([
        { id: 'irrelevance_0', result: 'None of these functions can do that.' },
        { id: 'live_irrelevance_1-0-0', result: [] },
        { id: 'irrelevance_2', result: [{ f: '{}' }] },
      ]),
    ).toEqual([true, true, false])
  })

  it('says of several turns that BFCL itself must check them', async () => {
    const result = [[[{ cd: '{"folder": "x"}' }]], [[{ ls: '{}' }]]]
    const { records } = await load(
      save(
        'turns.jsonl',
        `${JSON.stringify({ id: 'multi_turn_base_0', result, ground_truth: [["cd(folder='x')"], ['ls()']] })}\n`,
      ),
    )
    expect(records[0]).toMatchObject({
      expected: null,
      problems: ['several turns, which only BFCL’s own simulation can check (not scored)'],
    })
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
