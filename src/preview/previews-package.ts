/** The optional package benchmaker-previews: libraries and compilers of pages, fonts, and the browser that opens pages. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

const NAME = 'benchmaker-previews'

export const MISSING_PREVIEWS = `Previews and screenshots need the package ${NAME}. To install it, run: benchmaker install previews`

/** Finds an installed module as seen from the first of these files that sees it. */
export function resolveModule(name: string, files: readonly (string | undefined)[]): string | undefined {
  for (const file of files) {
    try {
      if (file !== undefined) return createRequire(file).resolve(name)
    } catch {
      // It may be in the next place.
    }
  }
  return undefined
}

/**
 * Returns the folder of the package's built files: beside Benchmaker, else in a cache folder. Another version counts as
 * missing: its compilers and libraries are those of another Benchmaker.
 */
export function findPreviews({ cache, version }: { cache?: string; version?: string } = {}): string | undefined {
  for (const from of [import.meta.url, cache && join(cache, 'package.json')]) {
    const manifest = resolveModule(`${NAME}/package.json`, [from])
    if (manifest === undefined) continue
    const found: { version: string } = JSON.parse(readFileSync(manifest, 'utf8'))
    if (version === undefined || found.version === version) return join(dirname(manifest), 'dist')
  }
  return undefined
}
