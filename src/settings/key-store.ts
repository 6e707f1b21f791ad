/** Keys that users entered. They are never sent back to a screen. */
export interface KeyStore {
  /** Where keys are kept, in words, for the settings screen. */
  description: string
  source: 'key-store' | 'file'
  /** Where the key with this name is kept. */
  sourceOf(name: string): 'key-store' | 'file'
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
}
