import { readdir } from 'node:fs/promises'
import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { InputError } from '../../contract/index.ts'
import { parseLocated } from '../text/located-document.ts'
import type { LocatedDocument } from '../text/located-json.ts'
import { readSource } from '../text/source-text.ts'

/** A file that a config names, and the place where it names it. */
export interface FileReference {
  path: string
  /** In lower case, with its dot; of `gen.py:make` it is `.py`. */
  extension: string
  place: string
}

const CODE = new Set(['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.py', '.rb', '.go', '.sh', '.exe', '.bat', '.ps1'])

export function runsCode({ extension }: FileReference): boolean {
  return CODE.has(extension)
}

export function isFileReference(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith('file://')
}

/** Paths stand relative to the config, whichever file they stand in. */
export function readReference(reference: string, { folder, place }: { folder: string; place: string }): FileReference {
  const named = reference.replace(/^file:\/\//, '')
  const withoutFunction = named.replace(/(\.[a-z]{1,4}):[\w.]+$/i, '$1')
  const path = isAbsolute(withoutFunction) ? withoutFunction : join(folder, withoutFunction)
  return { path, extension: extname(path).toLowerCase(), place }
}

/** `prompts/*.txt` is every such file, in order of name. Only the last part of a path may hold a `*`. */
export async function expandPattern(reference: FileReference): Promise<FileReference[]> {
  const { path, place } = reference
  if (!path.includes('*')) return [reference]
  const folder = dirname(path)
  if (folder.includes('*'))
    throw new InputError(
      `${place}: ${path}: only the file's name may hold a *, not its folder; name the folders one by one`,
    )
  const pattern = new RegExp(`^${basename(path).split(/\*+/).map(escapePattern).join('.*')}$`, 's')
  let names: string[]
  try {
    names = await readdir(folder)
  } catch (error) {
    throw new InputError(`${place}: ${folder}: there is no such folder`, { cause: error })
  }
  const found = names.filter((name) => pattern.test(name)).sort()
  if (found.length === 0) throw new InputError(`${place}: no file matches ${path}`)
  return found.map((name) => ({ path: join(folder, name), extension: extname(name).toLowerCase(), place }))
}

/** Works with the `u` flag too, which forbids escapes that are not needed. */
export function escapePattern(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`)
}

/** The text of a named file; an error says who named it. */
export async function readReferenced({ path, place }: FileReference): Promise<string> {
  try {
    return await readSource(path)
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${place}: ${error.message}`, { cause: error })
    throw error
  }
}

/** YAML 1.1's merge key, which promptfoo's reader knows: `<<: *defaults`. */
function applyMergeKeys(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(applyMergeKeys)
  if (typeof value !== 'object' || value === null) return value
  const own: [string, unknown][] = []
  const merged: [string, unknown][] = []
  for (const [key, item] of Object.entries(value)) {
    if (key !== '<<') own.push([key, applyMergeKeys(item)])
    else for (const source of [item].flat()) merged.unshift(...Object.entries(Object(applyMergeKeys(source))))
  }
  return Object.fromEntries([...merged, ...own])
}

export function parseDocument(text: string, path: string): LocatedDocument {
  const document = parseLocated(text, path)
  return { ...document, value: applyMergeKeys(document.value) }
}

export async function readDocument(reference: FileReference): Promise<LocatedDocument> {
  return parseDocument(await readReferenced(reference), reference.path)
}
