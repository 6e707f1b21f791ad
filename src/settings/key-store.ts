/** Keys that users entered. They are never sent back to a screen. */
export interface KeyStore {
  /** Where keys are kept, in words, for the settings screen. */
  description: string
  source: 'key-store' | 'file'
  /** Where the key with this name is kept. */
  sourceOf(name: string): 'key-store' | 'file'
  get(name: string): string | undefined
  names(): string[]
  set(name: string, key: string): Promise<void>
  remove(name: string): Promise<boolean>
}
