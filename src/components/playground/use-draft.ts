import { useEffect, useState } from 'react'
import { z } from 'zod'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { createDraft, type Draft } from './playground-draft.ts'

const textSchema = z.string()
const draftSchema = z.object({
  prompt: textSchema,
  messages: z.custom<NonNullable<Draft['messages']>>((value) => Array.isArray(value)).optional(),
  vars: z.unknown(),
  systemPrompt: textSchema,
  modelId: textSchema,
  numbers: z.object({
    temperature: textSchema,
    maxTokens: textSchema,
    topP: textSchema,
    frequencyPenalty: textSchema,
    presencePenalty: textSchema,
  }),
  benchmarkMode: z.boolean(),
  judges: textSchema,
  scope: z.enum(['case', 'failed', 'chosen', 'all']),
  chosen: z.array(textSchema),
  budget: textSchema,
})

/** A reload keeps what was typed; more than this is not kept. */
const MAX_KEPT = 500_000

function readKept(key: string): Draft | undefined {
  try {
    const { messages, ...rest } = draftSchema.parse(JSON.parse(sessionStorage.getItem(key) ?? 'null'))
    return { ...rest, ...(messages && { messages }) }
  } catch {
    return undefined
  }
}

/** What the user has typed, kept for this tab. */
export function useDraft(start: PlaygroundStart, id: string): [Draft, (changes: Partial<Draft>) => void, () => void] {
  const key = `benchmaker-playground:${id}`
  const [draft, setDraft] = useState(() => readKept(key) ?? createDraft(start))
  useEffect(() => {
    const timer = window.setTimeout(() => {
      const text = JSON.stringify(draft)
      try {
        if (text.length <= MAX_KEPT) sessionStorage.setItem(key, text)
        else sessionStorage.removeItem(key)
      } catch {
        // Without storage, a reload starts over.
      }
    }, 300)
    return () => window.clearTimeout(timer)
  }, [draft, key])
  return [draft, (changes) => setDraft((before) => ({ ...before, ...changes })), () => setDraft(createDraft(start))]
}
