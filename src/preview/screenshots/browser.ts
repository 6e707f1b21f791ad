/** Finds a Chromium and starts it so that its pages have no network. */
import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'
import type { Browser } from 'playwright-core'

/** Nothing listens there, so requests through the proxy go nowhere. */
const DEAD_PROXY = 'http://127.0.0.1:9'

/**
 * Without site isolation everything shares one renderer. `<-loopback>` sends even this machine's own addresses through the
 * proxy, which they would otherwise bypass; the WebRTC rule keeps its packets from bypassing it.
 */
const ARGUMENTS = [
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
  'Install Chrome or Chromium and set BENCHMAKER_CHROMIUM to its path, or install the package @sparticuz/chromium.'

/** Returns the path of a Chromium: BENCHMAKER_CHROMIUM, or the one from npm, or an installed one. */
export async function findChromium(chosen = process.env.BENCHMAKER_CHROMIUM): Promise<string> {
  if (chosen !== undefined && chosen !== '') {
    if (existsSync(chosen)) return chosen
    throw new InputError(`BENCHMAKER_CHROMIUM is ${chosen}, and there is no such file. ${HOW_TO_GET_ONE}`)
  }
  // The package from npm runs on Linux x64 only.
  if (process.platform === 'linux' && process.arch === 'x64') {
    try {
      const { default: chromium } = await import('@sparticuz/chromium')
      return await chromium.executablePath()
    } catch (error) {
      if (!isMissingModule(error)) throw error
    }
  }
  const installed = INSTALLED.find((path) => existsSync(path))
  if (installed === undefined) throw new InputError(`Screenshots need a browser, and none was found. ${HOW_TO_GET_ONE}`)
  return installed
}

function isMissingModule(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ERR_MODULE_NOT_FOUND'
}

export interface LaunchOptions {
  executablePath?: string
  /** False allows connections to this machine, for tests of the other barriers. Default true. */
  isCutOff?: boolean
}

export async function launchChromium({ executablePath, isCutOff = true }: LaunchOptions = {}): Promise<Browser> {
  const { chromium } = await import('playwright-core').catch((error: unknown) => {
    if (isMissingModule(error))
      throw new InputError('Screenshots need the package playwright-core: install it beside Benchmaker.')
    throw error
  })
  const path = await findChromium(executablePath)
  const launch = (chromiumSandbox: boolean): Promise<Browser> =>
    chromium.launch({
      executablePath: path,
      headless: true,
      chromiumSandbox,
      args: isCutOff
        ? ARGUMENTS
        : [
            '--disable-gpu',
            '--site-per-process',
            '--disable-background-networking',
            '--disable-component-update',
            '--no-first-run',
          ],
      ...(isCutOff && { proxy: { server: DEAD_PROXY } }),
    })
  // Chromium's own sandbox does not work for root and on some kernels; pages are isolated in other ways.
  if (process.platform === 'linux' && process.getuid?.() === 0) return launch(false)
  return launch(true).catch(() => launch(false))
}

/** Returns the resident memory of a process in megabytes; `undefined` if it is not known. */
export async function readMemoryMb(pid: number): Promise<number | undefined> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '')
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(status)?.[1]
  return kilobytes === undefined ? undefined : Number(kilobytes) / 1024
}
