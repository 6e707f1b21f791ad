import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { basename, join } from 'node:path'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openBrowser } from '../web/app.ts'
import { installPackage, link, makeFolder, root, run } from './install.ts'

const folder = makeFolder()
/** Where a bundle runs: there are no other files. */
const empty = makeFolder()

beforeAll(() => installPackage(folder))
afterAll(() => {
  for (const created of [folder, empty]) rmSync(created, { recursive: true, force: true })
})

/** Scores in a thread, stops an endless pattern, and executes a run with a custom scorer. */
const check = `
  const pattern = await scoreRegexMatch('abc', '/B/i')
  const endless = await scoreRegexMatch('a'.repeat(40) + '!', '^(a+)+$', { deadlineMs: 200 }).catch(({ code }) => code)
  const shouting = defineScorer({ name: 'shouting', score: ({ response }) => ({ score: response === response.toUpperCase() ? 1 : 0 }) })
  const client = defineClient({ provider: 'mine', complete: async () => ({ response: 'PARIS' }) })
  const testCases = [{ id: 'a', prompt: 'Capital of France?', scoringMethod: 'shouting' }]
  const { status, results, versions } = await executeRun({ suite: { name: 'S', testCases }, models: ['m'], client, scorers: [shouting] })
  const seen = [pattern.score, endless, status, results[0].score.score, /^[0-9]/.test(versions.benchmaker)]
`
const expected = [1, 'regex-timeout', 'completed', 1, true]
const names = 'scoreRegexMatch, defineScorer, defineClient, executeRun'
const asModule = `import { ${names} } from 'benchmaker'\n${check}\nconsole.log(JSON.stringify(seen))`
/** CommonJS has no top-level await. */
const asFunction = (get: string) => `${get}.then(async ({ ${names} }) => {${check}console.log(JSON.stringify(seen)) })`

async function runNode(args: string[], cwd = folder): Promise<unknown> {
  const { stdout } = await run(process.execPath, args, { cwd })
  return JSON.parse(stdout)
}

describe('the installed package scores, stops an endless pattern and executes a run', () => {
  it('under node -e, as a module and as CommonJS', async () => {
    expect(await runNode(['--input-type=module', '-e', asModule])).toEqual(expected)
    expect(await runNode(['--input-type=commonjs', '-e', asFunction("import('benchmaker')")])).toEqual(expected)
    expect(await runNode(['-e', asFunction("Promise.resolve(require('benchmaker'))")])).toEqual(expected)
  })
  it('with flags that a thread would reject', async () => {
    writeFileSync(
      join(folder, 'preload.mjs'),
      "import { isMainThread } from 'node:worker_threads'\nif (!isMainThread) throw new Error('not for threads')",
    )
    expect(await runNode(['--import', './preload.mjs', '--input-type=module', '-e', asModule])).toEqual(expected)
    const env = { ...process.env, NODE_OPTIONS: '--input-type=module --import ./preload.mjs' }
    const { stdout } = await run(process.execPath, ['-e', asModule], { cwd: folder, env })
    expect(JSON.parse(stdout)).toEqual(expected)
  })
  it('under tsx', async () => {
    writeFileSync(join(folder, 'under-tsx.ts'), asModule)
    expect(await runNode([join(root, 'node_modules/tsx/dist/cli.mjs'), 'under-tsx.ts'])).toEqual(expected)
  })
  it('under vitest', async () => {
    link(folder, 'vitest')
    writeFileSync(
      join(folder, 'own.test.js'),
      `import { expect, it } from 'vitest'
       import { ${names} } from 'benchmaker'
       it('works', async () => {${check} expect(seen).toEqual(${JSON.stringify(expected)}) })`,
    )
    const vitest = join(root, 'node_modules/vitest/vitest.mjs')
    const { stdout } = await run(process.execPath, [vitest, 'run', '--root', folder, '--testTimeout', '120000'], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    })
    expect(stdout).toMatch(/Tests\s+1 passed/)
  })
  it.each([
    ['esm', 'bundle.mjs', asModule],
    ['cjs', 'bundle.cjs', asFunction("import('benchmaker')")],
  ] as const)('in an esbuild bundle for %s, without any other file', async (format, name, contents) => {
    const outfile = join(empty, name)
    const { warnings } = await build({
      stdin: { contents, resolveDir: folder },
      bundle: true,
      platform: 'node',
      logLevel: 'silent',
      format,
      outfile,
    })
    // esbuild warns about import.meta in CommonJS: nothing may depend on it.
    expect(warnings).toEqual([])
    expect(await runNode([outfile], empty)).toEqual(expected)
  })
})

