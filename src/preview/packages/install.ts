/** Installs npm packages for pages into a folder of the program's own, with npm and without running anything of theirs. */
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { cp, lstat, mkdir, open, readdir, readFile, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { z } from 'zod'
import { countNoun, formatBytes, InputError, writeNumber } from '../../contract/index.ts'
import { makeBundle } from './bundle.ts'
import {
  bundleFolder,
  currentFolder,
  isIncluded,
  isInstallable,
  LIST_NAME,
  nameBundle,
  packageName,
  readInstalled,
  type InstalledList,
  type InstalledPackage,
} from './installed.ts'

export interface InstallLimits {
  /** Of all packages together. */
  bytes: number
  files: number
  milliseconds: number
}

const LIMITS: InstallLimits = { bytes: 500 * 1024 ** 2, files: 60_000, milliseconds: 300_000 }

/** How often the folder is measured while npm fills it. */
const MEASURE_MS = 500
/** A package of which one needs a peer may need another. */
const MOST_ROUNDS = 5
const KEPT_BUNDLE_MS = 30 * 24 * 3_600_000

const FLAGS = [
  '--ignore-scripts',
  '--no-bin-links',
  '--no-audit',
  '--no-fund',
  '--no-update-notifier',
  '--no-workspaces',
  '--no-global',
  '--package-lock',
  // Where a lock file names no addresses, nothing shows where a package came from.
  '--omit-lockfile-registry-resolved=false',
  '--save',
  '--save-exact',
  '--omit=dev',
  '--omit=optional',
  // Pages have one React; peers that they lack are added below.
  '--legacy-peer-deps',
  '--loglevel=error',
  // Nothing but the registry's packages: older versions of npm do not know these, so the lock file is checked as well.
  '--allow-git=none',
  '--allow-remote=none',
  '--allow-file=none',
  '--allow-directory=none',
]

/** What npm says, without where it has written the same at more length. */
const readOutput = (text: string): string =>
  text
    .split('\n')
    .filter((line) => !/complete log of this run|_logs[\\/]/.test(line))
    .join('\n')
    .trim()

/** Runs npm; throws what it wrote if it fails. */
export async function runNpm(
  args: string[],
  { cwd, signal }: { cwd?: string; signal?: AbortSignal } = {},
): Promise<void> {
  // On Windows npm is a .cmd file, which only a shell can start.
  const npm = spawn('npm', args, {
    stdio: ['ignore', 'pipe', 'pipe'],
    shell: process.platform === 'win32',
    ...(cwd !== undefined && { cwd }),
  })
  const stop = () => npm.kill('SIGKILL')
  signal?.addEventListener('abort', stop, { once: true })
  if (signal?.aborted) stop()
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  try {
    const exitCode = await new Promise<number | null>((resolve, reject) => {
      npm.once('error', reject)
      npm.once('close', resolve)
    }).catch((error: unknown) => {
      throw new InputError('npm cannot be started; it comes with Node and must be in the PATH', { cause: error })
    })
    if (signal?.aborted) throw signal.reason
    if (exitCode !== 0) throw new InputError(`npm could not install the package:\n${readOutput(output)}`)
  } finally {
    signal?.removeEventListener('abort', stop)
  }
}

interface Spec {
  name: string
  /** A version, range or tag. */
  version: string
}

/** Reads `name`, `name@1.2.3` or `@scope/name@next`. */
export function readPackageSpec(text: string): Spec {
  const [, name = '', version = 'latest'] = /^(@?[^@]+)(?:@(.*))?$/.exec(text.trim()) ?? []
  if (packageName(name) !== name || !/^[\w.^~+-]{1,100}$/.test(version))
    throw new InputError(
      `“${text}” is not the name of a package in a registry; write NAME or NAME@VERSION, such as date-fns-tz or date-fns-tz@3.2.0`,
    )
  if (isIncluded(name)) throw new InputError(`${name} comes with benchmaker-previews; pages can import it already`)
  if (!isInstallable(name)) throw new InputError(`${name} does not run in a page, so installing it would not help`)
  return { name, version }
}

const lockSchema = z.object({
  packages: z.record(
    z.string(),
    z.object({
      version: z.string().optional(),
      resolved: z.string().optional(),
      integrity: z.string().optional(),
      link: z.boolean().optional(),
      inBundle: z.boolean().optional(),
      peerDependencies: z.record(z.string(), z.string()).optional(),
      peerDependenciesMeta: z.record(z.string(), z.object({ optional: z.boolean().optional() })).optional(),
    }),
  ),
})

type Lock = z.output<typeof lockSchema>['packages']

async function readLock(folder: string): Promise<{ lock: Lock; digest: string }> {
  const text = await readFile(join(folder, 'package-lock.json'), 'utf8')
  const { packages } = lockSchema.parse(JSON.parse(text))
  const { '': _root, ...lock } = packages
  return { lock, digest: createHash('sha256').update(text).digest('hex') }
}

const nameAt = (path: string): string => path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)

