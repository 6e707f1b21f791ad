import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findPreviews } from '../../preview/index.ts'
import { runCli } from '../testing/run-cli.ts'

/** A small package in place of the real one, which `test/library/previews.long.test.ts` installs. */
const VERSION = '99.0.0'
let folder: string
let archive: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-install-'))
  const source = join(folder, 'source')
  mkdirSync(join(source, 'dist'), { recursive: true })
  writeFileSync(join(source, 'dist/compilers.js'), '')
  writeFileSync(join(source, 'package.json'), JSON.stringify({ name: 'benchmaker-previews', version: VERSION }))
  const packed = execFileSync('npm', ['pack', '--silent', '--pack-destination', folder], { cwd: source })
  archive = join(folder, packed.toString().trim())
  vi.stubEnv('npm_config_offline', 'true')
})
afterAll(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

describe('benchmaker install previews', () => {
  it('has npm install files into a cache in the data folder, where they are found by their version', async () => {
    const data = join(folder, 'data')
    const { exitCode, out } = await runCli(['install', 'previews', archive, '--data', data, '--json'])
    expect(exitCode).toBe(0)
    expect(JSON.parse(out)).toMatchObject({ package: 'benchmaker-previews' })
    const cache = join(data, 'previews')
    expect(findPreviews({ cache, version: VERSION })).toBe(join(cache, 'node_modules/benchmaker-previews/dist'))
    expect(findPreviews({ cache, version: '98.0.0' })).toBeUndefined()
  })
  it('installs nothing if the package is there, as in a clone', async () => {
    const { exitCode, out, err } = await runCli(['install', 'previews', '--data', join(folder, 'unused')])
    expect([exitCode, err]).toEqual([0, ''])
    expect(out).toContain('is installed: ')
  })
  it('says what is wrong with a file, in npm’s words', async () => {
    const broken = join(folder, 'broken.tgz')
    writeFileSync(broken, 'not an archive')
    const refused = await runCli(['install', 'previews', broken, '--data', join(folder, 'data')])
    expect([refused.exitCode, refused.err]).toEqual([2, expect.stringContaining('npm could not install the package')])
    const missing = await runCli(['install', 'previews', join(folder, 'none.tgz')])
    expect(missing.err).toContain('there is no such file')
  })
})
