import type { Storage } from '../../contract/index.ts'

export interface ReplaceableStorage {
  /** Always the same object, whichever database is behind it. */
  storage: Storage
  /** Closes the database, lets `swap` replace the file, and opens it again even if `swap` fails. */
  replace(swap: () => Promise<void>): Promise<void>
}

/** Opens a storage whose database can be replaced while callers keep using the same object. */
export async function openReplaceable(open: () => Promise<Storage>): Promise<ReplaceableStorage> {
  let current = await open()
  return {
    storage: new Proxy(current, {
      get(_first, name) {
        const member: unknown = Reflect.get(current, name)
        return typeof member === 'function' ? member.bind(current) : member
      },
    }),
    async replace(swap) {
      await current.close()
      try {
        await swap()
      } finally {
        current = await open()
      }
    },
  }
}
