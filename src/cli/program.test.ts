import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runCli } from './testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-cli-'))
afterAll(() => rmSync(folder, { recursive: true }))

const run = (...args: string[]) => runCli(args, { columns: 100 })

function write(name: string, content: unknown): string {
  const file = join(folder, name)
  writeFileSync(file, typeof content === 'string' ? content : JSON.stringify(content))
  return file
}

const suite = write(
  'suite.yaml',
  'name: Two\ntestCases:\n  - { id: a, prompt: "?", scoringMethod: exact-match, expectedOutput: x }\n  - { id: b, prompt: "?", scoringMethod: regex-match, expectedOutput: "^(a+)+$", deadlineMs: 50 }\n',
)

describe('benchmaker score without files', () => {
  it('scores the built-in example and prints leaderboard, comparison and series', async () => {
    const { exitCode, out, err } = await run('score', '--output', 'full')
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toContain('First look · 30 cases × 3 simulated models × 3 runs')
    expect(out).toMatch(/^ 1–2 {2}demo\/good +\d\d\.\d +\d\d–\d+ .*● ?.* \d\d\/90$/m)
    expect(out).toMatch(/demo\/good beats demo\/poor by \d+\.\d points \(\d+\.\d to \d+\.\d\)\./)
    expect(out).toMatch(/are too close to call: between demo\/\w+ \+\d+\.\d and demo\/\w+ \+\d+\.\d\s+points\./)
    expect(out).toMatch(/About [\d,]+ more cases.* would detect an?/)
    expect(out).toMatch(/demo\/good: \d+\.\d ± \d+\.\d \(95% CI: \[\d+\.\d, \d+\.\d\]\)/)
    expect(out).toContain('simulated')
  })
  it('with --json prints one document with runs, scores, series, comparisons and cost', async () => {
    const { exitCode, out } = await run('score', '--json')
    const document = JSON.parse(out)
    expect(exitCode).toBe(0)
    expect(Object.keys(document)).toEqual([
      'runs',
      'scores',
      'series',
      'comparisons',
      'groups',
      'nextStep',
      'cost',
      'unknownCosts',
    ])
    expect(document.runs).toHaveLength(3)
    expect(document.runs[0].results).toHaveLength(90)
    expect(document.scores['demo/good']).toMatchObject({ count: 90, unscored: 0, errors: 0 })
    const { overCases } = document.series['demo/good']
    expect(document.scores['demo/good'].mean).toBe(overCases.mean)
    expect(document.comparisons).toHaveLength(3)
  })
})

describe('benchmaker score', () => {
  const cell = (modelId: string, testCaseId: string, response: string) => ({ modelId, testCaseId, response })

  it('counts cells without a score, says why, and exits with 3', async () => {
    const answers = write('gaps.json', {
      runs: [{ id: 'r', results: [cell('m', 'a', 'x'), cell('m', 'b', `${'a'.repeat(40)}!`), cell('n', 'b', 'aaa')] }],
    })
    const { exitCode, out } = await run('score', suite, answers)
    expect(exitCode).toBe(3)
    expect(out.replaceAll(/\s+/g, ' ')).toContain('m: 1 × regex-match was stopped after 50 ms')
    expect(out).toContain('n: 1 × no answer stored')
    const { out: json } = await run('score', suite, answers, '--json')
    expect(JSON.parse(json).scores).toMatchObject({
      m: { count: 1, unscored: 1, errors: 0 },
      n: { count: 1, unscored: 0, errors: 1 },
    })
  })
  it('still names a model without any score', async () => {
    const answers = write('none.json', {
      runs: [{ id: 'r', results: [cell('m', 'a', 'x'), cell('n', 'b', `${'a'.repeat(40)}!`)] }],
    })
    const { out } = await run('score', suite, answers)
    expect(out).toMatch(/n: 1 × no answer stored\n {4}1 × regex-match was stopped after 50 ms/)
  })
  it('keeps the table intact for a name with control characters or of 200 characters', async () => {
    const name = `evil\u001b[2J\n${'x'.repeat(200)}`
    const answers = write('names.json', { runs: [{ id: 'r', results: [cell(name, 'a', 'x'), cell(name, 'b', 'a')] }] })
    const { out } = await run('score', suite, answers)
    expect(out).not.toContain('\u001b')
    for (const line of out.split('\n')) expect(line.length).toBeLessThanOrEqual(110)
  })
  it.each([
    [['score', suite], /the answers file is missing/],
    [['serve', '--port', 'x'], /--port x: must be a whole number from 0 to 65535/],
    [['serve', 'x'], /too many arguments/],
    [['scroe'], /^error: scroe: no such command\n {2}Did you mean .*score.*\?\n$/],
    [['--json', 'shwo'], /^error: shwo: no such command\n {2}Did you mean show\?\n$/],
    [['nonsense'], /^error: nonsense: no such command\n {2}All commands: benchmaker --help\n$/],
    [['run', 's.yaml', '--output', 'loud'], /^error: --output loud: use one of quiet, normal, full\n$/],
    [['run'], /^error: SUITE: is missing\n {2}Name a suite file; a first one is written by: benchmaker init\n$/],
    [['completion', 'tcsh'], /^error: tcsh: use one of bash, zsh, fish\n$/],
    [['--jsno'], /^error: --jsno: no such option\n {2}Did you mean --json\?\n$/],
    [['run', suite, '--repeat', '0'], /^error: --repeat 0: must be a whole number from 1 to 1000\n$/],
    [
      ['init', 'no-folder/suite.yaml'],
      /^error: no-folder\/suite\.yaml: there is no folder no-folder\n {2}Create it first/,
    ],
    [
      ['calibrate', 'demo/judge', '--samples', 'nope'],
      /^error: nope: there is no such file\n {2}The built-in samples are default, facts/,
    ],
    [['trajectories', suite], /none of the known formats of recorded agents\n {2}Looked for:\n {4}an ATIF trajectory/],
    [
      ['run', suite, '--models', 'demo/good', '--data', suite],
      /^error: the data folder [^\n]* cannot be created [^\n]*\n$/,
    ],
    [['invite', 'ada', '--role', 'king'], /^error: --role king: use one of viewer, runner, admin\n$/],
    [['score', 'no-such.yaml', 'no-such.json'], /no-such\.yaml: there is no such file/],
    [['score', suite, write('empty.json', '')], /empty\.json: is empty/],
  ])('%j exits with 2 and says why', async (args, message) => {
    const { exitCode, out, err } = await run(...args)
    expect(exitCode).toBe(2)
    expect(out).toBe('')
    expect(err).toMatch(message)
  })
  it('has help with an example, and a version', async () => {
    expect((await run('score', '--help')).out).toContain('Examples')
    expect(await run('--version')).toMatchObject({ exitCode: 0, out: expect.stringMatching(/^\d+\.\d+\.\d+\n$/) })
  })
})
