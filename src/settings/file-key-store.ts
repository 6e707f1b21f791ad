import { join } from 'node:path'
import { z } from 'zod'
import type { KeyStore } from './key-store.ts'
import type { OsKeyStore } from './os-key-store.ts'
import { readPrivateJson, writePrivateFile } from './private-file.ts'

/**
 * `keys` holds keys; `elsewhere` holds only the names of keys that are in the operating system's store. `origins` says
 * where each may be sent; it lies here and not in the database, because a database may be restored or shared.
 */
const fileSchema = z.object({
  keys: z.record(z.string(), z.string()).default({}),
  elsewhere: z.array(z.string()).default([]),
  origins: z.record(z.string(), z.string()).optional(),
})

/** Keeps keys in the operating system's store if possible, otherwise in a file that only its owner can read. */
export function openKeyStore({ dataFolder, os }: { dataFolder: string; os?: OsKeyStore | undefined }): KeyStore {
  const file = join(dataFolder, 'keys.json')
  const keys = new Map<string, string>()
  const elsewhere = new Set<string>()
  const origins = new Map<string, string>()
  const cached = new Map<string, string | undefined>()
  let isBound = false
  const load = () => {
    const content = readPrivateJson(file)
    const stored = content === undefined ? undefined : fileSchema.safeParse(content).data
    for (const map of [keys, elsewhere, origins, cached]) map.clear()
    for (const [name, key] of Object.entries(stored?.keys ?? {})) keys.set(name, key)
    for (const name of stored?.elsewhere ?? []) elsewhere.add(name)
    for (const [name, origin] of Object.entries(stored?.origins ?? {})) origins.set(name, origin)
    isBound = stored === undefined || stored.origins !== undefined
  }
  load()
  const save = () =>
    writePrivateFile(
      file,
      JSON.stringify({
        keys: Object.fromEntries(keys),
        elsewhere: [...elsewhere],
        ...((isBound || origins.size > 0) && { origins: Object.fromEntries(origins) }),
      }),
    )

  return {
    description: os
      ? `${os.description}, or ${file} (readable only by you) if that fails`
      : `${file}, which only you can read`,
    source: os ? 'key-store' : 'file',
    sourceOf: (name) => (elsewhere.has(name) ? 'key-store' : 'file'),
    get(name) {
      if (!elsewhere.has(name)) return keys.get(name)
      if (!cached.has(name)) cached.set(name, os?.read(name))
      return cached.get(name)
    },
    names: () => [...new Set([...keys.keys(), ...elsewhere])],
    originOf: (name) => origins.get(name),
    async set(name, key, origin) {
      if (os && (await os.write(name, key))) {
        elsewhere.add(name)
        keys.delete(name)
        cached.set(name, key)
      } else {
        elsewhere.delete(name)
        keys.set(name, key)
      }
      if (origin === undefined) origins.delete(name)
      else origins.set(name, origin)
      save()
    },
    async remove(name) {
      const isInOs = elsewhere.delete(name)
      if (isInOs) await os?.remove(name)
      cached.delete(name)
      origins.delete(name)
      if (!keys.delete(name) && !isInOs) return false
      save()
      return true
    },
    bindOnce(current) {
      if (isBound) return
      isBound = true
      for (const name of [...keys.keys(), ...elsewhere]) {
        const origin = current.get(name)
        if (origin !== undefined && !origins.has(name)) origins.set(name, origin)
      }
      try {
        save()
      } catch {
        // The folder is read-only: they are bound for this process only.
      }
    },
    reload: async () => load(),
  }
}
