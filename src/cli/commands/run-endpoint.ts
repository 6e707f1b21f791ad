import { z } from 'zod'
import { type Storage } from '../../contract/index.ts'

const endpointSchema = z.object({ baseUrl: z.string() })

const idOf = (runId: string) => `endpoint:${runId}`

/**
 * Keeps what a run was asked through, for its resume; an address with a login or a query is not kept, as those may hold keys. Beside
 * the run and not in it: a run file from elsewhere must not say where keys are sent.
 */
export async function rememberEndpoint(storage: Storage, runId: string, baseUrl: string | undefined): Promise<void> {
  if (baseUrl === undefined) return
  const { username, password, search } = new URL(baseUrl)
  if (username !== '' || password !== '' || search !== '') return
  // Should it not be kept, the resume must be told again; the run itself loses nothing.
  await storage.saveDocument({ kind: 'settings', id: idOf(runId), content: { baseUrl } }).catch(() => undefined)
}

export async function recallEndpoint(storage: Storage, runId: string): Promise<string | undefined> {
  const document = await storage.loadDocument('settings', idOf(runId))
  return endpointSchema.safeParse(document?.content).data?.baseUrl
}
