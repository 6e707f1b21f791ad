import { basename, dirname, extname, isAbsolute, join } from 'node:path'
import { escapePattern, InputError } from '../../../contract/index.ts'
import { parseLocated } from '../../text/located-document.ts'
import type { LocatedDocument } from '../../text/located-json.ts'
import type { AllowedFiles } from '../../text/allowed-files.ts'
import { mediaTypeOf } from '../../suite-files/images.ts'
import type { ImportContext } from '../import-warnings.ts'

/** A file that a config names, and where it does so. */
export interface FileReference {
  path: string
  /** In lower case, with the dot; `.py` for `gen.py:make`. */
  extension: string
  place: string
  files: AllowedFiles
  /** Where else it may be: relative to the config instead of the file that names it. */
  otherwise?: FileReference
}

const CODE = new Set(['.js', '.cjs', '.mjs', '.ts', '.cts', '.mts', '.py', '.rb', '.go', '.sh', '.exe', '.bat', '.ps1'])

export function runsCode({ extension }: FileReference): boolean {
  return CODE.has(extension)
}

export function isFileReference(text: unknown): text is string {
  return typeof text === 'string' && text.startsWith('file://')
}

/** Resolves a path relative to the file that names it, or else to the config. */
export function readReference(reference: string, context: ImportContext, place: string): FileReference {
  const { folder, configFolder = folder, files } = context
  const named = reference.replace(/^file:\/\//, '')
  const withoutFunction = named.replace(/(\.[a-z]{1,4}):[\w.]+$/i, '$1')
  const inFolder = (base: string): FileReference => {
    const path = isAbsolute(withoutFunction) ? withoutFunction : join(base, withoutFunction)
    return { path, extension: extname(path).toLowerCase(), place, files }
  }
  const found = inFolder(folder)
  const otherwise = inFolder(configFolder)
  return found.path === otherwise.path ? found : { ...found, otherwise }
}

/** Tries the other place if the file is not at the first. The first error is the one to report. */
async function tryBoth<T>(reference: FileReference, work: (reference: FileReference) => Promise<T>): Promise<T> {
  const { otherwise, ...first } = reference
  if (!otherwise) return work(first)
  try {
    return await work(first)
  } catch (error) {
    if (!(error instanceof InputError)) throw error
    return work(otherwise).catch(() => {
      throw error
    })
  }
}

/** Expands `prompts/*.txt` to all such files, sorted by name. Only the last part of a path can contain a `*`. */
export async function expandPattern(reference: FileReference): Promise<FileReference[]> {
  return reference.path.includes('*') ? tryBoth(reference, findMatching) : [reference]
}

async function findMatching({ path, place, files }: FileReference): Promise<FileReference[]> {
  const folder = dirname(path)
  if (folder.includes('*'))
    throw new InputError(
      `${place}: ${path}: only the file's name may hold a *, not its folder; name the folders one by one`,
    )
  const pattern = new RegExp(`^${basename(path).split(/\*+/).map(escapePattern).join('.*')}$`, 's')
  const names = await withPlace(place, files.list(folder))
  const found = names.filter((name) => pattern.test(name)).sort()
  if (found.length === 0) throw new InputError(`${place}: no file matches ${path}`)
  return found.map((name) => ({ path: join(folder, name), extension: extname(name).toLowerCase(), place, files }))
}

/** Reads a named file; an error says where it is named. */
export async function readReferenced(reference: FileReference): Promise<string> {
  return tryBoth(reference, ({ path, place, files }) => withPlace(place, files.readText(path)))
}

/** Reads a named image as a data: URL, which a suite can hold. */
export async function readImage(reference: FileReference): Promise<string> {
  return tryBoth(reference, async ({ path, place, files }) => {
    const bytes = await withPlace(place, files.readBytes(path))
    return `data:${mediaTypeOf(path)};base64,${Buffer.from(bytes).toString('base64')}`
  })
}

async function withPlace<T>(place: string, work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof InputError) throw new InputError(`${place}: ${error.message}`, { cause: error })
    throw error
  }
}

/** Supports YAML 1.1's merge key, as promptfoo does: `<<: *defaults`. */
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
