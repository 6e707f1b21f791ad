import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { startModelServer, type ModelServer } from '../../../../test/fakes/model-server.ts'
import { runCli } from '../../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-stored-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inFolder = (name: string) => join(folder, name)
const data = ['--data', inFolder('data')]

const run = (...args: string[]) => runCli(args)

function write(name: string, content: string): string {
  writeFileSync(inFolder(name), content)
  return inFolder(name)
}

describe('list', () => {
  it('takes one line of 80 columns for a run, and one more for one that is not whole', async () => {
    const listed = inFolder('listed')
    const rows = ['a', 'b', 'c'].map((id) => `${id},2+2?,4,exact-match\n`).join('')
    const suite = write('Listed.csv', `id,prompt,expectedOutput,scoringMethod\n${rows}`)
    const args = ['run', suite, '--models', 'demo/good', '--data', listed]
    await run(...args, '--name', 'whole')
    await run(...args, '--max-tokens', '20', '--max-cost', '0.00018')
    const { out } = await run('list', '--data', listed)
    const [title, stopped, note, whole, ...rest] = out.trimEnd().split('\n')
    expect(title).toMatch(/^Run +Started +Name +Suite +Models +First +Cost$/)
    expect([stopped, note]).toEqual([
      expect.stringMatching(/ Listed +1 /),
      expect.stringMatching(/^ {2}! stopped, \d of 3 scored$/),
    ])
    expect([whole, rest]).toEqual([expect.stringMatching(/ whole +Listed +1 +(?:demo\/good|everything fails) /), []])
  })
  it.each(['0', '-1', 'x', '1.5', ''])('refuses --limit %j', async (limit) => {
    expect(await run('list', '--limit', limit, ...data)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining(': must be a whole number of at least 1\n'),
    })
  })
})

describe('models', () => {
  it('names the available providers when another is requested', async () => {
    expect(await run('models', '--provider', 'nope')).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringMatching(/no provider nope .*demo/),
    })
  })
})

const cases = write('cases.csv', 'id,prompt,expectedOutput,scoringMethod\na,2+2?,4,exact-match\n')
const runFile = write(
  'runs.json',
  JSON.stringify({
    runs: [{ id: 'x', models: ['a'], results: [{ testCaseId: 'c', modelId: 'a', score: { score: 1 } }] }],
  }),
)

async function runJson(...args: string[]) {
  const { exitCode, out } = await run(...args, '--json')
  return { exitCode, document: JSON.parse(out) }
}

describe('import', () => {
  it('of a minimal run keeps its score', async () => {
    expect(await runJson('import', runFile, ...data)).toEqual({ exitCode: 0, document: { imported: ['x'] } })
    const { out } = await run('show', 'x', ...data)
    expect(out).toMatch(/1 +a +100\.0/)
    expect(out).not.toMatch(/^Without a score$/m)
  })
  it('of a suite writes YAML or JSON by extension, and never overwrites a file', async () => {
    expect(await run('import', cases, '--out', inFolder('s.json'), ...data)).toMatchObject({ exitCode: 0, out: '' })
    expect(JSON.parse(readFileSync(inFolder('s.json'), 'utf8'))).toMatchObject({
      testCases: [{ id: 'a', expectedOutput: '4' }],
    })
    expect(await run('import', cases, '--out', inFolder('s.json'), ...data)).toMatchObject({
      exitCode: 2,
      err: `error: ${inFolder('s.json')} already exists and was not changed; choose another file\n`,
    })
    expect(await run('import', cases, '--out', inFolder('s.txt'), ...data)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('use one of .yaml, .yml, .json'),
    })
    expect(await run('import', cases, '--out', inFolder('none/s.yaml'), ...data)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('there is no folder'),
    })
    expect(await run('run', inFolder('s.json'), '--models', 'demo/good', ...data)).toMatchObject({ exitCode: 0 })
  })
  it('with --json prints one document: the suite, or the file written', async () => {
    expect((await runJson('import', cases, ...data)).document).toMatchObject({ testCases: [{ id: 'a' }] })
    expect((await runJson('import', cases, '--out', inFolder('t.yaml'), ...data)).document).toMatchObject({
      wrote: [inFolder('t.yaml')],
      cases: 1,
    })
  })
})

