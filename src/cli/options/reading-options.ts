/** How a suite file is read: the same for every command that reads one. */
export interface ReadingOptions {
  allowFiles?: string[]
  allowCode?: boolean
}
