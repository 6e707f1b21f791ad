import { isHidden, MAX_FILES, type GivenFile } from './given-file.ts'

async function readEntry(entry: FileSystemEntry, prefix: string): Promise<GivenFile[]> {
  const path = `${prefix}${entry.name}`
  if (isHidden(path)) return []
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject))
    return [{ path, file }]
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader()
  const found: GivenFile[] = []
  for (;;) {
    // It returns a part of a large folder at a time.
    const entries = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject))
    if (entries.length === 0) return found.sort((a, b) => (a.path < b.path ? -1 : 1))
    for (const inner of entries) found.push(...(await readEntry(inner, `${path}/`)))
    if (found.length > MAX_FILES * 4) return found
  }
}

/** Everything that was dropped, folders with their files. Must be called while the event is handled. */
export function listDropped({ items, files }: DataTransfer): Promise<GivenFile[]> {
  const entries = [...items].flatMap((item) => (item.kind === 'file' ? (item.webkitGetAsEntry() ?? []) : []))
  const plain = [...files].map((file) => ({ path: file.name, file }))
  if (entries.every(({ isFile }) => isFile)) return Promise.resolve(plain)
  return Promise.all(entries.map((entry) => readEntry(entry, ''))).then((lists) => lists.flat())
}

/** The files of a folder that was chosen in the browser's own dialog. */
export function listChosen(files: FileList | null): GivenFile[] {
  return [...(files ?? [])].map((file) => ({ path: file.webkitRelativePath || file.name, file }))
}