/** A package may ask for a repository, an archive elsewhere or a folder of this machine in place of the registry's. */
function checkLock(lock: Lock): void {
  for (const [path, { resolved = '', integrity, link, inBundle }] of Object.entries(lock)) {
    if (inBundle) continue
    if (link || !/^https?:/.test(resolved) || integrity === undefined)
      throw new InputError(`${nameAt(path)} does not come from the registry with a checksum, so nothing was installed`)
  }
}

/** What packages expect their users to bring, and neither ships nor is there. */
function findPeers(lock: Lock): string[] {
  const wanted = new Map<string, string>()
  for (const { peerDependencies = {}, peerDependenciesMeta = {} } of Object.values(lock))
    for (const [name, range] of Object.entries(peerDependencies))
      if (!peerDependenciesMeta[name]?.optional && !(`node_modules/${name}` in lock) && isInstallable(name))
        wanted.set(name, /^[\w.^~+-]+$/.test(range) ? range : 'latest')
  return [...wanted].map(([name, range]) => `${name}@${range}`)
}

/** npm leaves some of what it does not need any more. */
async function removeUnlocked(folder: string, lock: Lock): Promise<void> {
  const modules = join(folder, 'node_modules')
  const list = (path: string) => readdir(path).catch(() => [])
  for (const entry of await list(modules)) {
    const names = entry.startsWith('@') ? (await list(join(modules, entry))).map((name) => `${entry}/${name}`) : [entry]
    for (const name of names)
      if (!(`node_modules/${name}` in lock)) await rm(join(modules, name), { recursive: true, force: true })
  }
}

interface Measured {
  bytes: number
  files: number
  /** What is neither a file nor a folder. */
  odd: string[]
}

async function measure(folder: string): Promise<Measured> {
  const total: Measured = { bytes: 0, files: 0, odd: [] }
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => [])
  for (const entry of entries) {
    const path = join(folder, entry.name)
    if (entry.isDirectory()) {
      const inside = await measure(path)
      total.bytes += inside.bytes
      total.files += inside.files
      total.odd.push(...inside.odd)
    } else if (entry.isFile()) {
      total.bytes += await lstat(path).then(
        ({ size }) => size,
        () => 0,
      )
      total.files++
    } else total.odd.push(path)
  }
  return total
}

function refuseSize({ bytes, files }: Measured, limits: InstallLimits): InputError | undefined {
  if (bytes > limits.bytes)
    return new InputError(
      `the packages for pages would take more than ${formatBytes(limits.bytes)}; nothing was installed`,
    )
  if (files > limits.files)
    return new InputError(
      `the packages for pages would have more than ${writeNumber(limits.files)} files; nothing was installed`,
    )
  return undefined
}

/** Runs npm in the folder until it is done, too large or too late. */
async function fill(folder: string, args: string[], limits: InstallLimits, deadline: AbortSignal): Promise<void> {
  const oversize = new AbortController()
  let timer: NodeJS.Timeout | undefined
  const look = async (): Promise<void> => {
    const problem = refuseSize(await measure(folder), limits)
    if (problem) oversize.abort(problem)
    else if (!oversize.signal.aborted) timer = setTimeout(() => void look(), MEASURE_MS)
  }
  timer = setTimeout(() => void look(), MEASURE_MS)
  try {
    await runNpm(['install', `--prefix=${folder}`, ...FLAGS, ...args], {
      cwd: folder,
      signal: AbortSignal.any([oversize.signal, deadline]),
    })
  } finally {
    oversize.abort()
    clearTimeout(timer)
  }
}

