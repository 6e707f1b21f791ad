/** Importing results with the real program; some in processes of their own, which need dist/ (`npm test` builds it). */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { closeSync, existsSync, mkdtempSync, openSync, readdirSync, rmSync, writeFileSync, writeSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { runProgram } from '../src/cli/program.ts'
import { importResults, openStorage } from '../src/index.ts'
import { makeZip } from '../src/import/results/testing/zip-file.ts'
import { builtProgram } from '../src/cli/testing/built-program.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-results-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const inFolder = (name: string) => join(folder, name)
let folders = 0
const newData = () => inFolder(`data-${++folders}`)

function start(data: string, args: string[], nodeOptions: string[] = []) {
  const child = spawn(process.execPath, [...nodeOptions, builtProgram, ...args, '--data', data], {
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let [out, err] = ['', '']
  child.stdout.on('data', (chunk: Buffer) => (out += chunk.toString()))
  child.stderr.on('data', (chunk: Buffer) => (err += chunk.toString()))
  const done = once(child, 'close').then(([code]) => ({ code: Number(code), out, err }))
  return { child, done }
}
/** In this process, which is quicker. */
async function run(data: string, ...args: string[]) {
  let [out, err] = ['', '']
  const code = await runProgram([...args, '--data', data], {
    stdout: { write: (text: string) => (out += text) },
    stderr: { write: (text: string) => (err += text) },
    columns: 200,
    colour: false,
    progress: false,
  })
  return { code, out, err }
}
const runJson = async (data: string, ...args: string[]) => {
  const { code, out, err } = await run(data, ...args, '--json')
  if (code !== 0) throw new Error(err)
  return JSON.parse(out)
}

interface Sample {
  id: number | string
  epoch?: number
  value: unknown
}

/** An Inspect log of one model. */
function writeEval(name: string, model: string, samples: Sample[], task = 'sums'): string {
  const header = { version: 2, status: 'success', eval: { task, model, created: '2026-01-02T03:04:05Z' } }
  const parts = samples.map(({ id, epoch = 1, value }) => ({
    name: `samples/${id}_epoch_${epoch}.json`,
    method: 93 as const,
    content: JSON.stringify({
      id,
      epoch,
      input: `${task} ${id}?`,
      target: 'x',
      output: { completion: `answer of ${model}` },
      ...(value === 'error' ? { error: { message: 'no connection' } } : { scores: { match: { value } } }),
    }),
  }))
  const path = inFolder(name)
  writeFileSync(path, makeZip([{ name: 'header.json', content: JSON.stringify(header) }, ...parts]))
  return path
}

const ids = Array.from({ length: 12 }, (_, index) => index + 1)
const strong = writeEval(
  'strong.eval',
  'lab/strong',
  ids.map((id) => ({ id, value: 'C' })),
)
const weak = writeEval(
  'weak.eval',
  'lab/weak',
  ids.map((id) => ({ id, value: id <= 2 ? 'C' : id === 12 ? 'error' : 'I' })),
)

describe('benchmaker compare FILE FILE', () => {
  it('imports both, pairs them and says who is better, in one command; a second time nothing is stored again', async () => {
    const data = newData()
    const first = await runJson(data, 'compare', weak, strong)
    expect(first.changes).toMatchObject([
      {
        before: 'lab/weak',
        after: 'lab/strong',
        samples: { shared: 11, both: 2, onlyBefore: 0, onlyAfter: 9, neither: 0 },
        better: 9,
        notCompared: { error: 1 },
      },
    ])
    expect(first.comparisons[0]).toMatchObject({ paired: { n: 11, wins: 9, losses: 0, isSignificant: true } })
    const { out, err, code } = await run(data, 'compare', weak, strong)
    expect(code).toBe(0)
    expect(out).toMatch(/lab\/strong beats lab\/weak by 82 points \(95 % CI 38 to 100\)/)
    expect(out).toMatch(
      /Paired by sample and epoch: 11 in both; 0 only lab\/weak right, 9 only lab\/strong right, 2 both/,
    )
    expect(err).toMatch(/strong\.eval: Inspect AI; match: C became 100 \(12\); known as inspect-[0-9a-f]{12}/)
    expect(out).not.toContain('Better: 9')
    expect((await run(data, 'compare', weak, strong, '--cases')).out).toContain('Better: 9')
    const { runs } = await runJson(data, 'list')
    expect(runs).toHaveLength(2)
  })

  it('mixes files and stored runs, takes FILE:MODEL, and tells two files of one model apart by their names', async () => {
    const data = newData()
    const again = writeEval(
      'strong-2.eval',
      'lab/strong',
      ids.map((id) => ({ id, value: id === 1 ? 'I' : 'C' })),
    )
    const { imported } = await runJson(data, 'import', strong)
    const { changes } = await runJson(data, 'compare', imported[0].slice(0, 12), `${again}:lab/strong`)
    expect(changes[0]).toMatchObject({
      before: 'lab/strong · strong.eval',
      after: 'lab/strong · strong-2.eval',
      worse: 1,
    })
    expect((await run(data, 'compare', `${again}:nobody`, strong)).err).toMatch(
      /has no model nobody; it has lab\/strong/,
    )
  })

  it('pairs epochs by their number', async () => {
    const data = newData()
    const epochs = (value: (id: number, epoch: number) => string) =>
      [1, 2, 3].flatMap((epoch) => [1, 2, 3, 4].map((id) => ({ id, epoch, value: value(id, epoch) })))
    const a = writeEval(
      'epochs-a.eval',
      'a',
      epochs(() => 'C'),
    )
    // It has no first epoch.
    const b = writeEval(
      'epochs-b.eval',
      'b',
      epochs((_id, epoch) => (epoch === 3 ? 'I' : 'C')).filter(({ epoch }) => epoch > 1),
    )
    const { changes } = await runJson(data, 'compare', a, b)
    expect(changes[0].samples).toEqual({ shared: 8, both: 4, onlyBefore: 4, onlyAfter: 0, neither: 0 })
    const { runs } = await runJson(data, 'list')
    expect(new Set(runs.map((stored: { seriesId: string }) => stored.seriesId)).size).toBe(2)
  })

  it('refuses files without a shared sample, and stores nothing', async () => {
    const data = newData()
    const other = writeEval('other.eval', 'a', [{ id: 'z', value: 'C' }], 'other')
    const sameIds = writeEval('same-ids.eval', 'a', [{ id: 1, value: 'C' }], 'letters')
    const unrelated = await run(data, 'compare', strong, other)
    expect(unrelated).toMatchObject({
      code: 2,
      err: expect.stringMatching(
        /strong\.eval \(sums, 12 samples\) and other\.eval \(other, 1 sample\) share no samples/,
      ),
    })
    const { code, err } = await run(data, 'compare', strong, sameIds)
    expect([code, err]).toEqual([
      2,
      expect.stringMatching(/share 1 id but no sample: their prompts, expected answers or scoring differ/),
    ])
    expect((await run(data, 'compare', strong, strong)).err).toMatch(/are the same results/)
    expect((await run(data, 'compare', strong, inFolder('missing.eval'))).err).toMatch(
      /there is neither a file nor a run .*missing\.eval/,
    )
    expect(existsSync(data) ? (await runJson(data, 'list')).runs : []).toEqual([])
  })
})

describe('benchmaker import of results', () => {
  it('says what became 100 and what 0, keeps errors and reads all files before it stores any', async () => {
    const data = newData()
    const broken = inFolder('broken.eval')
    writeFileSync(broken, 'PK\u0003\u0004 and nothing more')
    const refused = await run(data, 'import', strong, broken)
    expect(refused).toMatchObject({ code: 2, err: expect.stringMatching(/broken\.eval: is not a readable archive/) })
    expect((await runJson(data, 'list')).runs).toEqual([])
    const { err } = await run(data, 'import', weak)
    expect(err).toMatch(
      /weak\.eval: sums, Inspect AI, 12 samples, 1 error\n {2}lab\/weak: 18\.2\n {2}Scores: match: C became 100 \(2\), I became 0 \(9\)/,
    )
    const { runs } = await runJson(data, 'show', 'latest')
    const cells: { outcome: string; error?: string; score?: object }[] = runs[0].results
    expect(cells.filter(({ score }) => score)).toHaveLength(11)
    expect(cells.find(({ error }) => error !== undefined)).toMatchObject({ outcome: 'error', error: 'no connection' })
  })

  it('an imported run can be neither resumed nor rescored by its own suite, but by another', async () => {
    const data = newData()
    await run(data, 'import', weak)
    expect((await run(data, 'resume', 'latest')).err).toMatch(
      /was imported from Inspect AI; it can only be continued there/,
    )
    expect((await run(data, 'rescore', 'latest')).err).toMatch(/was imported from Inspect AI; .*--suite FILE/)
    const suite = inFolder('again.yaml')
    const cases = ids.map(
      (id) => `  - { id: '${id}', prompt: 'sums ${id}?', scoringMethod: boolean, expectedOutput: weak }`,
    )
    writeFileSync(suite, `name: again\ntestCases:\n${cases.join('\n')}\n`)
    const { code, out } = await run(data, 'rescore', 'latest', '--suite', suite)
    expect(out).toMatch(/lab\/weak +100\.0/)
    // One sample of the file ended in an error, which stays one.
    expect(code).toBe(3)
  })

  it('a table by its columns, converted suites and results told apart', async () => {
    const data = newData()
    const table = inFolder('grades.csv')
    writeFileSync(table, 'nr,who,grade\n1,a,8\n2,a,10\n1,b,2\n2,b,4\n')
    const wanted = ['--columns', 'id=nr,model=who,score=grade']
    expect((await run(data, 'import', table, ...wanted)).err).toMatch(
      /grade has 4 scores from 2 to 10.*--scale MIN:MAX/,
    )
    const { files } = await runJson(data, 'import', table, ...wanted, '--scale', '0:10')
    expect(files[0].models).toEqual([
      { modelId: 'a', mean: 0.9 },
      { modelId: 'b', mean: expect.closeTo(0.3, 12) },
    ])
    expect((await run(data, 'import', table, ...wanted, '--scale', '10:0')).err).toMatch(
      /must be MIN:MAX with MIN below MAX/,
    )
    const suite = inFolder('suite.csv')
    writeFileSync(suite, 'id,prompt,scoringMethod,expectedOutput\n1,q,boolean,x\n')
    expect((await run(data, 'import', suite)).out).toMatch(/testCases:/)
    expect((await run(data, 'import', suite, strong)).err).toMatch(
      /suite\.csv is not a results file; suites are converted one at a time/,
    )
    expect(await run(data, 'import', strong, weak, inFolder('nope.csv'))).toMatchObject({
      code: 2,
      err: expect.stringMatching(/nope\.csv: there is no such file/),
    })
  })

  it('passes over a summary of lm-evaluation-harness that is named with its samples', async () => {
    const data = newData()
    const [samples, summary] = [
      inFolder('samples_talk_2025-01-01T00-00-00.000001.jsonl'),
      inFolder('results_2025-01-01T00-00-00.000001.json'),
    ]
    const row = { doc_id: 0, doc: 'q', target: '', resps: [['x']], politeness: 0.25 }
    writeFileSync(samples, `${JSON.stringify(row)}\n`)
    writeFileSync(summary, JSON.stringify({ model_name: 'm', higher_is_better: { talk: { politeness: false } } }))
    const { files } = await runJson(data, 'import', summary, samples)
    expect(files).toMatchObject([{ models: [{ modelId: 'm', mean: 0.75 }], warnings: [] }])
  })

  it('two processes that import one file at once store it once', async () => {
    const data = newData()
    const results = await Promise.all([1, 2, 3].map(() => start(data, ['import', weak]).done))
    expect(results.map(({ code }) => code)).toEqual([0, 0, 0])
    expect(results.map(({ err }) => err).filter((err) => err.includes('Already imported'))).toHaveLength(2)
    const { runs } = await runJson(data, 'list')
    expect(runs).toMatchObject([{ cells: { total: 12, scored: 11, errors: 1, pending: 0 } }])
  })

  it('a log larger than the memory it may use is read piece by piece', async () => {
    const path = inFolder('large.json')
    const file = openSync(path, 'w')
    const event = `{"event": "model", "text": "${'words and more words '.repeat(500)}"}`
    const events = Array.from({ length: 100 }, () => event).join(',')
    writeSync(file, '{"version": 2, "status": "success", "eval": {"task": "large", "model": "m"}, "samples": [')
    for (let id = 1; id <= 200; id += 1)
      writeSync(
        file,
        `${id > 1 ? ',' : ''}{"id": ${id}, "epoch": 1, "input": "q", "target": "a", "output": {"completion": "a"}, "scores": {"s": {"value": "C"}}, "events": [${events}]}`,
      )
    writeSync(file, ']}')
    closeSync(file)
    const data = newData()
    const { code, err } = await start(data, ['import', path], ['--max-old-space-size=80']).done
    expect(err).toMatch(/large\.json: large, Inspect AI, 200 samples/)
    expect(code).toBe(0)
    rmSync(path)
  })

  it('leaves no files behind but the database', async () => {
    const data = newData()
    await run(data, 'import', strong)
    expect(readdirSync(data).filter((name) => !name.startsWith('benchmaker.db'))).toEqual([])
  })
})

describe('benchmaker check', () => {
  it('finds what is wrong with a suite, from its file and its stored runs', async () => {
    const data = newData()
    const suite = inFolder('faulty.yaml')
    const cases = ids.map(
      (id) =>
        `  - { id: c${id}, prompt: 'Question number ${id} about topic-${id}', scoringMethod: exact-match, partial: false, expectedOutput: right-${id} }`,
    )
    writeFileSync(
      suite,
      `name: Faulty\ntestCases:\n${cases.join('\n')}\n  - { id: twin, prompt: 'Question number 1 about topic-1!', scoringMethod: exact-match, partial: false, expectedOutput: right-1 }\n`,
    )
    const models = ['a', 'b', 'c']
    const results = [...ids.map((id) => `c${id}`), 'twin'].flatMap((testCaseId) =>
      models.map((modelId) => {
        const isWrong = testCaseId === 'c5'
        return {
          testCaseId,
          modelId,
          response: isWrong ? 'Another answer' : `right-${testCaseId.slice(1)}`,
          score: { score: isWrong ? 0 : 1 },
        }
      }),
    )
    const runs = inFolder('runs.json')
    writeFileSync(runs, JSON.stringify({ runs: [{ id: 'r1', models, testSuiteName: 'Faulty', results }] }))
    expect((await run(data, 'check', suite)).out).toMatch(/twin ask the same/)
    expect(await run(data, 'import', runs)).toMatchObject({ code: 0 })
    const { out } = await run(data, 'check', suite)
    expect(out).toMatch(/Faulty · 13 cases · 1 run · 3 models · 39 scored answers/)
    expect(out).toMatch(/agree against the key of c5: a, b and c answer “Another answer” where “right-5” is expected/)
    const checked = await runJson(data, 'check', suite, 'r1')
    expect(
      checked.findings.map(({ kind, caseIds }: { kind: string; caseIds: string[] }) => [kind, ...caseIds]),
    ).toEqual([
      ['key-disputed', 'c5'],
      ['near-duplicate', 'c1', 'twin'],
    ])
    expect(await run(data, 'check', 'nothing')).toMatchObject({
      code: 2,
      err: expect.stringMatching(/nothing: no such suite/),
    })
  })
})

describe('importResults', () => {
  it('gives runs to the library, stored once where it is given a storage', async () => {
    const [read] = await importResults(weak)
    expect(read).toMatchObject({ tool: 'Inspect AI', scored: 11, errors: 1, isNew: true, metric: 'match' })
    const storage = await openStorage({ file: ':memory:' })
    const both = await importResults([strong, weak], { storage })
    const again = await importResults([weak], { storage })
    expect([...both, ...again].map(({ isNew }) => isNew)).toEqual([true, true, false])
    const stored = await storage.loadRun(again[0]!.runs[0]!.id)
    expect(stored?.versions).toMatchObject({ importedFrom: 'Inspect AI', importedFile: 'weak.eval' })
    expect(stored?.results[0]?.latencyMs).toBeUndefined()
    await storage.close()
  })
})
