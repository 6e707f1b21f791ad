import {
  existsSync,
  linkSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { partialScore, type PartialScoreOptions } from '../src/cli/commands/partial-score.ts'
import { runCli } from '../src/cli/testing/run-cli.ts'

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'partial-score-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

const data = (path: string) => fileURLToPath(new URL(`../../shared/data/${path}`, import.meta.url))
const tauFile = data('tau-bench/gpt-4o-airline.json')
const tau2File = data('tau2-bench/airline-grok-4-fast.json')

function save(name: string, content: unknown): string {
  const path = join(folder, name)
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(
    path,
    typeof content === 'string' || Buffer.isBuffer(content) ? content : JSON.stringify(content, null, 2),
  )
  return path
}

async function run(files: string[], options: PartialScoreOptions = {}) {
  const written = { stdout: '', stderr: '' }
  const sink = (name: 'stdout' | 'stderr') => ({
    write(text: string) {
      written[name] += text
    },
  })
  const code = await partialScore(files, options, {
    stdout: sink('stdout'),
    stderr: sink('stderr'),
    colour: false,
    columns: 100,
    progress: false,
  })
  return { code, ...written }
}

function record(taskId: number, args: unknown, more: object = {}) {
  const traj =
    args === undefined
      ? []
      : [{ role: 'assistant', tool_calls: [{ id: 'c', function: { name: 'pay', arguments: args } }] }]
  return {
    task_id: taskId,
    reward: 0.0,
    info: { task: { actions: [{ name: 'pay', kwargs: { id: 'x', amount: 1 } }] } },
    traj,
    trial: 0,
    ...more,
  }
}
const good = record(0, '{"id":"x","amount":1.0}', { reward: 1 })
const wrong = record(1, '{"id":"y","amount":1}')

describe('partial-score on a results file', () => {
  it('prints the statistics, writes the scored copy next to the input and does not change the input', async () => {
    const text =
      '[\n  {"task_id": 0, "reward": 1.0, "x": 1e5, "caf\\u00e9": "é", "info": {"task": {"actions": []}}, "traj": []},\n  {"task_id": 1, "reward": 0.0, "traj": [], "info": {"task": {"actions": []}}}\n]\n'
    const file = save('results.json', text)
    const { code, stdout, stderr } = await run([file])
    expect(code).toBe(0)
    expect(stdout).toMatch(
      /^=== SCORING STATISTICS ===\nTotal tasks: 2\n\nBinary Scoring:\n {2}Success rate: 1\/2 \(50\.0%\)\n/,
    )
    expect(stderr).toBe(`wrote ${join(folder, 'results_partial.json')}: 2 records with partial_score\n`)
    expect(readFileSync(file, 'utf8')).toBe(text)
    expect(readFileSync(join(folder, 'results_partial.json'), 'utf8')).toBe(
      text.replace('"traj": []}', '"traj": [], "partial_score": 1.0}').replace('[]}}}', '[]}}, "partial_score": 1.0}'),
    )
  })

  it('supports -o and --no-stats', async () => {
    const file = save('results.json', [good, wrong])
    const { code, stdout } = await run([file], { output: join(folder, 'scored.json'), stats: false })
    expect([code, stdout]).toEqual([0, ''])
    expect(readdirSync(folder).sort()).toEqual(['results.json', 'scored.json'])
    const scored: unknown = JSON.parse(readFileSync(join(folder, 'scored.json'), 'utf8'))
    expect(scored).toMatchObject([{ partial_score: 1 }, { partial_score: 0.7 }])
  })

  it('replaces an existing partial_score', async () => {
    const file = save('results.json', [{ partial_score: 9, ...wrong }])
    await run([file])
    expect(readFileSync(join(folder, 'results_partial.json'), 'utf8')).toBe(
      readFileSync(file, 'utf8').replace('"partial_score": 9', '"partial_score": 0.7'),
    )
  })

  it('says which tool and argument were wrong, and how well each credit predicts the reward', async () => {
    const { stdout } = await run([save('results.json', [good, wrong, record(2, undefined)])])
    expect(stdout).toContain('AUC against the reward: calls 1.000, effects 1.000')
    expect(stdout).toContain('Tool selection: 2/3 (66.7%)')
    expect(stdout).toContain('`id` wrong in 1 of 2')
  })

  it('reads --credit seed as calls, its name since then', async () => {
    const file = save('results.json', [good, wrong, record(2, undefined)])
    for (const options of [{ json: true }, { explain: '1' }, { stats: true }])
      expect(await run([file], { ...options, credit: 'seed' })).toEqual(await run([file], options))
    const { stdout } = await run([file], { json: true, credit: 'seed' })
    expect(JSON.parse(stdout)).toMatchObject({
      credit: 'calls',
      files: [{ summary: { credit: 'calls', auc: { calls: 1, effects: 1 } } }],
    })
    expect(stdout).not.toContain('seed')
  })

  it('prints one JSON document with reasons and writes nothing, with --json', async () => {
    const { code, stdout, stderr } = await run([save('results.json', [good, wrong])], { json: true })
    expect([code, stderr]).toEqual([0, ''])
    expect(JSON.parse(stdout)).toMatchObject({
      credit: 'calls',
      files: [
        {
          format: 'tau-bench',
          records: [
            { taskId: '0', partial_score: 1, range: 'perfect' },
            {
              taskId: '1',
              range: 'partial success',
              reasons: {
                actions: [{ kind: 'arguments differ', differences: [{ path: 'id', expected: 'x', actual: 'y' }] }],
              },
            },
          ],
          summary: { records: 2, arguments: [{ tool: 'pay', argument: 'id', wrong: 1, of: 2 }] },
        },
      ],
      comparisons: [],
    })
    expect(readdirSync(folder)).toEqual(['results.json'])
  })

  it('explains a task side by side, and lists the tasks if it does not exist', async () => {
    const file = save('results.json', [good, wrong])
    const { code, stdout } = await run([file], { explain: '1' })
    expect(code).toBe(0)
    expect(stdout).toMatch(/Task 1, trial 0: 0\.700 partial success \(calls credit\), reward 0/)
    expect(stdout).toMatch(/~ +id: "x" +\| +id: "y"/)
    expect(await run([file], { explain: '7' })).toMatchObject({
      code: 2,
      stdout: '',
      stderr: `error: ${file} has no task 7; its tasks are 0, 1\n`,
    })
  })

  it('compares several files task by task', async () => {
    const many = (reward: number, args: string) =>
      Array.from({ length: 20 }, (_, task) => record(task, args, { reward }))
    const a = save('a.json', many(1, '{"id":"x","amount":1}'))
    const b = save('b.json', many(0, '{"id":"y","amount":1}'))
    const { code, stdout } = await run([a, b])
    expect(code).toBe(0)
    expect(stdout).toContain(`partial score: ${a} beats ${b} by 30.0 points`)
    expect(stdout).toContain('20 tasks in common')
    expect(existsSync(join(folder, 'a_partial.json')) && existsSync(join(folder, 'b_partial.json'))).toBe(true)
    expect((await run([a, b], { output: join(folder, 'x.json') })).code).toBe(2)
  })

  it('plans for --smallest-difference', async () => {
    const some = (isWrong: (task: number) => boolean) =>
      Array.from({ length: 20 }, (_, task) => record(task, `{"id":"${isWrong(task) ? 'y' : 'x'}","amount":1}`))
    const files = [
      save(
        'p.json',
        some((task) => task < 4),
      ),
      save(
        'q.json',
        some((task) => task % 4 === 1),
      ),
    ]
    const { code, stdout } = await run(files, { smallestDifference: 5 })
    expect(code).toBe(0)
    expect(stdout).toMatch(/About \d+ more tasks.* would detect a 5\.0-point gap/)
    expect((await run(files)).stdout).not.toContain('to tell 5.0 points apart')
    expect(await runCli(['partial-score', ...files, '--smallest-difference', '0'])).toMatchObject({
      exitCode: 2,
      out: '',
    })
    expect((await runCli(['partial-score', ...files, '--smallest-difference', '5'])).out).toContain('5.0-point gap')
  })

  it('warns before comparing tau-bench with tau2-bench', async () => {
    const simulations = [
      { id: 's', task_id: '0', reward_info: { reward: 1, action_checks: [] }, messages: [], trial: 0 },
    ]
    const [tau, tau2] = [save('tau.json', [good]), save('tau2.json', { tasks: [], simulations })]
    expect((await run([tau, tau2])).stderr).toMatch(
      /warning: These files are of different benchmarks: .*tau2-bench has other tasks/,
    )
    const { stdout } = await run([tau, tau2], { json: true })
    expect(JSON.parse(stdout)).toMatchObject({ warnings: [expect.stringContaining('different benchmarks')] })
    expect((await run([tau, save('tau-again.json', [good])])).stderr).not.toContain('different benchmarks')
  })

  it('writes a scored folder for the folder form of tau2-bench', async () => {
    const simulation = { id: 's', task_id: '1', reward_info: { reward: 1 }, messages: [], trial: 0 }
    save('run/results.json', { tasks: [{ id: '1', evaluation_criteria: { actions: [] } }] })
    save('run/simulations/s.json', simulation)
    expect((await run([join(folder, 'run')])).code).toBe(0)
    const scored: unknown = JSON.parse(readFileSync(join(folder, 'run_partial/simulations/s.json'), 'utf8'))
    expect(scored).toEqual({ ...simulation, partial_score: 1 })
    expect(readFileSync(join(folder, 'run_partial/results.json'), 'utf8')).toBe(
      readFileSync(join(folder, 'run/results.json'), 'utf8'),
    )
  })
})

describe('bad files: exit 2, one line, nothing written, input untouched', () => {
  it.each([
    ['missing', undefined, 'cannot be read: there is no such file'],
    ['empty', '', 'is empty'],
    ['not JSON', 'task_id,reward\n0,1\n', 'is not JSON: found "task_id,rewa" at byte 0 (line 1)'],
    ['truncated', JSON.stringify([good, wrong]).slice(0, -40), 'is cut off: it ends inside record 2'],
    [
      'NaN',
      '[{"task_id": 0,\n"reward": NaN}]',
      'found NaN, which Python writes and JSON does not have, at byte 26 (line 2)',
    ],
    ['unknown format', [{ a: 1 }], 'none of the known formats. Looked for: '],
    ['no records', [], 'contains no records'],
    [
      'a reward of 2',
      [good, { ...wrong, reward: 2 }],
      'the reward of task 1 is 2; rewards must lie between 0 and 1 (record 2',
    ],
    ['a reward of -1', [{ ...wrong, reward: -1 }], 'the reward of task 1 is -1'],
    ['UTF-16', Buffer.from(JSON.stringify([good]), 'utf16le'), 'is UTF-16'],
    ['nested 100,000 deep', `[{"task_id": 0, "traj": ${'['.repeat(1e5)}${']'.repeat(1e5)}}]`, 'levels deep'],
    [
      'no expected calls at all',
      [{ messages: [{ role: 'user', content: 'hi' }] }],
      'none of the 1 records says which calls were expected',
    ],
    [
      'arguments deep on both sides',
      [
        record(0, `${'['.repeat(1e5)}${']'.repeat(1e5)}`, {
          info: { task: { actions: [{ name: 'pay', kwargs: JSON.parse('['.repeat(4000) + ']'.repeat(4000)) }] } },
        }),
      ],
      'nested more than 1000 levels deep on both sides',
    ],
  ])('%s', async (_name, content, expected) => {
    const file = content === undefined ? join(folder, 'none.json') : save('bad.json', content)
    const before = content === undefined ? undefined : readFileSync(file)
    for (const options of [{}, { json: true }, { output: join(folder, 'out.json') }]) {
      const { code, stdout, stderr } = await run([file], options)
      expect([code, stdout]).toEqual([2, ''])
      expect(stderr).toMatch(/^error: [^\n]+\n$/)
      expect(stderr).toContain(expected)
    }
    expect(readdirSync(folder)).toEqual(content === undefined ? [] : ['bad.json'])
    if (before) expect(readFileSync(file).equals(before)).toBe(true)
  })

  it('with --salvage uses the complete records of a truncated file, says how many, and writes a complete file', async () => {
    const file = save('cut.json', JSON.stringify([good, wrong, good], null, 2).slice(0, -200))
    const { code, stderr, stdout } = await run([file], { salvage: true })
    expect(code).toBe(0)
    expect(stderr).toMatch(/note: .* is cut off at byte \d+: took the 2 whole records before it/)
    expect(stdout).toContain('Total tasks: 2')
    const scored: unknown = JSON.parse(readFileSync(join(folder, 'cut_partial.json'), 'utf8'))
    expect(scored).toMatchObject([{ partial_score: 1 }, { partial_score: 0.7 }])
  })

  it('refuses invalid options', async () => {
    const file = save('results.json', [good])
    for (const [files, options, expected] of [
      [[], {}, 'no results file given'],
      [[file], { credit: 'full' }, 'it must be calls or effects'],
      [[file], { effectsTools: 'pay' }, '--credit effects'],
      [[file], { credit: 'effects', effectsTools: ',' }, 'no tool names found'],
      [[file], { output: join(folder, 'no/such/place.json') }, 'there is no such folder'],
      [[file], { output: folder }, 'is a folder'],
    ] as const)
      expect(await run([...files], options)).toMatchObject({
        code: 2,
        stdout: '',
        stderr: expect.stringContaining(expected),
      })
    expect(readdirSync(folder)).toEqual(['results.json'])
  })

  it('never overwrites the input, however its path is spelled', async () => {
    const file = save('results.json', [good])
    const before = readFileSync(file, 'utf8')
    symlinkSync(file, join(folder, 'soft.json'))
    linkSync(file, join(folder, 'hard.json'))
    for (const output of [file, `${folder}/./results.json`, join(folder, 'soft.json'), join(folder, 'hard.json')]) {
      const { code, stderr } = await run([file], { output })
      expect(code).toBe(2)
      expect(stderr).toContain('which is never overwritten')
    }
    expect(readFileSync(file, 'utf8')).toBe(before)
    expect(readdirSync(folder).sort()).toEqual(['hard.json', 'results.json', 'soft.json'])
  })
})

describe('bad records: scored as SPEC section 5 says, and counted in a warning', () => {
  it('counts and names them', async () => {
    const file = save('odd.json', [
      record(0, '{"id":'),
      { task_id: 1, reward: 0 },
      record(2, '{"id":"x","amount":1}', { info: { error: 'boom', task: { actions: [] } } }),
      good,
      { ...good },
    ])
    const { code, stderr, stdout } = await run([file], { stats: false })
    expect([code, stdout]).toEqual([0, ''])
    for (const warning of [
      '1 of 5 records with arguments that are not JSON (task 0 trial 0)',
      '1 of 5 records with no info (task 1 trial 0)',
      '1 of 5 records with no traj (task 1 trial 0)',
      '1 of 5 records with info.error (scored 0) (task 2 trial 0)',
      '2 of 5 records with the same task and trial again (task 0 trial 0, task 0 trial 0)',
    ])
      expect(stderr).toContain(warning)
    const scored: { partial_score: number }[] = JSON.parse(readFileSync(join(folder, 'odd_partial.json'), 'utf8'))
    expect(scored.map((each) => each.partial_score)).toEqual([0.4, 1, 0, 1, 1])
  })

  it('scores deep arguments on one side, and __proto__ as a key, correctly', async () => {
    const deep = record(0, `{"id":"x","amount":${'['.repeat(1e5)}${']'.repeat(1e5)}}`)
    const text = JSON.stringify([deep]).replace('"trial"', '"__proto__":{"polluted":1},"trial"')
    const { code, stdout } = await run([save('deep.json', text)], { json: true })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ records: [{ partial_score: 0.7 }] }] })
    expect('polluted' in {}).toBe(false)
  })
})