describe('answers in Python', () => {
  const script = `
    import { defineClient, executeRun } from 'benchmaker'
    let asked = 0
    const client = defineClient({ provider: 'mine', complete: async () => { asked++; return { response: 'def one(): return 1' } } })
    const code = { id: 'code', prompt: 'Write one()', scoringMethod: 'code-tests', language: 'python', entryPoint: 'one', tests: 'assert one() == 1' }
    const text = { id: 'text', prompt: 'Say it', expectedOutput: 'def one(): return 1', scoringMethod: 'exact-match' }
    const run = (...testCases) => executeRun({ suite: { name: 'S', testCases }, models: ['m'], client })
      .then(({ results }) => results.map(({ score, unscored }) => score?.score ?? unscored.message), ({ message }) => message)
    const seen = process.argv.includes('refused') ? [await run(code), asked] : []
    console.log(JSON.stringify([...seen, await run(code, text)]))
  `
  const missing = expect.stringMatching(/benchmaker-previews.*benchmaker install previews/)

  it('are refused where Python is not installed, or unscored beside other cases; installed, they run', async () => {
    expect(await runNode(['--input-type=module', '-e', script, 'refused'])).toEqual([missing, 0, [missing, 1]])
    link(folder, 'pyodide')
    expect(await runNode(['--input-type=module', '-e', script])).toEqual([[1, 1]])
  })
})

