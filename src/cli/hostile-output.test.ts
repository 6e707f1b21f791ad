import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startModelServer, type ModelServer } from '../../test/fakes/model-server.ts'
import { hostileTexts } from '../../test/web/hostile-texts.ts'
import { runProgram } from './program.ts'

/** Everything that a terminal might obey, hide or turn around, and a line that pretends to be ours. */
const HOSTILE = `h\u001b[31mFORGED\u001b[0m\u001b]0;title\u0007\u001b]8;;http://x\u001b\\\u009b2J\b\u202Egnp\u2066\u200Bz\r\u2028\nFORGED line\n`

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-hostile-'))
const data = join(folder, 'data')
const suite = join(folder, 'suite.json')
let server: ModelServer
let mode: 'answers' | 'errors' | 'refuses' = 'answers'

beforeAll(async () => {
  vi.stubEnv('BENCHMAKER_HOME', data)
  vi.stubEnv('BENCHMAKER_KEY_STORE', 'file')
  server = await startModelServer({
    models: [`m${HOSTILE}`],
    answer: ({ prompt }) =>
      prompt.includes('score') ? `{"score": 3, "reasoning": ${JSON.stringify(HOSTILE)}}` : HOSTILE,
    reply: () =>
      mode === 'answers'
        ? undefined
        : {
            status: mode === 'errors' ? 400 : 401,
            headers: { 'content-type': 'application/json' },
            pieces: [JSON.stringify({ error: { message: HOSTILE, code: HOSTILE } })],
          },
  })
  const testCases = [
    { id: `a${HOSTILE}`, prompt: 'one', scoringMethod: 'exact-match', expectedOutput: HOSTILE },
    { id: `b${HOSTILE}`, prompt: 'two', scoringMethod: 'llm-judge', expectedOutput: HOSTILE },
    { id: 'c', prompt: 'three', scoringMethod: 'regex-match', expectedOutput: '^x$', [`field${HOSTILE}`]: 1 },
    ...hostileTexts.map((text, index) => ({
      id: `${index}${text}`,
      prompt: text,
      scoringMethod: 'exact-match',
      expectedOutput: text,
    })),
  ]
  writeFileSync(suite, JSON.stringify({ name: `S${HOSTILE}`, testCases, [`extra${HOSTILE}`]: true }))
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await server.close()
  rmSync(folder, { recursive: true })
})

