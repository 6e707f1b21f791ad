/** Packs as `npm publish` does and lays the package out as an install does, without a registry. Needs dist/. */
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'

export const root = join(import.meta.dirname, '../..')
export const run = promisify(execFile)

/** Creates an empty folder to install the package in. The caller removes it. */
export function makeFolder(): string {
  return mkdtempSync(join(tmpdir(), 'benchmaker-package-'))
}

/** Links one of our installed packages into the folder, as if it were installed there. */
export function link(folder: string, name: string): void {
  mkdirSync(dirname(join(folder, 'node_modules', name)), { recursive: true })
  symlinkSync(join(root, 'node_modules', name), join(folder, 'node_modules', name))
}

/** Packs a package of ours or one that is installed; returns the archive. */
export async function pack(source: string, folder: string): Promise<string> {
  const args = ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder]
  return join(folder, (await run('npm', args, { cwd: join(root, source) })).stdout.trim())
}

export async function installPackage(folder: string): Promise<void> {
  const installed = join(folder, 'node_modules', 'benchmaker')
  const archive = await pack('.', folder)
  mkdirSync(installed, { recursive: true })
  await run('tar', ['-xzf', archive, '-C', installed, '--strip-components=1'])
  const { dependencies }: { dependencies: Record<string, string> } = JSON.parse(
    readFileSync(join(installed, 'package.json'), 'utf8'),
  )
  for (const name of Object.keys(dependencies)) link(folder, name)
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
}
