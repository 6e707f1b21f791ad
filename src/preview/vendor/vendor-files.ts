import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { bundleFolder, isPackageBundle } from '../packages/installed.ts'
import { vendoredFiles } from './vendored-files.ts'

/** Where what pages load is on this machine. */
export interface PageFiles {
  /** The files of benchmaker-previews; undefined if it is not installed. */
  previews: string | undefined
  /** The folder of the packages that were installed for pages. */
  packages?: string | undefined
}

const SERVED: ReadonlySet<string> = new Set(vendoredFiles.filter(({ isServed }) => isServed).map(({ name }) => name))

/** True for a file that pages may load, by the end of its address. */
export const isServed = (name: string): boolean => SERVED.has(name) || isPackageBundle(name)

/** Caches files, which do not change while the program runs. */
export type VendorReader = (name: string) => Promise<Buffer>

export function createVendorReader({ previews, packages }: PageFiles): VendorReader {
  const read = new Map<string, Promise<Buffer>>()
  return (name) => {
    const folder = isPackageBundle(name) ? bundleFolder(packages ?? '') : join(previews ?? '', 'vendor')
    const found = read.get(name) ?? readFile(join(folder, name))
    read.set(name, found)
    found.catch(() => read.delete(name))
    return found
  }
}
