import { vendors } from '../../contract/index.ts'
import { access, constants, stat } from 'node:fs/promises'
import { startScoring } from '../../runner/index.ts'
import { readSandboxSetting } from '../../settings/index.ts'
import { composeApp, type AppOptions } from '../compose.ts'
import { findDataFolder } from '../data-folder.ts'
import { readVersion } from '../package-files.ts'
import { styleFor, type Terminal } from '../output/terminal.ts'

interface Finding {
  name: string
  isWell: boolean
  /** Benchmaker works without it. */
  isOptional?: boolean
  says: string
}

async function examine(name: string, check: () => Promise<string>): Promise<Finding> {
  try {
    return { name, isWell: true, says: await check() }
  } catch (error) {
    return { name, isWell: false, says: error instanceof Error ? error.message : String(error) }
  }
}

const KEYS = vendors.flatMap(({ variables }) => variables)

/** Composes the app here, so that a database that does not open is a finding and not the end of the command. */
async function examineData(options: AppOptions, env: NodeJS.ProcessEnv): Promise<string> {
  const app = await composeApp(options, env)
  try {
    const runs = await (await app.storage()).listRuns({ limit: 1 })
    await access(app.dataFolder, constants.W_OK).catch(() => undefined)
    const place = await stat(app.dataFolder).then(
      () => app.dataFolder,
      () => 'PostgreSQL',
    )
    return `${place}: opens, ${runs.length === 0 ? 'no runs yet' : `newest run ${runs[0]!.id}`}`
  } finally {
    await app.close().catch(() => undefined)
  }
}

/** Starts the browser as the Code Arena would. */
async function examineBrowser({ data }: AppOptions, env: NodeJS.ProcessEnv): Promise<string> {
  const { sandbox, setBy } = readSandboxSetting(findDataFolder(data, env), env)
  const { launchChromium } = await import('../../preview/index.ts')
  const browser = await launchChromium({ sandbox })
  const version = browser.version()
  await browser.close()
  if (sandbox === 'on') return `Chromium ${version}, in its sandbox`
  throw new Error(
    `Chromium ${version} opens model-written pages without its sandbox: ${setBy === 'environment' ? 'BENCHMAKER_CHROMIUM_SANDBOX is off' : 'it is turned off in Settings'}`,
  )
}

function examineAll(options: AppOptions, env: NodeJS.ProcessEnv): Promise<Finding>[] {
  return [
    examine('Benchmaker', async () => `${readVersion()} on Node ${process.versions.node}`),
    examine('Data', () => examineData(options, env)),
    examine('Scoring threads', async () => {
      const scoring = startScoring()
      const stopped = await scoring
        .scoreRegexMatch(`${'a'.repeat(40)}!`, '^(a+)+$', { deadlineMs: 50 })
        .catch((error: { code?: string }) => error.code)
      if (stopped !== 'regex-timeout') throw new Error('an endless pattern was not stopped')
      return 'stop an endless pattern'
    }),
    examine('Screenshots', () => examineBrowser(options, env)).then((finding) => ({ ...finding, isOptional: true })),
    examine('Keys', async () => {
      const set = KEYS.filter((key) => env[key])
      return set.length > 0
        ? `set: ${set.join(', ')}`
        : 'none set: only demo/… and local endpoints (--base-url) are available'
    }),
  ]
}

/** `benchmaker doctor` */
export async function examineInstallation(
  options: AppOptions & { json?: boolean },
  terminal: Terminal,
  env = process.env,
): Promise<number> {
  const style = styleFor(terminal)
  const findings = await Promise.all(examineAll(options, env))
  if (options.json) terminal.stdout.write(`${JSON.stringify({ findings }, null, 2)}\n`)
  else
    for (const { name, isWell, isOptional, says } of findings) {
      const sign = isWell ? style('green', '✓') : isOptional ? style('yellow', '!') : style('red', '✗')
      terminal.stdout.write(`${sign} ${name.padEnd(16)} ${says}\n`)
    }
  return findings.every(({ isWell, isOptional }) => isWell || isOptional) ? 0 : 2
}
