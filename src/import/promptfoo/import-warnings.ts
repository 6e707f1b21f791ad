import type { AllowedFiles } from '../text/allowed-files.ts'

/** Collects what an import could not take over, each thing once however many cases it concerns. */
export class ImportWarnings {
  readonly #placesOf = new Map<string, Set<string>>()

  add(place: string, message: string): void {
    const places = this.#placesOf.get(message) ?? new Set()
    this.#placesOf.set(message, places.add(place))
  }

  /** One line per message: its first place, the number of other places, and the last one. */
  list(): string[] {
    return [...this.#placesOf].map(([message, places]) => {
      const [first, ...others] = places
      if (others.length === 0) return `${first}: ${message}`
      const where = others.length === 1 ? others[0] : `${others.length} other places, the last ${others.at(-1)}`
      return `${first}: ${message} (also at ${where})`
    })
  }
}

/** Which assertions were read, and what became of each, by place. */
export class Tally {
  readonly assertions = new Set<string>()
  readonly changed = new Set<string>()
  readonly lost = new Set<string>()
  /** Tests that have no assertion, by id. */
  readonly unchecked = new Set<string>()
}

/** What a config says about how answers are graded. */
export class Graders {
  /** Under their names here. */
  readonly models = new Set<string>()
}

/** What every part of an import needs. */
export interface ImportContext {
  /** The folder of the file being read, to which the paths in it are relative. */
  folder: string
  /** The folder of the config, if that is another. */
  configFolder?: string
  files: AllowedFiles
  warnings: ImportWarnings
  tally: Tally
  /** True if code in the config may run when answers are scored. */
  allowCode: boolean
  graders: Graders
}