describe('agents whose calls are not tool_calls', () => {
  const talk = (content: string, reply = 'fine') => [
    { role: 'assistant', content },
    { role: 'user', content: reply },
  ]
  const act = talk('Action:\n{"name": "pay", "arguments": {"id": "x", "amount": 1}}', 'API output: paid')
  const lost = talk('CALL pay WITH id=x, amount=1', 'paid')

  it('are read where they write calls as text; calls credit stays what it was and says so', async () => {
    const file = save('act.json', [
      record(0, undefined, { traj: act, reward: 1 }),
      record(1, undefined, { traj: talk('Action:\n{"name": "respond", "arguments": {"content": "No."}}') }),
    ])
    const calls = await run([file], { stats: false })
    expect(calls.stderr).toContain(
      '1 of 2 records with calls written as text, which calls credit does not read (task 0 trial 0)',
    )
    const effects = await run([file], { credit: 'effects', json: true })
    expect(effects.stderr).toBe('')
    expect(JSON.parse(effects.stdout)).toMatchObject({
      files: [{ records: [{ partial_score: 1 }, { partial_score: 0 }], summary: { auc: { effects: 1 } } }],
    })
  })

  it('are not given zeros where their calls cannot be read: a warning, and no score', async () => {
    const file = save('lost.json', [
      record(0, undefined, { traj: lost }),
      record(1, undefined, { traj: lost, reward: 1 }),
    ])
    const { code, stdout, stderr } = await run([file], { credit: 'effects', output: join(folder, 'scored.json') })
    expect(code).toBe(0)
    expect(stderr).toContain('its successes have no calls that can be read, so records without calls are not scored')
    expect(stderr).toContain('2 of 2 records with no readable call (not scored)')
    expect(stdout).toContain('No scores')
    const scored: unknown = JSON.parse(readFileSync(join(folder, 'scored.json'), 'utf8'))
    expect(scored).toMatchObject([{ partial_score: null }, { partial_score: null }])
    const explained = await run([file], { credit: 'effects', explain: '1' })
    expect(explained.stdout).toBe('Task 1, trial 0: not scored, none of its calls could be read\n')
  })

  it('keep their zeros in calls credit, which is the reference’s, with the warning', async () => {
    const file = save('lost.json', [record(1, undefined, { traj: lost, reward: 1 })])
    const { stderr } = await run([file], { stats: false })
    expect(stderr).toContain('so calls credit says nothing about this agent')
    const scored: unknown = JSON.parse(readFileSync(join(folder, 'lost_partial.json'), 'utf8'))
    expect(scored).toMatchObject([{ partial_score: 0 }])
    expect(stderr).toContain('1 of 1 record with no readable call (task 1 trial 0)')
    expect(stderr).not.toContain('not scored')
  })

  it('are scored where the calls of other successes can be read', async () => {
    const file = save('one-lost.json', [good, record(1, undefined, { traj: lost, reward: 1 }), record(2, undefined)])
    const effects = await run([file], { credit: 'effects', json: true })
    expect(effects.stderr).toBe('')
    const auc = { calls: 0.75, effects: 0.75, successes: 2, failures: 1 }
    const records = [{ partial_score: 1 }, { partial_score: 0 }, { partial_score: 0 }]
    expect(JSON.parse(effects.stdout)).toMatchObject({ files: [{ records, summary: { auc } }] })
    const calls = await run([file], { json: true })
    expect(calls.stderr).toBe('')
    expect(JSON.parse(calls.stdout)).toMatchObject({ files: [{ records, summary: { auc } }] })
  })

  it('are not among the tasks that the interval is over, if they have no score', async () => {
    const answered = { messages: [{ role: 'assistant', content: 'Done.' }] }
    const scored = { ...answered, expectedCalls: [{ name: 'send', arguments: {} }] }
    const records = [
      { ...scored, id: 'a' },
      { ...scored, id: 'b' },
      { ...answered, id: 'c' },
    ]
    const { stdout } = await run([save('unscored.json', records)])
    expect(stdout).toContain('95% interval over 2 tasks')
  })

  it('are not meant by a failure that did nothing', async () => {
    const file = save('idle.json', [record(5, undefined, { traj: lost }), good])
    const { stdout, stderr } = await run([file], { credit: 'effects', json: true })
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toMatchObject({ files: [{ records: [{ partial_score: 0 }, { partial_score: 1 }] }] })
  })
})

