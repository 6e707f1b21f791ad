import { afterAll, beforeAll, expect, it } from 'vitest'
import type { Storage } from '../../contract/index.ts'
import { openStorage } from '../../storage/index.ts'
import { deleteRun } from '../code-arena/delete-run.ts'
import { addToResult, findAddedRuns } from './added-runs.ts'

let storage: Storage
beforeAll(async () => {
  storage = await openStorage({ file: ':memory:' })
  const create = (id: string, seriesId?: string) =>
    storage.createRun({ id, kind: 'suite', models: ['m'], startedAt: 1, ...(seriesId !== undefined && { seriesId }) }, [
      { testCaseId: 'c', modelId: 'm' },
    ])
  for (const id of ['base', 'late']) await create(id)
  for (const id of ['s1', 's2']) await create(id, 's')
})
afterAll(() => storage.close())

it('what is added to a result stays with it, also when two add at once, until it is deleted', async () => {
  await Promise.all([addToResult('base', 'late', storage), addToResult('base', 'series:s', storage)])
  await addToResult('base', 'late', storage)
  expect((await findAddedRuns('base', storage)).toSorted()).toEqual(['late', 's1', 's2'])
  expect(await findAddedRuns('late', storage)).toEqual([])
  for (const id of ['late', 's1']) await deleteRun(storage, id)
  expect(await findAddedRuns('base', storage)).toEqual(['s2'])
  await deleteRun(storage, 's2')
  expect(await findAddedRuns('base', storage)).toEqual([])
  await deleteRun(storage, 'base')
  expect(await storage.listDocuments('added-runs')).toEqual([])
})
