import { createHash } from 'node:crypto'
import { z } from 'zod'
import { type CellKey, type InspectedPage, type PagePicture, type Storage } from '../../contract/index.ts'

/** Stored with the pictures of a cell: everything else that was observed, as JSON. */
const INSPECTION_NAME = 'inspection.json'

const inspectionSchema = z.object({
  /** Hash of the inspected answer: the inspection is invalid for any other. */
  answer: z.string(),
  runs: z.boolean(),
  problem: z.string().optional(),
  notes: z.array(z.string()),
  /** Absent in older ones. */
  missing: z.array(z.string()).default([]),
  notSeen: z.string().optional(),
  pictures: z.array(
    z.object({
      name: z.string(),
      width: z.number(),
      height: z.number(),
      isAfterInteraction: z.boolean(),
      isStrip: z.boolean().optional(),
    }),
  ),
  findings: z
    .object({
      console: z.array(z.object({ level: z.string(), text: z.string() })),
      errors: z.array(z.string()),
      hang: z.string().optional(),
      accessibility: z.array(z.object({ id: z.string(), impact: z.string(), help: z.string(), nodes: z.number() })),
      blocked: z.array(z.object({ url: z.string(), why: z.string(), isCode: z.boolean().optional() })),
      interactions: z.array(
        z.object({
          action: z.enum(['click', 'type', 'key', 'drag']),
          target: z.string(),
          hadEffect: z.boolean(),
          change: z.string().optional(),
        }),
      ),
      sideways: z.array(z.object({ width: z.number(), by: z.number(), element: z.string() })).optional(),
      isStillLoading: z.boolean().optional(),
      movingShare: z.number().optional(),
      accessibilityCut: z.string().optional(),
    })
    .optional(),
})

/** The stored part of an inspection; pictures are separate artifacts. */
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
  const { files: _files, pictures, ...observed } = page
  const content = {
    answer: fingerprint(response),
    ...observed,
    pictures: pictures.map(({ png: _png, ...picture }) => picture),
  }
  // Saved last: if it exists, so do the pictures.
  await storage.saveArtifact(cell, {
    name: INSPECTION_NAME,
    mediaType: 'application/json',
    content: new TextEncoder().encode(JSON.stringify(content)),
  })
}

/** The stored inspection of a cell; with `response`, only if it is of that answer. */
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

/** The pictures with their content; undefined if one is missing. */
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
