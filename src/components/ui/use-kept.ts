import { useState } from 'react'
import { z } from 'zod'

const PREFIX = 'benchmaker-typed:'

/** More than this is not kept. */
const MAX_LENGTH = 500_000

function readKept<T>(key: string, schema: z.ZodType<T>): T | undefined {
  try {
    return schema.safeParse(JSON.parse(sessionStorage.getItem(PREFIX + key) ?? 'null')).data
  } catch {
    return undefined
  }
}

function keep(key: string, text: string | undefined): void {
  try {
    if (text === undefined || text.length > MAX_LENGTH) sessionStorage.removeItem(PREFIX + key)
    else sessionStorage.setItem(PREFIX + key, text)
  } catch {
    // Without storage, a reload starts over.
  }
}

/**
 * State that Esc, Back and a reload do not lose: what differs from `initial` is kept for this tab. Setting it to
 * `initial` again, when it is saved or given up, drops it. Never for a secret.
 */
export function useKept<T>(key: string, schema: z.ZodType<T>, initial: T): [T, (value: T) => void] {
  const [value, setValue] = useState(() => readKept(key, schema) ?? initial)
  const set = (next: T) => {
    const text = JSON.stringify(next)
    setValue(next)
    // At once: what closes the form may come next.
    keep(key, text === JSON.stringify(initial) ? undefined : text)
  }
  return [value, set]
}

/** For one text field. */
export function useKeptText(key: string, initial = ''): [string, (text: string) => void] {
  return useKept(key, z.string(), initial)
}