/** Serves the files of the installed library, one extra script and an empty page. */
async function servePage(script: string): Promise<{ url: string; close(): void }> {
  const server = createServer(({ url = '/' }, response) => {
    const isScript = url.endsWith('.js')
    response.setHeader('content-type', isScript ? 'text/javascript' : 'text/html')
    if (url === '/page.js') response.end(script)
    else if (isScript) response.end(readFileSync(join(folder, 'node_modules/benchmaker/dist/library', basename(url))))
    else response.end('<!doctype html><title>Library</title>')
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  return { url: `http://127.0.0.1:${port}`, close: () => server.close() }
}

describe('in a bundle for browsers', () => {
  it.each([
    ['scoreExactMatch', 'benchmaker/scoring'],
    ['clopperPearsonInterval', 'benchmaker/statistics'],
  ])('%s brings only what it needs', async (name, entry) => {
    const { outputFiles } = await build({
      stdin: { contents: `export { ${name} } from '${entry}'`, resolveDir: folder },
      bundle: true,
      minify: true,
      platform: 'browser',
      format: 'esm',
      write: false,
    })
    // Most of it is zod; all scorers together are 400 kB, and 970 with the code of Node's threads.
    expect(outputFiles[0]!.contents.length).toBeLessThan(132_000)
  })
})

describe('in Chromium', () => {
  it('benchmaker/statistics loads as files, benchmaker/scoring in a bundle', async () => {
    const { outputFiles, warnings } = await build({
      stdin: { contents: "export * from 'benchmaker/scoring'", resolveDir: folder },
      bundle: true,
      platform: 'browser',
      format: 'esm',
      write: false,
      logLevel: 'silent',
    })
    expect(warnings).toEqual([])
    const server = await servePage(outputFiles[0]!.text)
    const browser = await openBrowser()
    try {
      const page = await browser.newPage()
      await page.goto(server.url)
      const seen = await page.evaluate(`(async () => {
        const { clopperPearsonInterval } = await import('/statistics.js')
        const { createScoring, defineScorer, scoreExactMatch, scoreRegexMatch } = await import('/page.js')
        const own = createScoring([defineScorer({ name: 'own', score: () => ({ score: 0.25 }) })])
        return [
          clopperPearsonInterval(81, 263).low,
          (await scoreExactMatch('PARIS', 'Paris')).score,
          (await scoreRegexMatch('abc', '/B/i')).score,
          (await own.scoreResponse({ scoringMethod: 'own' }, 'x')).score,
        ]
      })()`)
      // The rate at which 81 or more of 263 has probability 0.025, by summing the binomial distribution.
      expect(seen).toEqual([expect.closeTo(0.252736745585, 10), 0.95, 1, 0.25])
    } finally {
      await browser.close()
      server.close()
    }
  })
})

it('the code in docs/extending.md runs as it stands', async () => {
  const page = readFileSync(join(root, 'docs/extending.md'), 'utf8')
  const [scorer, provider, format, ...others] = [...page.matchAll(/```ts\n(.*?)```/gs)].map((match) => match[1]!)
  expect(others).toEqual([])
  writeFileSync(join(folder, 'scorer.ts'), scorer!)
  writeFileSync(join(folder, 'provider.ts'), provider!)
  writeFileSync(join(folder, 'format.ts'), format!)
  const strict =
    '--noEmit --strict --skipLibCheck --module nodenext --target es2024 --lib es2024,dom --allowImportingTsExtensions'
  const tsc = await run(join(root, 'node_modules/.bin/tsc'), [...strict.split(' '), 'format.ts'], {
    cwd: folder,
  }).catch((failed) => failed)
  expect(tsc.stdout).toBe('')
  const { stdout } = await run(process.execPath, ['format.ts'], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
  expect(stdout).toContain("{ score: 0.5, notes: '6 words' }")
  expect(stdout).toContain("completed { score: 1, notes: '2 words' }")
  expect(stdout).toContain('model\tscore\npolly\t1\n')
  expect(stdout).toContain('| polly |')
})

const consumer = `
import { createRunStore, scoreExactMatch, scoreRegexMatch, ScoringError, type RunResult, type ScoringResult } from 'benchmaker'

const result: ScoringResult = await scoreExactMatch('PARIS', 'Paris')
const matched = await scoreRegexMatch('abc', '/B/i')
const run: RunResult = { id: 'r', models: ['m'], results: [{ testCaseId: 'c', modelId: 'm', score: result }] }
const mean: number | undefined = createRunStore([run]).getAggregateScores('r').get('m')
const code = await scoreRegexMatch('a', '(').catch((error: unknown) => (error instanceof ScoringError ? error.code : 'other'))
export const seen = [result.score, matched.score, mean, code]
`

describe('the installed package', () => {
  const installed = join(folder, 'node_modules', 'benchmaker')

  it('has types that a strict consumer compiles against', async () => {
    writeFileSync(join(folder, 'consumer.ts'), consumer)
    writeFileSync(
      join(folder, 'tsconfig.json'),
      JSON.stringify({
        compilerOptions: { strict: true, module: 'nodenext', target: 'es2024', types: [], outDir: 'out' },
        files: ['consumer.ts'],
      }),
    )
    const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), ['-p', folder]).catch((failed) => failed)
    expect(stdout).toBe('')
    expect(existsSync(join(folder, 'out/consumer.js'))).toBe(true)
  })
  it('scores, also in threads', async () => {
    const script = "import('./out/consumer.js').then(({ seen }) => console.log(JSON.stringify(seen)))"
    const { stdout } = await run(process.execPath, ['-e', script], { cwd: folder })
    expect(JSON.parse(stdout)).toEqual([0.95, 1, 0.95, 'invalid-regex'])
  })
  it('has a command that runs from a symlink, as npm creates it', async () => {
    mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
    symlinkSync('../benchmaker/bin/benchmaker', join(folder, 'node_modules/.bin/benchmaker'))
    const { stdout } = await run(join(folder, 'node_modules/.bin/benchmaker'), ['score', '--json'], {
      cwd: folder,
      maxBuffer: 1e8,
    })
    expect(JSON.parse(stdout).comparisons).toHaveLength(3)
  })
  it('ships no sources, no tests and no Node binary', () => {
    expect(readdirSync(installed).sort()).toEqual(['LICENSE', 'README.md', 'bin', 'dist', 'examples', 'package.json'])
    for (const file of ['THIRD-PARTY-NOTICES.txt', 'sbom.cdx.json'])
      expect(existsSync(join(installed, 'dist', file))).toBe(true)
    expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false)
  })
})
