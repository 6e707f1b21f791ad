/** A file that the user dropped or chose, by its path in what was dropped. */
export interface GivenFile {
  path: string
  file: File
}

export const MAX_FILES = 500

/** Folders that nobody means, and that can be huge. */
export function isHidden(path: string): boolean {
  return path.split('/').some((part) => part.startsWith('.') || part === 'node_modules')
}
