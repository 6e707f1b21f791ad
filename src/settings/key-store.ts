/** `key-store` is the operating system's. */
export type KeySource = 'key-store' | 'file' | 'database'

/** Keys that users entered. They are never sent back to a screen. */
export interface KeyStore {
  /** Where keys are kept, in words, for the settings screen. */
  description: string
  source: KeySource
  /** Where the key with this name is kept. */
  sourceOf(name: string): KeySource
  get(name: string): string | undefined
  names(): string[]
  /** The scheme, host and port that the key was given for. Keys of vendors have none: theirs never change. */
  originOf(name: string): string | undefined
  set(name: string, key: string, origin?: string): Promise<void>
  remove(name: string): Promise<boolean>
  /**
   * For keys saved by versions that did not record origins: takes the current addresses, the first time only. A key
   * whose address is unknown then must be entered again.
   */
  bindOnce(origins: ReadonlyMap<string, string | undefined>): void
  /** When it was saved and by whom, if that is known. */
  savedOf?(name: string): { at: number; by?: string } | undefined
  /** Why keys that are stored cannot be used. */
  listProblems?(): string[]
  /** Reads what other processes saved since. */
  reload?(): Promise<void>
}
