import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { findPreviews } from '../preview/previews-package.ts'

/** Sources are two folders below the package's root, the bundle is one. */
const toRoot = import.meta.url.endsWith('.ts') ? '../../' : '../'

/** The path of a file that ships with the package. */
export function packageFile(path: string): string {
  return fileURLToPath(new URL(toRoot + path, import.meta.url))
}

export function readVersion(): string {
  const { version }: { version: string } = JSON.parse(readFileSync(packageFile('package.json'), 'utf8'))
  return version
}

/** Where `benchmaker install previews` puts the package benchmaker-previews. */
export function previewsCache(dataFolder: string): string {
  return join(dataFolder, 'previews')
}

/** Where `benchmaker install packages` puts the packages that pages import. */
export function packagesFolder(dataFolder: string): string {
  return join(dataFolder, 'packages')
}

/** The folder of the files of benchmaker-previews; undefined if it is not installed. */
export function findPreviewFiles(dataFolder: string, env: NodeJS.ProcessEnv): string | undefined {
  return env['BENCHMAKER_PREVIEWS_FOLDER'] || findPreviews({ cache: previewsCache(dataFolder), version: readVersion() })
}
