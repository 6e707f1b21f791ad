import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

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