describe('--json', () => {
  it('prints one document for export, init and delete too', async () => {
    expect((await runJson('export', 'x', '--out', inFolder('z.csv'), ...data)).document).toEqual({
      wrote: [inFolder('z.csv')],
      runs: ['x'],
    })
    for (const command of ['export', 'compare'])
      expect(await run(command, 'x', '--out', 'r.html', '--format', 'csv', ...data)).toMatchObject({
        exitCode: 2,
        err: 'error: --format: not together with --out\n  The extension of --out says the format: report.html, results.csv\n',
      })
    expect(await run('export', 'x', '--json', '--format', 'csv', ...data)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining('contradict'),
    })
    expect((await runJson('init', inFolder('first.yaml'))).document).toEqual({ wrote: [inFolder('first.yaml')] })
    expect((await runJson('delete', 'x', '--yes', ...data)).document).toEqual({ deleted: ['x'] })
  })
  it.each([['show', 'latest'], ['compare', 'latest'], ['score']])(
    'prints the table of %s to stderr',
    async (...args) => {
      const { out, err } = await run(...args, '--json', ...(args[0] === 'score' ? [] : data))
      expect(() => JSON.parse(out)).not.toThrow()
      expect(err).toMatch(/^Rank +Model +Score/m)
    },
  )
})

describe('an unknown price', () => {
  const suite = write(
    'sums.yaml',
    'name: Sums\ntestCases:\n  - { id: a, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n',
  )
  const judged = write('judged.yaml', 'name: Sums\ntestCases:\n  - { id: a, prompt: 2+2?, scoringMethod: llm-judge }\n')
  let models: ModelServer
  beforeAll(async () => {
    models = await startModelServer({
      models: ['small'],
      answer: () => '{"score": 8, "reasoning": "Good."}',
      reply: ({ model }) => (model === 'nope' ? { status: 404, pieces: ['{"error": "no such model"}'] } : undefined),
    })
  })
  afterAll(() => models.close())
  const ask = (...args: string[]) =>
    run('run', suite, '--models', 'small,nope', '--base-url', models.baseUrl, ...data, ...args)

  it('is unknown in tables and null in JSON, never 0', async () => {
    expect((await ask()).out).toMatch(/^Sums · .* · cost unknown$/m)
    expect(JSON.parse((await ask('--json')).out)).toMatchObject({ cost: null, unknownCosts: expect.any(Number) })
    expect((await runJson('list', '--limit', '1', ...data)).document.runs).toMatchObject([{ cost: null }])
    expect((await runJson('export', 'latest', ...data)).document).toMatchObject({ cost: null })
  })
  it('is not $0 for a model that never answered', async () => {
    expect((await ask()).out).toMatch(/^ *– {2}nope +no score +–/m)
  })
  it('of a judge is shown by both show and list', async () => {
    await run('run', suite, '--models', 'demo/good', ...data)
    expect(
      await run('rescore', 'latest', '--suite', judged, '--judge', 'small', '--base-url', models.baseUrl, ...data),
    ).toMatchObject({ exitCode: 0 })
    const [{ cost, unknownCosts }] = (await runJson('list', '--limit', '1', ...data)).document.runs
    expect(unknownCosts).toBe(1)
    expect((await runJson('show', 'latest', ...data)).document).toMatchObject({ cost, unknownCosts: 1 })
    expect((await run('show', 'latest', ...data)).out).toMatch(/ · \$0\.\d+, plus 1 unpriced request$/m)
  })
  it('is not reported if the judge has a price', async () => {
    await run('run', suite, '--models', 'demo/good', ...data)
    await run('rescore', 'latest', '--suite', judged, '--judge', 'demo/judge', ...data)
    expect((await runJson('list', '--limit', '1', ...data)).document.runs).toMatchObject([{ unknownCosts: 0 }])
  })
})

