/** Collects what an import could not take over, each thing once however many cases it concerns. */
export class ImportWarnings {
  readonly #placesOf = new Map<string, Set<string>>()

  add(place: string, message: string): void {
    const places = this.#placesOf.get(message) ?? new Set()
    this.#placesOf.set(message, places.add(place))
  }

  /** One line a message: the first place in full, how many others, and the last. */
  list(): string[] {
    return [...this.#placesOf].map(([message, places]) => {
      const [first, ...others] = places
      if (others.length === 0) return `${first}: ${message}`
      const where = others.length === 1 ? others[0] : `${others.length} other places, the last ${others.at(-1)}`
      return `${first}: ${message} (also at ${where})`
    })
  }
}

/** What every part of an import needs. */
export interface ImportContext {
  /** Of the config: what it names stands relative to it. */
  folder: string
  warnings: ImportWarnings
}
