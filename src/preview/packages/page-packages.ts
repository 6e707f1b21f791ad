/** What a page that is being assembled uses of the packages that were installed for pages. */
import { readFile, realpath } from 'node:fs/promises'
import { join, sep } from 'node:path'
import { npmPackageOfUrl } from '../assemble/known-libraries.ts'
import { embedFiles } from '../vendor/library-entry.ts'
import { readBundle, type PackageBundle } from './bundle.ts'
import { currentFolder, nameBundle, packageName, readInstalled, type InstalledList } from './installed.ts'

/** A bundle that a page needs and that is not there yet. */
export interface WantedBundle {
  name: string
  specifiers: string[]
}

export interface PagePackages {
  /** What a page imports as `name/path`, if that package is installed. */
  locate(specifier: string): string | undefined
  /** True if the user asked for this one: it goes before what ships. */
  isRequested(specifier: string): boolean
  /** The value of an import, as an expression in the page. */
  use(located: string): string
  /** A file of a package as it is: a script that a page loads by its address. */
  readScript(located: string): Promise<string | undefined>
  readStyles(located: string): Promise<string | undefined>
  /** What all the imports need; undefined if nothing of the packages is imported. */
  findBundle(): Promise<(WantedBundle & { bundle: PackageBundle | undefined }) | undefined>
  /** Versions that the page asks for and does not get, as sentences. */
  notes(): string[]
}

const nothing: PagePackages = {
  locate: () => undefined,
  isRequested: () => false,
  use: () => '',
  readScript: async () => undefined,
  readStyles: async () => undefined,
  findBundle: async () => undefined,
  notes: () => [],
}

/** The packages for one page. `made` is the bundle that was made since the page was assembled first. */
export async function openPagePackages(
  folder: string | undefined,
  made?: WantedBundle & { bundle: PackageBundle },
): Promise<PagePackages> {
  const list = folder === undefined ? undefined : await readInstalled(folder)
  return folder === undefined || !list || list.packages.length === 0 ? nothing : createPackages(folder, list, made)
}

function createPackages(
  folder: string,
  { lock, packages }: InstalledList,
  made: (WantedBundle & { bundle: PackageBundle }) | undefined,
): PagePackages {
  const installed = new Map(packages.map((one) => [one.name, one]))
  const used = new Set<string>()
  const notes = new Set<string>()
  const root = join(currentFolder(folder), 'node_modules')

  /** Undefined for what is not a file of the packages. */
  const readInside = async (path: string): Promise<Buffer | undefined> => {
    const real = await realpath(join(root, path)).catch(() => undefined)
    return real?.startsWith(`${await realpath(root)}${sep}`) ? readFile(real).catch(() => undefined) : undefined
  }
  /** The script that an address without a path means. */
  const findMain = async (name: string): Promise<string | undefined> => {
    const manifest: Record<string, unknown> = JSON.parse(
      (await readInside(`${name}/package.json`))?.toString('utf8') ?? '{}',
    )
    const main = ['unpkg', 'jsdelivr', 'browser', 'main']
      .map((key) => manifest[key])
      .find((one) => typeof one === 'string')
    return main === undefined ? undefined : `${name}/${String(main)}`
  }

  return {
    locate(specifier) {
      const remote = npmPackageOfUrl(specifier)
      if (!remote && /^[a-z]+:\/\/|^[./]/i.test(specifier)) return undefined
      const plain = remote
        ? [remote.name, remote.path.replace(/^\/?\+esm$/, '')].filter((part) => part !== '').join('/')
        : specifier.replace(/^npm:/, '').replace(/(?<=[^/])@(?:[\d^~]|latest|next|v\d)[\w.-]*/, '')
      const name = packageName(plain)
      const found = name === undefined ? undefined : installed.get(name)
      if (!found || plain.split('/').includes('..')) return undefined
      const wanted = /^[~^]?v?(\d+)/.exec(remote?.version ?? '')?.[1]
      if (wanted !== undefined && wanted !== /^\d+/.exec(found.version)?.[0])
        notes.add(`The page asks for version ${wanted} of ${found.name}; ${found.version} is installed.`)
      return plain
    },
    isRequested: (located) => installed.get(packageName(located) ?? '')?.isRequested === true,
    use(located) {
      used.add(located)
      return `previewModules.installed(${JSON.stringify(located)})`
    },
    async readScript(located) {
      const path = located === packageName(located) ? await findMain(located) : located
      const content = path === undefined ? undefined : ((await readInside(path)) ?? (await readInside(`${path}.js`)))
      return content?.toString('utf8')
    },
    async readStyles(located) {
      const css = (await readInside(located))?.toString('utf8')
      if (css === undefined) return undefined
      const beside = new Map<string, Buffer>()
      for (const [, , address = ''] of css.matchAll(/url\((["']?)([^)"']+)\1\)/g)) {
        const path = address.replace(/[?#].*$/, '')
        const content = /^(?:data:|#)/.test(address) ? undefined : await readInside(join(located, '..', path))
        if (content) beside.set(path, content)
      }
      return embedFiles(css, (path) => beside.get(path))
    },
    async findBundle() {
      if (used.size === 0) return undefined
      const specifiers = [...used].sort()
      const name = nameBundle(lock, specifiers)
      return { name, specifiers, bundle: made?.name === name ? made.bundle : await readBundle(folder, name) }
    },
    notes: () => [...notes],
  }
}
