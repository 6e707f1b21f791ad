import { z } from 'zod'
import { drawSecret, hashSecret } from '../../access/index.ts'
import type { Account, Storage } from '../../contract/index.ts'

const linkSchema = z.object({
  /** What it shows, as in the address of the results. */
  selection: z.string().min(1),
  /** The runs of that when the link was made. */
  runIds: z.array(z.string()).min(1),
  isAnonymous: z.boolean(),
  isWithoutTexts: z.boolean(),
  createdBy: z.object({ id: z.string(), name: z.string() }),
  createdAt: z.number(),
})

export type SharedLink = z.output<typeof linkSchema>

interface Tools {
  storage: Storage
  now(): number
}

/** Makes a link that shows a result to whoever has it. The secret in it is stored nowhere; its hash is the link's id. */
export async function createSharedLink(
  shared: Pick<SharedLink, 'selection' | 'runIds' | 'isAnonymous' | 'isWithoutTexts'>,
  { id, name }: Pick<Account, 'id' | 'name'>,
  { storage, now }: Tools,
): Promise<string> {
  const secret = drawSecret()
  const content: SharedLink = { ...shared, createdBy: { id, name }, createdAt: now() }
  await storage.saveDocument({ kind: 'shared-link', id: hashSecret(secret), content })
  return secret
}

/** Undefined if there is no such link, or it was revoked. */
export async function findSharedLink(secret: string, storage: Storage): Promise<SharedLink | undefined> {
  const found = await storage.loadDocument('shared-link', hashSecret(secret))
  return found && linkSchema.safeParse(found.content).data
}

/** The links that show any of these runs, newest first. */
export async function listSharedLinks(
  runIds: readonly string[],
  storage: Storage,
): Promise<({ id: string } & SharedLink)[]> {
  const documents = await storage.listDocuments('shared-link')
  const links = documents.flatMap(({ id, content }) => {
    const { data } = linkSchema.safeParse(content)
    return data?.runIds.some((runId) => runIds.includes(runId)) ? [{ id, ...data }] : []
  })
  return links.toSorted((a, b) => b.createdAt - a.createdAt)
}
