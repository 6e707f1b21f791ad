import { existsSync, mkdirSync, readdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPackage, makeFolder, root, run } from './library/install.ts'

const folder = makeFolder()
const installed = join(folder, 'node_modules', 'benchmaker')

const consumer = `
import { createRunStore, scoreExactMatch, scoreRegexMatch, ScoringError, type RunResult, type ScoringResult } from 'benchmaker'

const result: ScoringResult = await scoreExactMatch('PARIS', 'Paris')
const matched = await scoreRegexMatch('abc', '/B/i')
const run: RunResult = { id: 'r', models: ['m'], results: [{ testCaseId: 'c', modelId: 'm', score: result }] }
const mean: number | undefined = createRunStore([run]).getAggregateScores('r').get('m')
const code = await scoreRegexMatch('a', '(').catch((error: unknown) => (error instanceof ScoringError ? error.code : 'other'))
export const seen = [result.score, matched.score, mean, code]
`

beforeAll(async () => {
  await installPackage(folder)
  writeFileSync(join(folder, 'consumer.ts'), consumer)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { strict: true, module: 'nodenext', target: 'es2024', types: [], outDir: 'out' },
      files: ['consumer.ts'],
    }),
  )
})
afterAll(() => rmSync(folder, { recursive: true, force: true }))

describe('the package, installed in an empty folder', () => {
  it('has types that a strict consumer compiles against', async () => {
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
    expect(existsSync(join(installed, 'dist/THIRD-PARTY-NOTICES.txt'))).toBe(true)
    expect(existsSync(join(folder, 'node_modules/.bin/node'))).toBe(false)
  })
})