const EXPLAINED: [code: RegExp, text: string][] = [
  [/\bEINTEGRITY\b/, 'what the registry sent does not have the checksum that it gives, so nothing was installed'],
  [/\bE404\b/, 'the registry has no such package, or one that it needs; check the name'],
  [/\bETARGET\b/, 'the registry has no such version'],
  [/\bEALLOW\w*|\bEGIT\w*/, 'a package asks for another one from outside of the registry, so nothing was installed'],
]

function explain(error: unknown): unknown {
  if (!(error instanceof InputError)) return error
  const found = EXPLAINED.find(([code]) => code.test(error.message))
  if (!found) return error
  const said = error.message
    .split('\n')
    .map((line) => /^npm error (?!code\b)(?:[a-z0-9]+ )?(.*\S)/i.exec(line)?.[1])
    .find((line) => line !== undefined && line.includes(' '))
  return new InputError(said === undefined ? found[1] : `${found[1]} (npm: ${said})`, { cause: error })
}

async function listPackages(
  folder: string,
  requested: ReadonlySet<string>,
  before: InstalledList,
): Promise<InstalledList> {
  const { lock, digest } = await readLock(folder)
  const packages: InstalledPackage[] = []
  for (const [path, { version = '' }] of Object.entries(lock)) {
    // Only these can be imported; what is inside of another package counts as part of it.
    if (path.lastIndexOf('node_modules/') !== 0) continue
    const name = nameAt(path)
    const { bytes } = await measure(join(folder, path))
    const known = before.packages.find((one) => one.name === name && one.version === version)?.problem
    packages.push({
      name,
      version,
      bytes,
      isRequested: requested.has(name),
      ...(known !== undefined && { problem: known }),
    })
  }
  return { lock: digest, packages: packages.sort((a, b) => a.name.localeCompare(b.name)) }
}

/** One installation at a time: each starts from what the one before has left. */
async function lockFolder(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true })
  const path = join(folder, 'installing')
  const tryOnce = async (): Promise<boolean> =>
    open(path, 'wx', 0o600).then(
      async (file) => {
        await file.writeFile(String(process.pid))
        await file.close()
        return true
      },
      () => false,
    )
  if (!(await tryOnce())) {
    const holder = Number(await readFile(path, 'utf8').catch(() => ''))
    if (holder > 0 && isRunning(holder))
      throw new InputError('another installation of packages is running; wait until it has ended')
    await rm(path, { force: true })
    if (!(await tryOnce())) throw new InputError(`${path} cannot be written`)
  }
  return () => rm(path, { force: true })
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** Bundles that no page has used for long. */
async function removeOldBundles(folder: string, now: number): Promise<void> {
  for (const name of await readdir(bundleFolder(folder)).catch(() => [])) {
    const path = join(bundleFolder(folder), name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: now }))
    if (now - mtimeMs > KEPT_BUNDLE_MS) await rm(path, { force: true })
  }
}

export interface PackageTools {
  /** The folder for packages, in the data folder. */
  folder: string
  previews: string | undefined
  limits?: InstallLimits
}

