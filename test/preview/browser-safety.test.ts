/** Which browser is started, and that it is started with its sandbox. */
import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { findChromium, launchChromium, SandboxUnavailable } from '../../src/preview/index.ts'
import { findBrowserFolder, unpackPackage } from '../../src/preview/screenshots/unpack-chromium.ts'

const run = promisify(execFile)
const isRoot = process.getuid?.() === 0

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-safety-'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  rmSync(folder, { recursive: true, force: true })
})

function writeProgram(path: string, text: string): string {
  writeFileSync(path, text)
  chmodSync(path, 0o755)
  return path
}

/** A package with the interface of @sparticuz/chromium: it uses what it finds in the temporary folder. */
function writePackage(version = '1.0.0'): string {
  const home = join(folder, 'package')
  mkdirSync(join(home, 'build'), { recursive: true })
  writeFileSync(join(home, 'package.json'), JSON.stringify({ name: 'x', version, type: 'module' }))
  writeFileSync(
    join(home, 'build/index.js'),
    `import { appendFileSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
export default { async executablePath() {
  appendFileSync(${JSON.stringify(join(folder, 'unpacked.log'))}, 'x')
  if (existsSync(join(tmpdir(), 'chromium'))) return
  mkdirSync(join(tmpdir(), 'fonts'))
  writeFileSync(join(tmpdir(), 'fonts/a.ttf'), 'font')
  writeFileSync(join(tmpdir(), 'chromium'), 'genuine ${version}', { mode: 0o777 })
} }`,
  )
  return join(home, 'build/index.js')
}
const timesUnpacked = () => readFileSync(join(folder, 'unpacked.log'), 'utf8').length

describe('the browser from npm', () => {
  it('is never a file named chromium that lies in the shared temporary folder', async () => {
    const planted = writeProgram(join(folder, 'chromium'), `#!/bin/sh\ntouch ${join(folder, 'was-run')}\n`)
    vi.stubEnv('TMPDIR', folder)
    vi.stubEnv('BENCHMAKER_CHROMIUM', undefined)
    const found = await findChromium()
    expect(found).not.toBe(planted)
    expect(found.startsWith(folder)).toBe(false)
    const browser = await launchChromium()
    await browser.close()
    expect(existsSync(join(folder, 'was-run'))).toBe(false)
    const owned = statSync(found)
    expect([owned.uid, owned.mode & 0o022]).toEqual([process.getuid?.(), 0])
    // A second process checks it again: the owners recorded in the package's archives must not remain.
    const packageFile = createRequire(import.meta.url).resolve('@sparticuz/chromium')
    expect(await unpackPackage(packageFile, findBrowserFolder())).toBe(found)
  })

  it('is unpacked once into a folder that only its owner can change, and used again', async () => {
    const file = writePackage()
    const parent = join(folder, 'cache')
    const found = await unpackPackage(file, parent)
    expect(readFileSync(found, 'utf8')).toBe('genuine 1.0.0')
    for (const path of [parent, join(found, '..'), found, join(found, '../fonts/a.ttf')])
      expect(statSync(path).mode & 0o022, path).toBe(0)
    expect(await unpackPackage(file, parent)).toBe(found)
    expect(timesUnpacked()).toBe(1)
  })

  it('replaces other versions and leaves nothing half unpacked', async () => {
    const parent = join(folder, 'cache')
    await unpackPackage(writePackage('1.0.0'), parent)
    await unpackPackage(writePackage('2.0.0'), parent)
    expect(readdirSync(parent)).toEqual(['chromium-2.0.0'])
  })

  it('is unpacked again if it was changed, cut short, or something was added', async () => {
    const file = writePackage()
    const parent = join(folder, 'cache')
    const found = await unpackPackage(file, parent)
    const damages: (() => void)[] = [
      () => writeFileSync(found, 'changed 1.0.0'),
      () => writeFileSync(found, ''),
      () => rmSync(join(found, '../fonts/a.ttf')),
      () => writeFileSync(join(found, '../libEGL.so'), 'added'),
      () => {
        rmSync(found)
        symlinkSync('/bin/sh', found)
      },
      () => rmSync(join(found, '../unpacked.json')),
      () => writeFileSync(join(found, '../unpacked.json'), '{"files": 3}'),
    ]
    for (const [index, damage] of damages.entries()) {
      damage()
      expect(await unpackPackage(file, parent)).toBe(found)
      expect([readFileSync(found, 'utf8'), timesUnpacked()]).toEqual(['genuine 1.0.0', index + 2])
    }
    expect(readdirSync(parent)).toEqual(['chromium-1.0.0'])
  })

  it('is refused if every user could change it, its folder, or a folder above', async () => {
    const file = writePackage()
    const parent = join(folder, 'cache')
    const found = await unpackPackage(file, parent)
    for (const path of [found, join(found, '..'), parent, folder]) {
      const { mode } = statSync(path)
      chmodSync(path, mode | 0o002)
      await expect(unpackPackage(file, parent), path).rejects.toThrow(
        `${path} can be changed by every user and is not used. Remove it, or set BENCHMAKER_CHROMIUM`,
      )
      chmodSync(path, mode)
    }
    expect(await unpackPackage(file, parent)).toBe(found)
  })

  it.runIf(isRoot)('is refused if another user put it there (run as root, who can make such a file)', async () => {
    const file = writePackage()
    const parent = join(folder, 'cache')
    const found = await unpackPackage(file, parent)
    for (const path of [found, join(found, '..'), parent]) {
      chownSync(path, 65534, 65534)
      await expect(unpackPackage(file, parent), path).rejects.toThrow(`${path} belongs to another user (uid 65534)`)
      chownSync(path, 0, 0)
    }
    // Before anything was unpacked, too.
    const strange = join(folder, 'strange')
    mkdirSync(join(strange, 'chromium-1.0.0'), { recursive: true })
    writeProgram(join(strange, 'chromium-1.0.0/chromium'), 'planted')
    chownSync(join(strange, 'chromium-1.0.0'), 65534, 65534)
    await expect(unpackPackage(file, strange)).rejects.toThrow('belongs to another user')
  })

  it('is whole if several processes unpack it at once', async () => {
    const file = writePackage()
    const parent = join(folder, 'cache')
    const module = pathToFileURL(join(import.meta.dirname, '../../src/preview/screenshots/unpack-chromium.ts')).href
    const script = `import { findBrowserFolder, unpackPackage } from ${JSON.stringify(module)}
process.stdout.write(await unpackPackage(${JSON.stringify(file)}, ${JSON.stringify(parent)}))`
    const results = await Promise.all(
      Array.from({ length: 4 }, () => run(process.execPath, ['--input-type=module', '-e', script])),
    )
    const found = join(parent, 'chromium-1.0.0/chromium')
    expect(results.map(({ stdout }) => stdout)).toEqual([found, found, found, found])
    expect(readFileSync(found, 'utf8')).toBe('genuine 1.0.0')
    expect(readdirSync(parent)).toEqual(['chromium-1.0.0'])
  })

  it('says what to do if it cannot be unpacked', async () => {
    writeFileSync(join(folder, 'file'), '')
    await expect(unpackPackage(writePackage(), join(folder, 'file/cache'))).rejects.toThrow(
      /^Chromium cannot be unpacked into .*file\/cache: .*Set BENCHMAKER_CHROMIUM to an installed browser\.$/,
    )
  })
})

