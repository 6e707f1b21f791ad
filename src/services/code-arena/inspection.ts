import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type CellKey, type InspectedPage, type PagePicture, type Storage } from '../../contract/index.ts'

/** Beside the pictures of a cell: what else was seen, as JSON. */
const INSPECTION_NAME = 'inspection.json'

const inspectionSchema = z.object({
  /** Of which answer: another one makes it void. */
  answer: z.string(),
  runs: z.boolean(),
  problem: z.string().optional(),
  notes: z.array(z.string()),
  notSeen: z.string().optional(),
  pictures: z.array(
    z.object({ name: z.string(), width: z.number(), height: z.number(), isAfterInteraction: z.boolean() }),
  ),
  findings: z
    .object({
      console: z.array(z.object({ level: z.string(), text: z.string() })),
      errors: z.array(z.string()),
      accessibility: z.array(z.object({ id: z.string(), impact: z.string(), help: z.string(), nodes: z.number() })),
      blocked: z.array(z.object({ url: z.string(), why: z.string() })),
      interactions: z.array(
        z.object({ action: z.enum(['click', 'type']), target: z.string(), hadEffect: z.boolean() }),
      ),
    })
    .optional(),
})

/** What is kept of the look at a page; the pictures are artifacts of their own. */
export type StoredInspection = Omit<z.output<typeof inspectionSchema>, 'answer'>

function fingerprint(response: string): string {
  return createHash('sha256').update(response).digest('hex')
}

export async function saveInspection(
  storage: Storage,
  cell: CellKey,
  response: string,
  page: InspectedPage,
): Promise<void> {
  for (const { name, png } of page.pictures)
    await storage.saveArtifact(cell, { name, mediaType: 'image/png', content: png })
  const { files: _files, pictures, ...seen } = page
  const content = {
    answer: fingerprint(response),
    ...seen,
    pictures: pictures.map(({ png: _png, ...picture }) => picture),
  }
  // Last: where it is, the pictures are too.
  await storage.saveArtifact(cell, {
    name: INSPECTION_NAME,
    mediaType: 'application/json',
    content: new TextEncoder().encode(JSON.stringify(content)),
  })
}

/** What was seen of the page of a cell; with `response`, only when it was that answer's. */
export async function loadInspection(
  storage: Storage,
  cell: CellKey,
  response?: string,
): Promise<StoredInspection | undefined> {
  const artifact = await storage.loadArtifact(cell, INSPECTION_NAME)
  if (!artifact) return undefined
  const parsed = inspectionSchema.safeParse(JSON.parse(new TextDecoder().decode(artifact.content)))
  if (!parsed.success) return undefined
  const { answer, ...inspection } = parsed.data
  return response === undefined || answer === fingerprint(response) ? inspection : undefined
}

/** The pictures with their content; undefined when one of them is gone. */
export async function loadPictures(
  storage: Storage,
  cell: CellKey,
  { pictures }: StoredInspection,
): Promise<PagePicture[] | undefined> {
  const loaded: PagePicture[] = []
  for (const picture of pictures) {
    const artifact = await storage.loadArtifact(cell, picture.name)
    if (!artifact) return undefined
    loaded.push({ ...picture, png: artifact.content })
  }
  return loaded
}
