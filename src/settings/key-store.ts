/** Keys that users typed in. Written once, never read back to a screen. */
export interface KeyStore {
  /** In words, for the settings screen. */
  description: string
  source: 'key-store' | 'file'
  /** Where this one is kept. */
  sourceOf(name: string): 'key-store' | 'file'
  get(name: string): string | undefined
  names(): string[]
  set(name: string, key: string): Promise<void>
  remove(name: string): Promise<boolean>
}
