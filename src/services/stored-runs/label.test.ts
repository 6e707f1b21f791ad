import { describe, expect, it } from 'vitest'
import { InputError, type Client, type Storage, type Suite } from '../../contract/index.ts'
import { createScoring } from '../../scoring/index.ts'
import { openStorage } from '../../storage/index.ts'
import { labelRun } from './label.ts'
import { executeRun, rescoreRun, resumeRun, type EngineTools } from '../run-with-client.ts'

const suite: Suite = {
  name: 'S',
  testCases: [{ id: 'a', prompt: '?', scoringMethod: 'exact-match', expectedOutput: 'Paris', weight: 1 }],
}
let isDown = false
let asked = 0
const client: Client = {
  provider: 'scripted',
  complete: async () => {
    asked++
    if (isDown) throw new Error('down')
    return { outcome: 'ok', response: 'Paris', latencyMs: 3 }
  },
  listModels: async () => [],
  close: async () => {},
}

async function makeTools(): Promise<EngineTools> {
  let ids = 0
  return {
    storage: await openStorage({ file: ':memory:' }),
    scoring: createScoring({ scoreInWorker: () => Promise.reject(new Error('not here')), random: Math.random }),
    clock: { now: () => 1000, sleep: async () => {} },
    random: () => 0.5,
    createId: () => `run-${++ids}`,
    countTokens: (text) => text.length,
    versions: {},
  }
}
const labelsOf = async (storage: Storage) => (await storage.listRuns()).map(({ label }) => label)

describe('the label of a run', () => {
  it('is given at the start and stays when the run is resumed or rescored', async () => {
    const tools = await makeTools()
    const label = { name: 'Base', tags: ['x'] }
    isDown = true
    const run = await executeRun({ suite, models: ['m'], client, label: { name: ' Base ', tags: ['x', 'X'] } }, tools)
    expect(run.label).toEqual(label)
    expect(run.request).not.toHaveProperty('label')
    isDown = false
    expect((await resumeRun('run-1', { client }, tools)).run).toMatchObject({
      label,
      results: [{ score: { score: 1 } }],
    })
    expect((await rescoreRun('run-1', { client }, tools)).run.label).toEqual(label)
    await rescoreRun('run-1', { suite: { ...suite, name: 'T' }, client }, tools)
    expect(await labelsOf(tools.storage)).toEqual([label, label])
  })

  it('belongs to the series: a later run gets what it is called by then', async () => {
    const tools = await makeTools()
    const start = () => executeRun({ suite, models: ['m'], client, seriesId: 's', label: { name: 'A' } }, tools)
    await start()
    expect(await labelRun(tools.storage, 'run-1', { name: 'B' })).toEqual({ name: 'B' })
    await start()
    expect(await labelsOf(tools.storage)).toEqual([{ name: 'B' }, { name: 'B' }])
    expect(await labelRun(tools.storage, 'run-2', { name: ' ' })).toBeUndefined()
    await start()
    expect(await labelsOf(tools.storage)).toEqual([undefined, undefined, undefined])
  })

  it('is refused before anything is sent or written', async () => {
    const tools = await makeTools()
    const before = asked
    const run = executeRun({ suite, models: ['m'], client, label: { name: 'a\u001B' } }, tools)
    await expect(run).rejects.toThrow(InputError)
    await expect(run).rejects.toThrow('name: must be one line without control characters')
    expect([asked, await tools.storage.countRuns()]).toEqual([before, 0])
    await expect(labelRun(tools.storage, 'none', { name: 'x' })).rejects.toThrow(/There is no run "none"/)
    await expect(labelRun(tools.storage, 'none', {})).rejects.toThrow(/nothing to change/)
  })
})
