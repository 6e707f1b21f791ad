import { expect } from 'vitest'
import { StorageError } from '../../contract/index.ts'

/** What the storage says when it refuses. */
export async function refusalOf(action: Promise<unknown>): Promise<string> {
  const error = await action.then(
    () => undefined,
    (thrown: unknown) => thrown,
  )
  expect(error).toBeInstanceOf(StorageError)
  return String(error)
}
