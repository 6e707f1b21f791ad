import { readFile, stat } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'

/** Reads tool names from a comma-separated list, or from a file with one name per line or a JSON list. */
export async function readToolNames(namesOrFile: string): Promise<string[]> {
  const isFile = (await stat(namesOrFile).catch(() => undefined))?.isFile() ?? false
  const text = isFile ? await readFile(namesOrFile, 'utf8') : namesOrFile
  const names = text
    .replace(/[[\]"]/g, ' ')
    .split(/[,\s]+/)
    .filter((name) => name !== '')
  if (names.length === 0)
    throw new InputError(
      `--effects-tools ${namesOrFile}: no tool names found; use a,b,c or a file with one name per line`,
    )
  return names
}
