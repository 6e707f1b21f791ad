import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { installPackages, readPackageSpec, removePackages, type InstallLimits } from './install.ts'
import { readInstalled } from './installed.ts'
import { npmVariables, startRegistry, type Registry } from './testing/registry.ts'

let registry: Registry
let root: string
let folder: string

beforeAll(async () => {
  registry = await startRegistry()
  root = mkdtempSync(join(tmpdir(), 'benchmaker-packages-'))
  for (const [name, value] of Object.entries(npmVariables(registry, join(root, 'cache')))) vi.stubEnv(name, value)
})
beforeEach(() => {
  folder = mkdtempSync(join(root, 'data-'))
})
afterEach(() => rmSync(folder, { recursive: true, force: true }))
afterAll(async () => {
  vi.unstubAllEnvs()
  await registry.close()
  rmSync(root, { recursive: true, force: true })
})

const limits: InstallLimits = { bytes: 2_000_000, files: 1000, milliseconds: 600_000 }
const install = (...names: string[]) => installPackages(names, { folder, previews: undefined, limits })
/** What an installation says that fails, and what is there then. */
async function fail(...names: string[]): Promise<{ says: string; left: string[]; installed: string[] }> {
  const says = await install(...names).then(
    () => 'nothing',
    (error: Error) => error.message,
  )
  const { packages } = await readInstalled(folder)
  return {
    says,
    left: readdirSync(folder).filter((name) => name !== 'current' && name !== 'bundles'),
    installed: packages.map(({ name }) => name),
  }
}
const current = (path: string) => join(folder, 'current', path)

describe('installing packages for pages', () => {
  it('fetches packages and what they need, locks their versions and lists their sizes', async () => {
    registry.publish(
      { name: 'pretty-dial', version: '1.0.0' },
      { name: 'pretty-dial', version: '2.1.0', manifest: { dependencies: { 'dial-core': '^1.0.0' } } },
      { name: 'dial-core', files: { 'index.js': `exports.text = '${'x'.repeat(5000)}'` } },
      {
        name: '@shapes/round',
        manifest: {
          peerDependencies: { react: '*', 'shape-base': '*', 'shape-extra': '*' },
          peerDependenciesMeta: { 'shape-extra': { optional: true } },
        },
      },
      { name: 'shape-base' },
    )
    const { packages } = await install('pretty-dial', '@shapes/round@1.0.0')
    expect(packages.map(({ name, version, isRequested }) => [name, version, isRequested])).toEqual([
      ['@shapes/round', '1.0.0', true],
      ['dial-core', '1.0.0', false],
      ['pretty-dial', '2.1.0', true],
      ['shape-base', '1.0.0', false],
    ])
    expect(packages[1]!.bytes).toBeGreaterThan(5000)
    const lock: { packages: Record<string, { version: string; integrity: string }> } = JSON.parse(
      readFileSync(current('package-lock.json'), 'utf8'),
    )
    expect(lock.packages['node_modules/dial-core']).toMatchObject({
      version: '1.0.0',
      integrity: expect.stringMatching(/^sha512-/),
    })
    expect((await install('pretty-dial@1.0.0')).packages.map(({ name, version }) => `${name} ${version}`)).toEqual([
      '@shapes/round 1.0.0',
      'pretty-dial 1.0.0',
      'shape-base 1.0.0',
    ])
  })

  it('removes a package with what only it needed', async () => {
    registry.publish(
      { name: 'keep-me', manifest: { dependencies: { 'both-need': '1' } } },
      { name: 'drop-me', manifest: { dependencies: { 'both-need': '1', 'only-mine': '1' } } },
      { name: 'both-need' },
      { name: 'only-mine' },
    )
    await install('keep-me', 'drop-me')
    const tools = { folder, previews: undefined, limits }
    const { packages } = await removePackages(['drop-me'], tools)
    expect(packages.map(({ name }) => name)).toEqual(['both-need', 'keep-me'])
    expect(existsSync(current('node_modules/only-mine'))).toBe(false)
    await expect(removePackages(['both-need'], tools)).rejects.toThrow('another package needs it')
    await expect(removePackages(['drop-me'], tools)).rejects.toThrow('drop-me is not installed')
  })

  it('runs no script of a package', async () => {
    const proof = join(root, 'proof')
    registry.publish({
      name: 'with-scripts',
      manifest: { scripts: { preinstall: `touch ${proof}`, install: `touch ${proof}`, postinstall: `touch ${proof}` } },
      files: { 'index.js': '', 'binding.gyp': '{}' },
    })
    expect((await install('with-scripts')).packages).toHaveLength(1)
    expect(existsSync(proof)).toBe(false)
  })

  it('keeps an archive inside of its folder', async () => {
    registry.publish({
      name: 'climbing',
      odd: [
        { path: 'package/../../../../climbed.js', text: 'out' },
        { path: '../../../climbed.js', text: 'out' },
        { path: join(root, 'climbed.js'), text: 'out' },
        { path: 'package/passwd.js', link: '/etc/passwd' },
        { path: 'package/up', link: '../../..' },
        { path: 'package/up/climbed.js', text: 'out' },
      ],
    })
    await install('climbing')
    const all = readdirSync(root, { recursive: true, encoding: 'utf8', withFileTypes: true })
    expect(all.filter((entry) => entry.isSymbolicLink()).map(({ name }) => name)).toEqual([])
    const climbed = all.filter(
      ({ name, parentPath }) => name === 'climbed.js' && !parentPath.startsWith(current('node_modules/climbing')),
    )
    expect(climbed).toEqual([])
    expect(existsSync(current('node_modules/climbing/passwd.js'))).toBe(false)
  })
})

