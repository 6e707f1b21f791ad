import { z } from 'zod'
import { suiteSchema, type Storage, type Suite } from '../../contract/index.ts'
import { checkGivenSuite } from '../../import/suite-files/given-suite.ts'
import { composeApp, hasData, type AppOptions } from '../compose.ts'

export interface StoredSuite {
  suite: Suite
  id: string
  version: number
}

const storedSchema = z.object({ suite: suiteSchema })

/** A suite of the web app, by its id or name, as its runs would have it. */
export async function findStoredSuite(asked: string, storage: Storage): Promise<StoredSuite | undefined> {
  for (const { id, version, content } of await storage.listDocuments('suite')) {
    const { data } = storedSchema.safeParse(content)
    if (data && (id === asked || data.suite.name === asked)) return { suite: checkGivenSuite(data.suite), id, version }
  }
  return undefined
}

/** The same for a command that has not opened the data yet. Where there is none, it stays so. */
export async function findSuiteInData(asked: string, options: AppOptions): Promise<StoredSuite | undefined> {
  const app = await composeApp(options, process.env, { isReadOnlyAllowed: true })
  try {
    if (!hasData(app.dataFolder, process.env)) return undefined
    return await findStoredSuite(asked, await app.storage())
  } finally {
    await app.close()
  }
}
