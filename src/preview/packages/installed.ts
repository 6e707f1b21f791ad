/** Which npm packages a user has had installed for pages, beside those of benchmaker-previews. */
import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { isBuiltin } from 'node:module'
import { join } from 'node:path'
import { z } from 'zod'
import { findLibrary } from '../assemble/known-libraries.ts'

/** Written after each installation; the packages themselves are beside it in `node_modules`. */
export const LIST_NAME = 'installed.json'

const installedSchema = z.object({
  /** The digest of the lock file: what was bundled with another one is out of date. */
  lock: z.string(),
  packages: z.array(
    z.object({
      name: z.string(),
      version: z.string(),
      bytes: z.number(),
      /** False for what another one needs. */
      isRequested: z.boolean(),
      /** Why pages that import it cannot run, as a sentence. */
      problem: z.string().optional(),
    }),
  ),
})

export type InstalledList = z.output<typeof installedSchema>
export type InstalledPackage = InstalledList['packages'][number]

/** The folder with `package.json`, the lock file and `node_modules`, inside the folder for packages. */
export const currentFolder = (folder: string): string => join(folder, 'current')

/** Where the packages are bundled for pages. */
export const bundleFolder = (folder: string): string => join(folder, 'bundles')

export async function readInstalled(folder: string): Promise<InstalledList> {
  const text = await readFile(join(currentFolder(folder), LIST_NAME), 'utf8').catch(() => undefined)
  return text === undefined ? { lock: '', packages: [] } : installedSchema.parse(JSON.parse(text))
}

const NAME = /^(?:@[a-z0-9~][\w.~-]*\/)?[a-z0-9~][\w.~-]*$/i

/** The name of the package in an import: `@scope/name` of `@scope/name/sub/path`. */
export function packageName(specifier: string): string | undefined {
  const name = /^(?:@[^/]+\/[^/]+|[^/]+)/.exec(specifier)?.[0] ?? ''
  return NAME.test(name) ? name : undefined
}

/** Of these only an approximation ships, so the package itself may take its place. */
const isInPart = (value: string) => value.startsWith('previewModules.')

/** True for a package that comes with benchmaker-previews: pages share the one copy of it. */
export function isIncluded(name: string): boolean {
  const library = findLibrary(name)
  return library !== undefined && !isInPart(library.value)
}

/** Packages without code for a page: they build or serve one, or style it through Tailwind, which loads no plugins. */
const NOT_FOR_PAGES = /^(?:next|vite|webpack|typescript|express|tailwindcss.*|@tailwindcss\/.*|@vitejs\/.*|@types\/.*)$/

/** True if installing the package could help a page that imports it. */
export function isInstallable(name: string): boolean {
  return NAME.test(name) && !isBuiltin(name) && !isIncluded(name) && !NOT_FOR_PAGES.test(name)
}

const BUNDLE_NAME = /^package-[0-9a-f]{32}$/

/** True for the vendored file `package-….js`, which has the installed packages that a page uses. */
export const isPackageBundle = (name: string): boolean => BUNDLE_NAME.test(name.replace(/\.js$/, ''))

/** Changes with whatever is installed, so that a page is never shown with what was bundled before. */
export function nameBundle(lock: string, specifiers: readonly string[]): string {
  const digest = createHash('sha256').update(JSON.stringify([lock, specifiers.toSorted()]))
  return `package-${digest.digest('hex').slice(0, 32)}`
}