describe('rescore', () => {
  const sums = (expected: number) =>
    `name: Sums\ntestCases:\n  - { id: a, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: ${expected} }\n`
  const suite = write('rescored.yaml', sums(4))
  const other = write('rescored-other.yaml', sums(5))
  let models: ModelServer
  beforeAll(async () => {
    models = await startModelServer({
      models: ['small'],
      answer: () => '4',
      reply: ({ model }) => (model === 'nope' ? { status: 404, pieces: ['{"error": "no such model"}'] } : undefined),
    })
  })
  afterAll(() => models.close())

  it('ends with 3 if cells have no score, as run and resume do; errors stay errors in the new run', async () => {
    expect((await run('run', suite, '--models', 'small,nope', '--base-url', models.baseUrl, ...data)).exitCode).toBe(3)
    expect((await run('rescore', 'latest', ...data)).exitCode).toBe(3)
    expect((await run('rescore', 'latest', '--suite', other, ...data)).exitCode).toBe(3)
    const { document } = await runJson('show', 'latest', ...data)
    expect(document.runs[0]).toMatchObject({ status: 'completed' })
    expect(document.runs[0].results[1]).toMatchObject({ modelId: 'nope', error: expect.stringContaining('404') })
  })
})

describe('compare', () => {
  const suite = write(
    'two.yaml',
    'name: Two\ntestCases:\n  - { id: a, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n  - { id: b, prompt: 3+3?, scoringMethod: exact-match, expectedOutput: 6 }\n',
  )
  const own = ['--data', inFolder('compared')]

  it('counts a run once, however often and by whatever name it is listed', async () => {
    for (let count = 0; count < 2; count++) await run('run', suite, '--models', 'demo/good', ...own)
    const [latest, before] = (await runJson('list', ...own)).document.runs.map(({ id }: { id: string }) => id)
    expect(await run('compare', 'latest', 'latest', ...own)).toMatchObject({
      exitCode: 2,
      out: '',
      err: expect.stringContaining('are the same run, so there is nothing to compare'),
    })
    const { runs, scores } = (await runJson('compare', 'latest', before, latest, before, ...own)).document
    expect(runs).toHaveLength(2)
    expect(Object.keys(scores)).toHaveLength(2)
    expect((await run('compare', 'latest', ...own)).exitCode).toBe(0)
  })
})

describe('a suite that is called like a Code Arena run', () => {
  const name = 'Code Arena: regression suite'
  const suite = write(
    'regression.yaml',
    `name: '${name}'\ntestCases:\n  - { id: page, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n`,
  )
  const own = ['--data', inFolder('regression')]

  it('is run, shown, resumed, compared and exported as a suite', async () => {
    for (let count = 0; count < 2; count++)
      expect(await run('run', suite, '--models', 'demo/good', ...own)).toMatchObject({
        exitCode: 0,
        out: expect.stringContaining(name),
      })
    const listed = (await runJson('list', ...own)).document.runs
    expect(listed).toMatchObject([{ kind: 'suite' }, { kind: 'suite' }])
    for (const command of [
      ['show', 'latest', '--cases'],
      ['resume', 'latest'],
      ['compare', listed[1].id, 'latest'],
    ])
      expect(await run(...command, ...own), command[0]).toMatchObject({
        exitCode: 0,
        out: expect.stringContaining('demo/good'),
      })
    const { out: file } = await run('export', 'latest', '--format', 'html', ...own)
    expect(file).toContain(`<title>${name}`)
    expect(await run('export', 'latest', '--without-names', '--format', 'html', ...own)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('--without-names is for the HTML file of a Code Arena run'),
    })
    expect(await run('arena-ranking', ...own)).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('no Code Arena run yet'),
    })
  })
})
