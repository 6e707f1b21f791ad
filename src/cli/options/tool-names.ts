import { readFile, stat } from 'node:fs/promises'
import { InputError } from '../../contract/index.ts'

/** Tool names from a list with commas, or from a file with a name a line or a JSON list. */
export async function readToolNames(given: string): Promise<string[]> {
  const isFile = (await stat(given).catch(() => undefined))?.isFile() ?? false
  const text = isFile ? await readFile(given, 'utf8') : given
  const names = text
    .replace(/[[\]"]/g, ' ')
    .split(/[,\s]+/)
    .filter((name) => name !== '')
  if (names.length === 0)
    throw new InputError(`--effects-tools ${given}: no tool names there; give a,b,c or a file with a name a line`)
  return names
}