describe('an installation that fails says why, and changes nothing', () => {
  beforeEach(async () => {
    registry.publish({ name: 'there-before' })
    await install('there-before')
  })
  afterEach(async () => expect((await readInstalled(folder)).packages).toMatchObject([{ name: 'there-before' }]))

  it('if what arrives does not have the checksum of the registry', async () => {
    registry.publish({ name: 'swapped', isFalse: true })
    expect(await fail('swapped')).toEqual({
      says: expect.stringContaining('does not have the checksum'),
      left: [],
      installed: ['there-before'],
    })
  })

  it('if a package, or one that it needs, is not in the registry', async () => {
    registry.publish({ name: 'half', manifest: { dependencies: { 'never-published': '1' } } })
    expect(await fail('half')).toMatchObject({ says: expect.stringMatching(/no such package[\s\S]*never-published/) })
    expect(await fail('there-before@9.9.9')).toMatchObject({ says: expect.stringContaining('no such version') })
  })

  it('if it is too large, in bytes or files', async () => {
    registry.publish(
      { name: 'heavy', files: { 'index.js': ' '.repeat(3_000_000) } },
      {
        name: 'crowded',
        files: Object.fromEntries(Array.from({ length: 1200 }, (_none, index) => [`${index}.js`, ''])),
      },
    )
    expect(await fail('heavy')).toMatchObject({ says: expect.stringContaining('more than 1.9 MB'), left: [] })
    expect(await fail('crowded')).toMatchObject({ says: expect.stringContaining('more than 1,000 files'), left: [] })
  })

  it('if it never ends', async () => {
    registry.publish({ name: 'endless', isEndless: true })
    const tools = { folder, previews: undefined, limits: { ...limits, milliseconds: 3000 } }
    await expect(installPackages(['endless'], tools)).rejects.toThrow('not there after 3 s')
    expect(readdirSync(folder)).not.toContain('installing')
  })

  it.each([
    ['a repository', 'git+https://127.0.0.1:1/x.git'],
    ['an archive elsewhere', 'http://127.0.0.1:1/x.tgz'],
    ['a folder of this machine', `file:${tmpdir()}`],
  ])('if it asks for %s', async (what, address) => {
    const name = `asks-for-${what.replaceAll(' ', '-')}`
    registry.publish({ name, manifest: { dependencies: { elsewhere: address } } })
    expect(await fail(name)).toMatchObject({
      says: expect.stringMatching(/from outside of the registry|does not come from the registry|could not install/),
      left: [],
    })
  })
})

describe('the name of a package', () => {
  it.each(['../up', 'git+ssh://x', 'a b', 'name@file:..', '@scope', '--flag', 'name@>1', ''])('is not %s', (text) => {
    expect(() => readPackageSpec(text)).toThrow('is not the name of a package')
  })
  it('is not of what is there already, or what no page can run', () => {
    expect(() => readPackageSpec('react@18')).toThrow('comes with benchmaker-previews')
    expect(() => readPackageSpec('fs')).toThrow('does not run in a page')
    expect(readPackageSpec('@react-three/drei')).toEqual({ name: '@react-three/drei', version: 'latest' })
    expect(readPackageSpec('date-fns-tz@^3.2')).toEqual({ name: 'date-fns-tz', version: '^3.2' })
  })
})