describe('the sandbox', () => {
  /** Like a machine without user namespaces: the real browser, which ends unless it is told to do without a sandbox. */
  async function writeUnsandboxable(): Promise<string> {
    const real = await findChromium()
    return writeProgram(
      join(folder, 'browser'),
      `#!/bin/sh\necho "$*" >> ${join(folder, 'starts.log')}\ncase "$*" in *--no-sandbox*) exec '${real}' "$@";; esac\necho 'No usable sandbox!' >&2\nexit 1\n`,
    )
  }

  it('is on, or the browser is not started: then a sentence says what to do', async () => {
    chmodSync(folder, 0o755)
    vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', '')
    vi.stubEnv('SOME_API_KEY', 'sk-secret')
    const browser = await launchChromium().catch((error: unknown) => error)
    if (browser instanceof Error) {
      expect(browser).toBeInstanceOf(SandboxUnavailable)
      return
    }
    if (typeof browser !== 'object' || browser === null || !('newBrowserCDPSession' in browser))
      throw new Error('no browser')
    const started = browser as Awaited<ReturnType<typeof launchChromium>>
    const page = await started.newPage()
    await page.setContent('<h1>Hello</h1>')
    const session = await started.newBrowserCDPSession()
    const { processInfo } = await session.send('SystemInfo.getProcessInfo')
    const renderers = processInfo.filter(({ type }) => type === 'renderer').map(({ id }) => id)
    const main = processInfo.find(({ type }) => type === 'browser')!.id
    const environment = readFileSync(`/proc/${main}/environ`, 'utf8')
    const statuses = renderers.map((id) => readFileSync(`/proc/${id}/status`, 'utf8'))
    await started.close()
    expect(renderers.length).toBeGreaterThan(0)
    for (const status of statuses) {
      // A filter of system calls, a process namespace of its own, and never root.
      expect(status).toMatch(/^Seccomp:\s+2$/m)
      expect(status).toMatch(/^NSpid:\s+\d+\s+\d+/m)
      expect(status).not.toMatch(/^Uid:\s+0\b/m)
    }
    expect(environment).not.toContain('sk-secret')
  })

  it('is not given up when a start fails', async () => {
    chmodSync(folder, 0o755)
    vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', '')
    const executablePath = await writeUnsandboxable()
    await expect(launchChromium({ executablePath })).rejects.toThrow(
      /sandbox does not work here.*Settings or with BENCHMAKER_CHROMIUM_SANDBOX=off/,
    )
  })

  it('is off only by an explicit setting', async () => {
    const executablePath = await writeUnsandboxable()
    vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', 'off')
    await (await launchChromium({ executablePath })).close()
    expect(readFileSync(join(folder, 'starts.log'), 'utf8').trim().split('\n')).toHaveLength(1)
    vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', 'no')
    await expect(launchChromium({ executablePath })).rejects.toThrow('it must be on or off')
  })

  it('is not blamed for a browser that does not start at all', async () => {
    vi.stubEnv('BENCHMAKER_CHROMIUM_SANDBOX', '')
    const executablePath = writeProgram(join(folder, 'browser'), '#!/bin/sh\nexit 3\n')
    const error = await launchChromium({ executablePath }).catch((cause: unknown) => cause)
    expect(error).toBeInstanceOf(Error)
    expect(error).not.toBeInstanceOf(SandboxUnavailable)
  })
})
