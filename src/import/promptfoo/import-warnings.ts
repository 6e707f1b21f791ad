import type { AllowedFiles } from '../text/allowed-files.ts'

/** Collects what an import could not take over, each thing once however many cases it concerns. */
export class ImportWarnings {
  readonly #placesOf = new Map<string, Set<string>>()
  readonly #notes = new Map<string, Set<string>>()

  add(place: string, message: string): void {
    addPlace(this.#placesOf, place, message)
  }

  /** Records what a person must know to run the suite, although nothing of it was changed or lost. */
  note(place: string, message: string): void {
    addPlace(this.#notes, place, message)
  }

  /** One line per message: its first place, the number of other places, and the last one. */
  list(): string[] {
    return listPlaces(this.#placesOf)
  }

  listNotes(): string[] {
    return listPlaces(this.#notes)
  }
}

function addPlace(messages: Map<string, Set<string>>, place: string, message: string): void {
  const places = messages.get(message) ?? new Set()
  messages.set(message, places.add(place))
}

function listPlaces(messages: ReadonlyMap<string, ReadonlySet<string>>): string[] {
  return [...messages].map(([message, places]) => {
    const [first, ...others] = places
    if (others.length === 0) return `${first}: ${message}`
    const where = others.length === 1 ? others[0] : `${others.length} other places, the last ${others.at(-1)}`
    return `${first}: ${message} (also at ${where})`
  })
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

/** The rows of a dataset on the hub, by its address here. */
export type ReadHub = (address: string, most?: number) => Promise<readonly Readonly<Record<string, unknown>>[]>

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
  readHub?: ReadHub
  graders: Graders
}
