import type { Storage } from '../../contract/index.ts'

/** A storage with some methods replaced. Whatever the storage is made of: a class, an object, another of these. */
export function overrideStorage(storage: Storage, overrides: Partial<Storage>): Storage {
  return new Proxy(storage, {
    get(target, name) {
      const source = Object.hasOwn(overrides, name) ? overrides : target
      const member: unknown = Reflect.get(source, name)
      return typeof member === 'function' ? member.bind(source) : member
    },
  })
}