describe('what the user must be told', () => {
  it('is explained beside the calls', async () => {
    const said = [...good.traj, { role: 'assistant', content: 'That was $5.' }]
    const file = save('told.json', [
      { ...good, info: { task: { ...good.info.task, outputs: ['5.00', '7'] } }, traj: said, reward: 0 },
    ])
    const { stdout } = await run([file], { credit: 'effects', explain: '0' })
    expect(stdout).toMatch(/= tell the user: 5\.00 +\| said\n- tell the user: 7 +\| not said\n/)
    expect(stdout).toContain('Task 0, trial 0: 0.667')
  })
})

describe('BFCL', () => {
  it('refuses a multi-turn file with advice that helps', async () => {
    const line = { id: 'multi_turn_base_0', result: [[['ls()']], [['cd()']]] }
    const truth = { id: 'multi_turn_base_0', ground_truth: [['ls()'], ['cd()']] }
    const files = [save('result.json', JSON.stringify(line)), save('answer.json', JSON.stringify(truth))]
    const { code, stderr } = await run(files)
    expect(code).toBe(2)
    expect(stderr).toContain('BFCL runs multi-turn calls in simulated systems and compares their states')
    expect(stderr).not.toContain('possible-answer file')
  })
})

describe('real files', () => {
  it.skipIf(!existsSync(tauFile))(
    'gpt-4o on tau-bench airline has the reference implementation’s numbers (needs ../shared/data, skipped where absent)',
    async () => {
      const output = join(folder, 'scored.json')
      const { code, stdout } = await run([tauFile], { output })
      expect(code).toBe(0)
      const source: object[] = JSON.parse(readFileSync(tauFile, 'utf8'))
      const scored: { partial_score: number }[] = JSON.parse(readFileSync(output, 'utf8'))
      const scores = scored.map((each) => each.partial_score)
      expect(scores.reduce((sum, score) => sum + score, 0) / 200).toBeCloseTo(0.5963, 4)
      expect(scores.slice(0, 8).map((score) => Number(score.toFixed(6)))).toEqual([
        0.945455, 0, 0.7675, 0.40625, 0.283333, 0.333333, 1, 0.925,
      ])
      expect(stdout).toContain(`Partial Score Distribution:
  [0.0-0.2):  53 tasks ( 26.5%)
  [0.2-0.4):   8 tasks (  4.0%)
  [0.4-0.6):  24 tasks ( 12.0%)
  [0.6-0.8):  20 tasks ( 10.0%)
  [0.8-1.0):  44 tasks ( 22.0%)
  [1.0]:  51 tasks ( 25.5%)
`)
      expect(scored.map(({ partial_score: _score, ...rest }) => rest)).toEqual(source)
      const removed = readFileSync(output, 'utf8').replace(/,\n {4}"partial_score": [\d.]+/g, '')
      expect(removed === readFileSync(tauFile, 'utf8')).toBe(true)
    },
  )

  it.skipIf(!existsSync(tauFile))(
    'effects credit tells success from failure there: AUC at least 0.99, calls credit only 0.56 (needs ../shared/data, skipped where absent)',
    async () => {
      const { stdout } = await run([tauFile], { json: true, credit: 'effects' })
      const { files }: { files: { summary: { auc: { calls: number; effects: number } } }[] } = JSON.parse(stdout)
      const { calls, effects } = files[0]!.summary.auc
      expect(effects).toBeGreaterThanOrEqual(0.99)
      expect(calls).toBeCloseTo(0.56, 2)
    },
  )

  it.skipIf(!existsSync(tau2File))(
    'tau2-bench: the simulation without expected actions is named, not scored 0 (needs ../shared/data, skipped where absent)',
    async () => {
      const { code, stderr, stdout } = await run([tau2File], { output: join(folder, 'out.json') })
      expect(code).toBe(0)
      expect(stderr).toContain('1 of 4 records with null action_checks and a note (not scored) (task 8 trial 0)')
      expect(stdout).toContain('[1.0]:   3 tasks (100.0%)')
    },
  )
})
