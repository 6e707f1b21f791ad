import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { makeDataFolder } from '../compose.ts'
import { findDataFolder } from '../data-folder.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText } from '../output/text-table.ts'
import { findPreviewFiles, previewsCache, readVersion } from '../package-files.ts'

/** Runs npm; throws what it wrote if it fails. */
async function runNpm(args: string[]): Promise<void> {
  // On Windows npm is a .cmd file, which only a shell can start.
  const npm = spawn('npm', args, { stdio: ['ignore', 'pipe', 'pipe'], shell: process.platform === 'win32' })
  let output = ''
  for (const stream of [npm.stdout, npm.stderr]) stream.on('data', (chunk: Buffer) => (output += chunk.toString()))
  const [exitCode]: (number | null)[] = await once(npm, 'close').catch((error: unknown) => {
    throw new InputError('npm cannot be started; it comes with Node and must be in the PATH', { cause: error })
  })
  if (exitCode !== 0) throw new InputError(`npm could not install the package:\n${output.trim()}`)
}

/** `benchmaker install previews`: into a cache in the data folder, by npm and without install scripts. */
export async function installPreviews(
  files: readonly string[],
  options: { data?: string; json?: boolean },
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const dataFolder = findDataFolder(options.data, env)
  const version = readVersion()
  const missing = files.find((file) => !existsSync(file))
  if (missing !== undefined) throw new InputError(`${missing}: there is no such file`)
  const isThere = files.length === 0 && findPreviewFiles(dataFolder, env) !== undefined
  if (!isThere) {
    const cache = previewsCache(dataFolder)
    makeDataFolder(dataFolder, (line) => terminal.stderr.write(`${line}\n`))
    if (!options.json) terminal.stderr.write(`Installing benchmaker-previews ${version} in ${cleanText(cache)} …\n`)
    await runNpm([
      'install',
      `--prefix=${cache}`,
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
      // Files are for machines without a registry, where looking for the browser there would take minutes.
      ...(files.length > 0
        ? ['--fetch-retries=0', ...files.map((file) => resolve(file))]
        : [`benchmaker-previews@${version}`]),
    ])
  }
  const folder = findPreviewFiles(dataFolder, env)
  if (folder === undefined) throw new InputError(`the files are not those of benchmaker-previews ${version}`)
  if (options.json) printJson({ package: 'benchmaker-previews', version, folder }, terminal)
  else terminal.stdout.write(`benchmaker-previews ${version} is installed: ${cleanText(folder)}\n`)
  return 0
}
