import { hostname } from 'node:os'
import { z } from 'zod'
import { runRequestSchema, type Storage } from '../../contract/index.ts'

/** What was asked for when a run or series was started: what a resume needs beyond the stored runs. */
const planSchema = z.object({
  suiteVersion: z.number(),
  request: runRequestSchema,
  /** The process that works on it. */
  owner: z.object({ host: z.string(), pid: z.number() }),
  /** It stopped because the next request could pass its budget. */
  isBudgetUsedUp: z.boolean().optional(),
})

export type RunPlan = z.output<typeof planSchema>

const PREFIX = 'series:'

/** A run by itself is a series of one, known by its own id. */
export function planIdOf({ id, seriesId }: { id: string; seriesId?: string | undefined }): string {
  return seriesId ?? id
}

export function ownProcess(): RunPlan['owner'] {
  return { host: hostname(), pid: process.pid }
}

export async function savePlan(storage: Storage, id: string, plan: RunPlan): Promise<void> {
  await storage.saveDocument({ kind: 'settings', id: `${PREFIX}${id}`, content: plan })
}

export async function loadPlan(storage: Storage, id: string): Promise<RunPlan | undefined> {
  const document = await storage.loadDocument('settings', `${PREFIX}${id}`)
  const parsed = planSchema.safeParse(document?.content)
  return parsed.success ? parsed.data : undefined
}

/** Kept, so that it is known after the program has ended too. */
export async function markBudgetUsedUp(storage: Storage, id: string): Promise<void> {
  const plan = await loadPlan(storage, id)
  if (plan) await savePlan(storage, id, { ...plan, isBudgetUsedUp: true })
}

/** By the id of the series, or of the run that is one by itself. */
export async function listPlans(storage: Storage): Promise<Map<string, RunPlan>> {
  const plans = new Map<string, RunPlan>()
  for (const { id, content } of await storage.listDocuments('settings')) {
    if (!id.startsWith(PREFIX)) continue
    const parsed = planSchema.safeParse(content)
    if (parsed.success) plans.set(id.slice(PREFIX.length), parsed.data)
  }
  return plans
}

export async function deletePlan(storage: Storage, id: string): Promise<void> {
  await storage.deleteDocument('settings', `${PREFIX}${id}`)
}
