import { afterEach, beforeEach, expect, it } from 'vitest'
import type { Storage } from '../../contract/index.ts'
import { openStorage } from '../../storage/index.ts'
import { createSample } from '../../storage/testing/samples.ts'
import { deleteRun } from './delete-run.ts'
import { listForks, loadFork, removeFork, saveFork } from './forks.ts'

let storage: Storage
beforeEach(async () => {
  storage = await openStorage({ file: ':memory:' })
})
afterEach(() => storage.close())

it('forks are kept with their run, changed, reopened and deleted', async () => {
  await createSample(storage, 'run-1')
  const first = await saveFork(storage, 'run-1', 'f1', { modelId: 'a', response: 'one' })
  await saveFork(storage, 'run-1', 'f2', { modelId: 'b', response: 'two', name: 'mine' })
  await saveFork(storage, 'run-2', 'f3', { modelId: 'a', response: 'three' })
  expect(first).toMatchObject({ id: 'f1', runId: 'run-1', modelId: 'a', response: 'one' })
  await saveFork(storage, 'run-1', 'f2', { modelId: 'b', response: 'changed' })
  expect((await listForks(storage, 'run-1')).map(({ id, response }) => [id, response])).toEqual([
    ['f1', 'one'],
    ['f2', 'changed'],
  ])
  // Only under its own run.
  expect(await loadFork(storage, 'run-2', 'f1')).toBeUndefined()
  expect(await removeFork(storage, 'run-2', 'f1')).toBe(false)
  expect(await removeFork(storage, 'run-1', 'f1')).toBe(true)
  expect(await loadFork(storage, 'run-1', 'f1')).toBeUndefined()
})

it('forks go with their run', async () => {
  await createSample(storage, 'run-1')
  await saveFork(storage, 'run-1', 'f1', { modelId: 'a', response: 'one' })
  await saveFork(storage, 'run-2', 'f2', { modelId: 'a', response: 'two' })
  expect(await deleteRun(storage, 'run-1')).toBe(true)
  expect((await storage.listDocuments('fork')).map(({ id }) => id)).toEqual(['f2'])
})