/** Runs a command on a colour terminal and checks every character that reaches it. */
async function run(...args: string[]) {
  let out = ''
  let err = ''
  const exitCode = await runProgram(args, {
    stdout: { isTTY: true, write: (text) => (out += text) },
    stderr: { isTTY: true, write: (text) => (err += text) },
    columns: 120,
    colour: true,
    progress: true,
  })
  for (const text of [out, err]) {
    expect(text).not.toContain('\u001b[31mFORGED')
    // eslint-disable-next-line no-control-regex
    const foreign = text.replaceAll(/\u001b\[(?:1|2|22|3[1236]|39)m|\r|\u001b\[K/g, '')
    expect(foreign).not.toMatch(/[\p{Cc}--\n]|[\p{Bidi_Control}\p{Zl}\p{Zp}\u200B]/v)
    // A document has the lines of its texts.
    if (text === err || !['export', 'import'].includes(args[0]!)) expect(foreign).not.toMatch(/^FORGED/m)
  }
  return { exitCode, out, err }
}

const model = `m${HOSTILE}`
const asked = () => ['--models', model, '--judge', model, '--base-url', server.baseUrl]

describe('foreign text does nothing to the terminal', () => {
  it('in a run and everything that shows it', async () => {
    mode = 'answers'
    const first = await run('run', suite, ...asked(), '--repeat', '2')
    expect([first.exitCode, first.out]).toEqual([0, expect.stringContaining('FORGED')])
    expect((await run('run', suite, ...asked(), '--json')).exitCode).toBe(0)
    expect((await run('run', suite, ...asked(), '--dry-run')).exitCode).toBe(0)
    expect((await run('run', suite, ...asked(), '--fail-under', '99')).exitCode).toBe(1)
    expect((await run('show', 'latest', '--cases')).out).toContain('FORGED')
    expect((await run('show', 'latest', '--json')).out).toContain('FORGED')
    expect((await run('list')).out).toContain('FORGED')
    for (const format of ['json', 'csv', 'markdown', 'html', 'junit'])
      expect((await run('export', 'latest', '--format', format)).out).toContain('FORGED')
    const file = join(folder, `out${HOSTILE.replaceAll('/', '')}.csv`)
    expect((await run('export', 'latest', '--out', file)).exitCode).toBe(0)
    expect((await run('rescore', 'latest', '--suite', suite)).exitCode).toBe(0)
  })
  it('in errors of a provider', async () => {
    for (const kind of ['errors', 'refuses'] as const) {
      mode = kind
      expect((await run('run', suite, ...asked())).exitCode).toBe(3)
      expect((await run('resume', 'latest')).exitCode).toBe(3)
      expect((await run('show', 'latest', '--cases')).out).toContain('FORGED')
      expect((await run('models', '--base-url', server.baseUrl)).exitCode).toBe(0)
      expect((await run('calibrate', model, '--base-url', server.baseUrl)).out).toContain('FORGED')
    }
    mode = 'answers'
  })
  it('in lists of models, judges’ reasons and pages', async () => {
    expect((await run('models', '--base-url', server.baseUrl)).out).toContain('FORGED')
    expect((await run('models', '--provider', HOSTILE)).exitCode).toBe(2)
    const samples = join(folder, 'samples.json')
    writeFileSync(
      samples,
      JSON.stringify([{ id: HOSTILE, prompt: 'p', response: 'r', expectedOutput: 'e', expectedScore: 1 }]),
    )
    expect((await run('calibrate', model, '--base-url', server.baseUrl, '--samples', samples)).out).toContain('FORGED')
    expect((await run('arena', HOSTILE, ...asked(), '--quick-judge')).out).toContain('FORGED')
  })
  it('in imported runs: their ids, codes, reasons and status', async () => {
    const exported = join(folder, 'runs.json')
    await run('export', 'latest', '--out', exported)
    const document = JSON.parse(readFileSync(exported, 'utf8'))
    const [imported] = document.runs
    imported.id = `r${HOSTILE}`
    delete imported.seriesId
    for (const result of imported.results) {
      delete result.score
      result.error = HOSTILE
      result.unscored = { code: HOSTILE, message: HOSTILE }
    }
    writeFileSync(exported, JSON.stringify({ ...document, runs: [imported] }))
    const { exitCode } = await run('import', exported)
    if (exitCode === 0) {
      await run('list')
      await run('show', `r${HOSTILE}`, '--cases')
      await run('compare', `r${HOSTILE}`, 'latest')
      await run('resume', `r${HOSTILE}`)
      await run('delete', `r${HOSTILE}`, '--yes')
    }
    expect([0, 2]).toContain(exitCode)
  })
  it('in tool-call results', async () => {
    const record = {
      task_id: HOSTILE,
      reward: 0,
      info: { task: { actions: [{ name: HOSTILE, kwargs: { [HOSTILE]: HOSTILE } }] } },
      traj: [
        {
          role: 'assistant',
          tool_calls: [{ function: { name: HOSTILE, arguments: JSON.stringify({ [HOSTILE]: 'other' }) } }],
        },
      ],
      trial: 0,
    }
    const results = join(folder, `results\u202E\n.json`)
    writeFileSync(results, JSON.stringify([record, { ...record, traj: [] }, 5]))
    const other = join(folder, 'other.json')
    writeFileSync(other, JSON.stringify([record]))
    for (const args of [
      [results],
      [results, other],
      [results, '--json'],
      [results, '--explain', HOSTILE],
      [results, '--explain', `no${HOSTILE}`],
      [results, '--credit', 'effects', '--salvage'],
      [results, '--credit', HOSTILE],
      [join(folder, `none${HOSTILE}`)],
    ])
      expect((await run('partial-score', ...args)).exitCode).toBeTypeOf('number')
  })
  it('in files, names and arguments that are wrong', async () => {
    const broken = join(folder, 'broken.yaml')
    writeFileSync(
      broken,
      `name: "x\u202E"\ntestCases:\n  - { id: "\u202E\\e[31m", scoringMethod: "\u202E\\e[31mFORGED" }\n`,
    )
    const config = join(folder, 'promptfooconfig.yaml')
    const tests = [
      {
        vars: { a: 1 },
        assert: [
          { type: HOSTILE, value: 'x' },
          { type: 'equals', value: 'x' },
        ],
      },
    ]
    writeFileSync(config, JSON.stringify({ prompts: [HOSTILE], providers: [HOSTILE], tests, [HOSTILE]: 1 }))
    mkdirSync(join(folder, 'doctor'))
    for (const args of [
      ['run', broken],
      ['run', config, '--models', 'demo/good'],
      ['import', config],
      ['import', broken],
      ['import', join(folder, HOSTILE)],
      ['score', suite, broken],
      ['show', HOSTILE],
      ['delete', HOSTILE],
      ['compare', HOSTILE, HOSTILE],
      ['resume', HOSTILE],
      [HOSTILE],
      ['list', `--${HOSTILE}`],
      ['run', suite, '--models', HOSTILE],
      ['run', suite, '--base-url', HOSTILE, '--models', 'x'],
      ['run', suite, '--out', HOSTILE],
      ['init', join(folder, 'none', HOSTILE)],
      ['init', join(folder, `init\u202E\n.yaml`)],
      ['doctor', '--data', join(folder, 'doctor', HOSTILE.replaceAll('/', ''))],
      ['doctor', '--json', '--data', join(folder, 'doctor', HOSTILE.replaceAll('/', ''))],
    ])
      expect((await run(...args)).exitCode).toBeTypeOf('number')
  })
  it('on a pipe a document is written as it is', async () => {
    await run('run', suite, ...asked())
    let out = ''
    await runProgram(['export', 'latest', '--format', 'json'], {
      stdout: { write: (text) => (out += text) },
      stderr: { write: () => undefined },
      columns: 120,
      colour: false,
      progress: false,
    })
    expect(out).toContain('\u202E')
    expect(JSON.parse(out).runs[0].models[0]).toContain('\u202E')
  })
})