/** Puts what `change` leaves of a copy in the place of what is installed; nothing changes if it throws. */
async function replaceInstalled(
  { folder, limits = LIMITS }: PackageTools,
  change: (
    staged: string,
    before: InstalledList,
    npm: (...args: string[]) => Promise<void>,
  ) => Promise<ReadonlySet<string>>,
): Promise<InstalledList> {
  const unlock = await lockFolder(folder)
  const staged = join(folder, `new-${randomBytes(6).toString('hex')}`)
  const old = join(folder, `old-${randomBytes(6).toString('hex')}`)
  const deadline = AbortSignal.timeout(limits.milliseconds)
  try {
    for (const left of await readdir(folder))
      if (/^(?:new|old)-/.test(left)) await rm(join(folder, left), { recursive: true, force: true })
    const before = await readInstalled(folder)
    if (before.packages.length > 0) await cp(currentFolder(folder), staged, { recursive: true })
    else {
      await mkdir(staged)
      await writeFile(join(staged, 'package.json'), '{ "private": true }')
    }
    const requested = await change(staged, before, (...args) => fill(staged, args, limits, deadline))
    for (let round = 0; round < MOST_ROUNDS; round++) {
      const peers = findPeers((await readLock(staged)).lock)
      if (peers.length === 0) break
      await fill(staged, peers, limits, deadline)
    }
    const { lock } = await readLock(staged)
    checkLock(lock)
    await removeUnlocked(staged, lock)
    const measured = await measure(join(staged, 'node_modules'))
    const problem = refuseSize(measured, limits)
    if (problem) throw problem
    if (measured.odd.length > 0)
      throw new InputError(
        `the packages have ${countNoun(measured.odd.length, 'entry', 'entries')} that are no files, such as links; nothing was installed`,
      )
    const list = await listPackages(staged, requested, before)
    await writeFile(join(staged, LIST_NAME), JSON.stringify(list, undefined, 2))
    await rename(currentFolder(folder), old).catch(() => undefined)
    await rename(staged, currentFolder(folder))
    await removeOldBundles(folder, Date.now())
    return list
  } catch (error) {
    if (deadline.aborted)
      throw new InputError(`the packages were not there after ${limits.milliseconds / 1000} s; nothing was installed`, {
        cause: error,
      })
    throw explain(error)
  } finally {
    await rm(staged, { recursive: true, force: true })
    await rm(old, { recursive: true, force: true })
    await unlock()
  }
}

const namesRequested = ({ packages }: InstalledList): string[] =>
  packages.flatMap(({ name, isRequested }) => (isRequested ? [name] : []))

/** Bundles each new package once, to say at once which of them do not run in a page. */
async function tryPackages(
  list: InstalledList,
  names: readonly string[],
  { folder, previews }: PackageTools,
): Promise<InstalledList> {
  const problems = new Map<string, string>()
  for (const name of names) {
    const wanted = { name: nameBundle(list.lock, [name]), specifiers: [name] }
    const { failed, lacks } = await makeBundle(wanted, { folder, previews })
    // One with style sheets or parts only has nothing of this name.
    const reason = failed[name]
    if (reason !== undefined && !reason.endsWith('is not in the package'))
      problems.set(name, `it cannot be part of a page: ${reason}`)
    else if (lacks.length > 0) problems.set(name, `parts of it need ${lacks.join(', ')}, which no page has`)
  }
  if (problems.size === 0) return list
  const packages = list.packages.map((one) => {
    const problem = problems.get(one.name)
    return problem === undefined ? one : { ...one, problem }
  })
  const tried = { ...list, packages }
  await writeFile(join(currentFolder(folder), LIST_NAME), JSON.stringify(tried, undefined, 2))
  return tried
}

/** Installs packages of the registry that npm is configured with, and what they need. */
export async function installPackages(texts: readonly string[], tools: PackageTools): Promise<InstalledList> {
  const specs = texts.map(readPackageSpec)
  const list = await replaceInstalled(tools, async (_staged, before, npm) => {
    await npm(...specs.map(({ name, version }) => `${name}@${version}`))
    return new Set([...namesRequested(before), ...specs.map(({ name }) => name)])
  })
  return tryPackages(
    list,
    specs.map(({ name }) => name),
    tools,
  )
}

/** Removes packages, and what only they needed. */
export async function removePackages(names: readonly string[], tools: PackageTools): Promise<InstalledList> {
  const { packages } = await readInstalled(tools.folder)
  const unknown = names.find((name) => !packages.some((one) => one.name === name && one.isRequested))
  if (unknown !== undefined) {
    const user = packages.some(({ name }) => name === unknown)
    throw new InputError(
      user
        ? `${unknown} is there because another package needs it; remove that one`
        : `${unknown} is not installed; see benchmaker install packages --list`,
    )
  }
  return replaceInstalled(tools, async (staged, before, npm) => {
    const kept = before.packages.filter(({ name, isRequested }) => isRequested && !names.includes(name))
    const dependencies = Object.fromEntries(kept.map(({ name, version }) => [name, version]))
    await writeFile(join(staged, 'package.json'), JSON.stringify({ private: true, dependencies }))
    await npm('--prefer-offline')
    return new Set(kept.map(({ name }) => name))
  })
}
