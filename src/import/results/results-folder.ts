import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { isResultsFile } from './read-results.ts'
import type { ResultsChoices } from './results-choices.ts'

const MAX_FILES = 1000

/** The results files in a folder, by name; folders in it, hidden files and files of other kinds are passed over. */
export async function listResultsFiles(folder: string, choices: ResultsChoices = {}): Promise<string[]> {
  const entries = await readdir(folder, { withFileTypes: true })
  const names = entries.flatMap((entry) => (entry.isFile() && !entry.name.startsWith('.') ? [entry.name] : []))
  if (names.length > MAX_FILES)
    throw new InputError(`${folder}: has ${names.length} files; name those that you mean (at most ${MAX_FILES})`)
  const found: string[] = []
  for (const name of names.toSorted())
    if (await isResultsFile(join(folder, name), choices)) found.push(join(folder, name))
  if (found.length === 0) throw new InputError(`${folder}: is a folder without results files; name a file`)
  return found
}
