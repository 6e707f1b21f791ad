import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { formatBytes, InputError } from '../../contract/index.ts'
import { makeDataFolder } from '../compose.ts'
import { findDataFolder } from '../data-folder.ts'
import { printJson, type Terminal } from '../output/terminal.ts'
import { cleanText, drawTable } from '../output/text-table.ts'
import { installPackages, removePackages, runNpm } from '../../preview/packages/install.ts'
import { readInstalled, type InstalledPackage } from '../../preview/packages/installed.ts'
import type { Table } from '../../report/tables/table.ts'
import { findPreviewFiles, packagesFolder, previewsCache, readVersion } from '../package-files.ts'

/** `benchmaker install previews`: into a cache in the data folder, by npm and without install scripts. */
export async function installPreviews(
  files: readonly string[],
  options: { data?: string; json?: boolean; list?: boolean; remove?: readonly string[] },
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const dataFolder = findDataFolder(options.data, env)
  if (options.list || options.remove)
    throw new InputError('--list and --remove are for packages: benchmaker install packages --list')
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

const packageTable: Table<InstalledPackage> = [
  { key: 'package', label: 'Package', role: 'name', cut: 'middle', text: ({ name }) => name },
  { key: 'version', label: 'Version', isObvious: true, text: ({ version }) => version },
  { key: 'size', label: 'Size', align: 'end', text: ({ bytes }) => formatBytes(bytes) },
  {
    key: 'remarks',
    label: 'Remarks',
    role: 'note',
    cut: 'end',
    text: ({ isRequested, problem }) => [isRequested ? [] : 'needed by others', problem ?? []].flat().join('; '),
    isIn: (packages) => packages.some(({ isRequested, problem }) => !isRequested || problem !== undefined),
  },
]

/** `benchmaker install packages`: what pages import and does not ship, into a folder of its own in the data folder. */
export async function changePackages(
  names: readonly string[],
  options: { data?: string; json?: boolean; list?: boolean; remove?: readonly string[] },
  terminal: Terminal,
  env: NodeJS.ProcessEnv = process.env,
): Promise<number> {
  const dataFolder = findDataFolder(options.data, env)
  const folder = packagesFolder(dataFolder)
  const { remove = [] } = options
  if (names.length === 0 && remove.length === 0 && !options.list)
    throw new InputError('name the packages to install, such as date-fns-tz or date-fns-tz@3.2.0; or use --list')
  if (names.length > 0 && (remove.length > 0 || options.list))
    throw new InputError('install packages, --remove or --list: one at a time')
  const tools = { folder, previews: findPreviewFiles(dataFolder, env) }
  if (names.length > 0) {
    makeDataFolder(dataFolder, (line) => terminal.stderr.write(`${line}\n`))
    if (!options.json)
      terminal.stderr.write(
        `Installing ${cleanText(names.join(' '))} in ${cleanText(folder)}; no script of them runs …\n`,
      )
  }
  const { packages } =
    names.length > 0
      ? await installPackages(names, tools)
      : remove.length > 0
        ? await removePackages(remove, tools)
        : await readInstalled(folder)
  if (options.json) printJson({ folder, packages }, terminal)
  else if (packages.length === 0) terminal.stdout.write('No packages are installed for pages.\n')
  else terminal.stdout.write(drawTable(packageTable, packages, terminal))
  return 0
}
