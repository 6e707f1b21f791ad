/** The reference, drawn from the objects and schemas that the program itself uses. It is never committed. */
import type { GeneratedPage } from '../build-site.ts'
import { writeCommands } from './commands.ts'
import { writeLibrary } from './library.ts'
import { writeEnvironment, writeFormats, writeProviders, writeRunRequest } from './runs.ts'
import { writeScoringMethods, writeSuiteFormat } from './suites.ts'

/** Needs dist/types. */
export function writeReference(root: string): GeneratedPage[] {
  return [
    writeCommands(),
    writeSuiteFormat(),
    writeScoringMethods(),
    writeRunRequest(),
    writeFormats(),
    writeProviders(),
    writeEnvironment(),
    ...writeLibrary(root),
  ]
}
