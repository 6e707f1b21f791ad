import { readFile } from 'node:fs/promises'
import { VersionConflict, type Storage, isRecord } from '../../contract/index.ts'
import { parseLocated } from '../../import/text/located-document.ts'
import { saveSuite } from './suite-documents.ts'

/** Records that the examples were added, so that deleted ones do not come back. */
const MARKER = 'examples'

export interface ExampleFile {
  id: string
  file: string
}

/** Adds the example suites to a database that never had them, in reverse, so that the first is listed first. */
export async function addExampleSuites(storage: Storage, examples: readonly ExampleFile[]): Promise<void> {
  if (await storage.loadDocument('settings', MARKER)) return
  for (const { id, file } of examples.toReversed()) {
    const { value } = parseLocated(await readFile(file, 'utf8'), file)
    if (isRecord(value)) await ignoreConflict(saveSuite(storage, { id, suite: value, after: 0, isExample: true }))
  }
  await ignoreConflict(
    storage.saveDocument(
      { kind: 'settings', id: MARKER, content: { added: examples.map(({ id }) => id) } },
      { after: 0 },
    ),
  )
}

/** Two servers may start on the same data at once: what the other one added is just as good. */
async function ignoreConflict(saving: Promise<unknown>): Promise<void> {
  await saving.catch((error: unknown) => {
    if (!(error instanceof VersionConflict)) throw error
  })
}
