import { join } from 'node:path'
import { z } from 'zod'
import type { KeyStore } from './key-store.ts'
import type { OsKeyStore } from './os-key-store.ts'
import { readPrivateJson, writePrivateFile } from './private-file.ts'

/** `keys` are kept here; of `elsewhere` only the names: those keys are in the operating system's store. */
const fileSchema = z.object({
  keys: z.record(z.string(), z.string()).default({}),
  elsewhere: z.array(z.string()).default([]),
})

/** Keys in the operating system's store where it takes them, else in a file that only its owner may read. */
export function openKeyStore({ dataFolder, os }: { dataFolder: string; os?: OsKeyStore | undefined }): KeyStore {
  const file = join(dataFolder, 'keys.json')
  const written = readPrivateJson(file)
  const stored = written === undefined ? undefined : fileSchema.safeParse(written).data
  const keys = new Map(Object.entries(stored?.keys ?? {}))
  const elsewhere = new Set(stored?.elsewhere)
  const read = new Map<string, string | undefined>()
  const save = () =>
    writePrivateFile(file, JSON.stringify({ keys: Object.fromEntries(keys), elsewhere: [...elsewhere] }))

  return {
    description: os
      ? `${os.description}, or ${file} (for your eyes only) where that takes none`
      : `${file}, which only you may read`,
    source: os ? 'key-store' : 'file',
    sourceOf: (name) => (elsewhere.has(name) ? 'key-store' : 'file'),
    get(name) {
      if (!elsewhere.has(name)) return keys.get(name)
      if (!read.has(name)) read.set(name, os?.read(name))
      return read.get(name)
    },
    names: () => [...new Set([...keys.keys(), ...elsewhere])],
    async set(name, key) {
      if (os && (await os.write(name, key))) {
        elsewhere.add(name)
        keys.delete(name)
        read.set(name, key)
      } else {
        elsewhere.delete(name)
        keys.set(name, key)
      }
      save()
    },
    async remove(name) {
      const isInOs = elsewhere.delete(name)
      if (isInOs) await os?.remove(name)
      read.delete(name)
      if (!keys.delete(name) && !isInOs) return false
      save()
      return true
    },
  }
}
