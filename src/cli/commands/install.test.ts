import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { findPreviews } from '../../preview/index.ts'
import { npmVariables, startRegistry, type Registry } from '../../preview/packages/testing/registry.ts'
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

describe('benchmaker install packages', () => {
  let registry: Registry
  let data: string
  beforeAll(async () => {
    registry = await startRegistry()
    data = join(folder, 'with-packages')
    registry.publish({ name: 'tiny-dial', version: '1.2.3', manifest: { dependencies: { 'dial-core': '1' } } })
    registry.publish({ name: 'dial-core', files: { 'index.js': "require('fs').existsSync('x')" } })
  })
  afterAll(() => registry.close())
  const install = async (...args: string[]) => {
    const variables = npmVariables(registry, join(folder, 'cache'))
    for (const [name, value] of Object.entries(variables)) vi.stubEnv(name, value)
    return runCli(['install', 'packages', ...args, '--data', data])
  }

  it('installs, lists and removes them, with versions and sizes', async () => {
    expect((await install('--list')).out).toBe('No packages are installed for pages.\n')
    expect(registry.asked).toEqual([])
    const installed = await install('tiny-dial')
    expect([installed.exitCode, installed.err]).toEqual([0, expect.stringContaining('Installing tiny-dial in ')])
    const { out } = await install('--list')
    expect(out).toBe(installed.out)
    expect(out).toMatch(/dial-core +1\.0\.0 +\d+ B +needed by others/)
    expect(out).toMatch(/tiny-dial +1\.2\.3 +\d+ B/)
    const json = JSON.parse((await install('--list', '--json')).out)
    expect(json).toMatchObject({
      folder: join(data, 'packages'),
      packages: [{ name: 'dial-core' }, { name: 'tiny-dial' }],
    })
    expect((await install('--remove', 'tiny-dial')).out).toBe('No packages are installed for pages.\n')
  })
  it('says what is wrong with its arguments', async () => {
    expect((await install()).err).toContain('name the packages to install')
    expect((await install('x', '--list')).err).toContain('one at a time')
    expect((await install('../x')).err).toContain('is not the name of a package')
    expect((await install('--remove', 'unknown')).err).toContain('unknown is not installed')
    expect((await runCli(['install', 'previews', '--list'])).err).toContain('are for packages')
  })
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
