import { vendors, messageOf } from '../../contract/index.ts'
import { formatCount } from '../../report/words/index.ts'
import { startScoring } from '../../runner/index.ts'
import { readSandboxSetting } from '../../settings/index.ts'
import { composeApp, examineData, type AppOptions } from '../compose.ts'
import { findDataFolder } from '../data-folder.ts'
import { findPreviewFiles, readVersion } from '../package-files.ts'
import { printJson, styleFor, type Terminal } from '../output/terminal.ts'
import { cleanText, wrapText } from '../output/text-table.ts'

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
    return { name, isWell: false, says: messageOf(error) }
  }
}

const NARROW = 70

const KEYS = vendors.flatMap(({ variables }) => variables)

const REMEDY =
  'Keep a copy of it as it is; restore a backup, or export what can still be read with: benchmaker export RUN --damaged --out FILE.json'

/** Reads everything, and then opens it: a database that is damaged or does not open is a finding, not the end. */
async function examineStored(options: AppOptions, env: NodeJS.ProcessEnv): Promise<string> {
  const dataFolder = findDataFolder(options.data, env)
  const place = env['BENCHMAKER_DATABASE_URL'] ? 'PostgreSQL' : dataFolder
  const { problems, runs } = await examineData(dataFolder, env)
  if (problems.length > 0) throw new Error([`${place}: ${problems[0]}`, ...problems.slice(1), REMEDY].join('\n'))
  const app = await composeApp(options, env, { isReadOnlyAllowed: true })
  try {
    const [newest] = await (await app.storage()).listRuns({ limit: 1 })
    return `${place}: opens, nothing damaged, ${newest ? `${formatCount(runs, 'run')}, newest ${newest.id}` : 'no runs yet'}`
  } finally {
    await app.close().catch(() => undefined)
  }
}

/** Starts the browser as the Code Arena would. */
async function examineBrowser({ data }: AppOptions, env: NodeJS.ProcessEnv): Promise<string> {
  const dataFolder = findDataFolder(data, env)
  const { sandbox, setBy } = readSandboxSetting(dataFolder, env)
  const { launchChromium } = await import('../../preview/index.ts')
  const browser = await launchChromium({ previews: findPreviewFiles(dataFolder, env), sandbox })
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
    examine('Data', () => examineStored(options, env)),
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
  if (options.json) printJson({ findings }, terminal)
  else
    for (const { name, isWell, isOptional, says } of findings) {
      const sign = isWell ? style('green', '✓') : isOptional ? style('yellow', '!') : style('red', '✗')
      // Beside the name if there is room, else below it.
      const indent = ' '.repeat(terminal.columns < NARROW ? 2 : 19)
      const lines = says.split('\n').map((line) => wrapText(cleanText(line), terminal.columns, indent))
      const heading = terminal.columns < NARROW ? `${name}\n${indent}` : `${name.padEnd(16)} `
      terminal.stdout.write(`${sign} ${heading}${lines.join(`\n${indent}`)}\n`)
    }
  return findings.every(({ isWell, isOptional }) => isWell || isOptional) ? 0 : 2
}
