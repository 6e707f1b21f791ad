import { Hono } from 'hono'
import { z } from 'zod'
import { findFormat } from '../../report/index.ts'
import { searchHash } from '../../report/formats/html/html-search.ts'
import { currentAccount, nameObject } from '../access/people.ts'
import type { TeamOptions } from '../access/team.ts'
import { findKeptRuns } from '../code-arena/keep-names.ts'
import type { ServerContext } from '../context.ts'
import { messagePage } from '../http/message-page.ts'
import { checkJson } from '../http/read-body.ts'
import { notFound, Refusal } from '../http/refusal.ts'
import { dataHeaders } from '../http/security-headers.ts'
import { streamBytes } from '../results/byte-stream.ts'
import { exportResults } from '../results/export-results.ts'
import { selectionsOf } from '../results/selection/selection-cache.ts'
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

type SharedLink = z.output<typeof linkSchema>

interface Tools {
  storage: Storage
  now(): number
}

/** Makes a link that shows a result to whoever has it. The secret in it is stored nowhere; its hash is the link's id. */
async function createSharedLink(
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
async function findSharedLink(secret: string, storage: Storage): Promise<SharedLink | undefined> {
  const found = await storage.loadDocument('shared-link', hashSecret(secret))
  return found && linkSchema.safeParse(found.content).data
}

/** The links that show any of these runs, newest first. */
async function listSharedLinks(runIds: readonly string[], storage: Storage): Promise<({ id: string } & SharedLink)[]> {
  const documents = await storage.listDocuments('shared-link')
  const links = documents.flatMap(({ id, content }) => {
    const { data } = linkSchema.safeParse(content)
    return data?.runIds.some((runId) => runIds.includes(runId)) ? [{ id, ...data }] : []
  })
  return links.toSorted((a, b) => b.createdAt - a.createdAt)
}

const shareSchema = z.object({ isAnonymous: z.boolean().default(false), isWithoutTexts: z.boolean().default(false) })

/** A link without its secret, which is stored nowhere. */
export interface SharedLinkView extends Omit<SharedLink, 'runIds' | 'selection'> {
  id: string
}

/** GET /api/results/:selection/links */
export interface SharedLinksView {
  links: SharedLinkView[]
}

const SHARED = '/shared'

/** Links to a result for people without an account: made and revoked by whoever may start runs. */
export function sharingRoutes(context: ServerContext, team: Pick<TeamOptions, 'publicUrl'>) {
  const { storage, now } = context
  const selections = selectionsOf(context)
  const idsOf = async (selection: string) => (await selections.get(selection)).ids
  const view = async (runIds: readonly string[]): Promise<SharedLinksView> => ({
    links: (await listSharedLinks(runIds, storage)).map(({ runIds: _runs, selection: _shown, ...link }) => link),
  })
  return new Hono()
    .get('/results/:selection/links', async (c) => c.json(await view(await idsOf(c.req.param('selection')))))
    .post('/results/:selection/links', checkJson(shareSchema), async (c) => {
      const selection = c.req.param('selection')
      const runIds = [...(await idsOf(selection))]
      const account = currentAccount()
      if (!account) throw new Refusal(401, 'signed-out', 'Sign in to continue.')
      const secret = await createSharedLink({ selection, runIds, ...c.req.valid('json') }, account, { storage, now })
      const url = `${team.publicUrl().replace(/\/+$/, '')}${SHARED}/${secret}`
      return c.json({ url, ...(await view(runIds)) }, 201)
    })
    .delete('/results/:selection/links/:id', async (c) => {
      const runIds = await idsOf(c.req.param('selection'))
      const id = c.req.param('id')
      const isListed = (await listSharedLinks(runIds, storage)).some((link) => link.id === id)
      if (!isListed || !(await storage.deleteDocument('shared-link', id))) throw notFound('The link')
      nameObject(runIds.join(' '))
      return c.json(await view(runIds))
    })
}

/** For the web app's client. */
export type SharingRoutes = ReturnType<typeof sharingRoutes>

/** The report alone: it can load nothing, and reads neither cookies nor data of the app. */
const SHARED_HEADERS = {
  ...dataHeaders,
  'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src '${searchHash}'; frame-ancestors 'none'; sandbox allow-scripts`,
  'x-robots-tag': 'noindex',
}

const gonePage = messagePage({
  title: 'This link shows nothing',
  lines: ['It was revoked, the result was deleted, or the address is not complete.'],
})

/** What a link shows: the HTML report, to whoever has the link, without signing in. */
export function sharedPage(context: ServerContext): Hono {
  const selections = selectionsOf(context)
  return new Hono().get(`${SHARED}/:secret`, async (c) => {
    const link = await findSharedLink(c.req.param('secret'), context.storage)
    const selection = link && (await selections.get(link.selection).catch(isGone))
    if (!link || !selection) return c.html(gonePage, 404, SHARED_HEADERS)
    // Whoever has the link may still vote on its pages.
    const kept = await findKeptRuns(selection.ids, { isKnown: () => false, storage: context.storage })
    const isAnonymous = link.isAnonymous || kept.length > 0
    const { bytes } = await exportResults(selection, context, { ...link, isAnonymous, format: findFormat('html')! })
    return c.body(streamBytes(bytes), 200, { ...SHARED_HEADERS, 'content-type': 'text/html; charset=utf-8' })
  })
}

/** Of a run that was deleted. */
function isGone(error: unknown): undefined {
  if (error instanceof Refusal && error.status === 404) return undefined
  throw error
}
