import type { Storage } from '../../contract/index.ts'

export interface ReplaceableStorage {
  /** Always the same object, whatever database is behind it. */
  storage: Storage
  /** Closes the database, lets `swap` change what is on disk, and opens it again: also when that failed. */
  replace(swap: () => Promise<void>): Promise<void>
}

/** Lets a database be put in the place of another while everybody goes on using the same storage. */
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
