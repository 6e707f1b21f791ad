import { z } from 'zod'
import { auditNames, type Storage, type StoredDocument } from '../../contract/index.ts'
import type { AuditResult } from './audit.ts'

/** An audit as it is kept. */
export interface StoredAudit extends AuditResult {
  id: string
  savedAt: number
  /** What it was audited with, in words. */
  source: string
  runId?: string
}

/** Longer texts are cut: a case is kept to show what the judge saw, not as an archive. */
const MAX_TEXT_LENGTH = 4000

const text = z
  .string()
  .transform((value) => (value.length > MAX_TEXT_LENGTH ? `${value.slice(0, MAX_TEXT_LENGTH)}…` : value))

const figureSchema = z.object({
  name: text,
  unit: z.enum(['points', 'change', 'share', 'correlation']),
  value: z.number(),
  low: z.number(),
  high: z.number(),
})

const findingSchema = z.object({
  audit: z.enum(auditNames),
  status: z.enum(['found', 'not-found', 'not-tested']),
  sentence: text,
  figure: figureSchema.optional(),
  figures: z.array(figureSchema),
  pValue: z.number().optional(),
  adjustedP: z.number().optional(),
  planned: z.number(),
  used: z.number(),
  cases: z.array(
    z.object({
      id: text,
      prompt: text,
      shown: z.array(z.object({ label: text, text })),
      replies: z.array(
        z.object({
          label: text,
          score: z.number().optional(),
          winner: z.enum(['first', 'second', 'tie']).optional(),
          reasoning: text.optional(),
          problem: text.optional(),
        }),
      ),
      change: z.number().optional(),
      supports: z.boolean(),
    }),
  ),
})

const contentSchema = z.object({
  judgeModelId: z.string(),
  timestamp: z.number(),
  status: z.enum(['completed', 'cancelled']),
  findings: z.array(findingSchema),
  asked: z.number(),
  failed: z.number(),
  cost: z.number().nullable(),
  promptVersions: z.array(z.string()),
  seed: z.number(),
  source: text,
  runId: z.string().optional(),
})

function readAudit({ id, savedAt, content }: StoredDocument): StoredAudit | undefined {
  const parsed = contentSchema.safeParse(content)
  return parsed.success ? { id, savedAt, ...parsed.data } : undefined
}

export async function saveAudit(
  storage: Storage,
  { id, ...content }: Omit<StoredAudit, 'savedAt'>,
): Promise<StoredAudit> {
  const kept = contentSchema.parse(JSON.parse(JSON.stringify(content)))
  const { savedAt } = await storage.saveDocument({ kind: 'audit', id, content: kept })
  return { id, savedAt, ...kept }
}

/** Newest first; one that this version cannot read is left out. */
export async function listAudits(storage: Storage): Promise<StoredAudit[]> {
  return (await storage.listDocuments('audit')).flatMap((document) => readAudit(document) ?? [])
}

export async function findAudit(storage: Storage, id: string): Promise<StoredAudit | undefined> {
  const stored = await storage.loadDocument('audit', id)
  return stored && readAudit(stored)
}

export async function deleteAudit(storage: Storage, id: string): Promise<boolean> {
  return storage.deleteDocument('audit', id)
}
