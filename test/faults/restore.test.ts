import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { checkBackup, openStorage } from '../../src/storage/index.ts'
import { cellsOf, header } from '../../src/storage/testing/samples.ts'
import { createWorld, startServing, until, type Serving, type World } from './world.ts'

let world: World
let serving: Serving
let backup: Uint8Array
beforeAll(async () => {
  world = await createWorld({ cases: 40, latencyMs: 500 })
  serving = await startServing(world)
  backup = await serving.download('/settings/backup')
})
afterAll(() => world.close())

const restore = () => serving.upload<{ error?: { code: string; message: string } }>('/settings/restore', backup)

describe('a restore while another process uses the database', () => {
  it('is refused with the name of the run and its process; that process loses nothing', async () => {
    const run = world.startRun()
    await world.untilAsked(10)
    const { status, body } = await restore()
    expect(status).toBe(409)
    expect(body.error?.code).toBe('in-use')
    expect(body.error?.message).toMatch(
      new RegExp(`Run \\S+ is running in another process \\(process ${run.pid} on host`),
    )
    expect((await run.ended).code).toBe(0)
    expect((await world.listRuns())[0]).toMatchObject({ status: 'completed', cells: { scored: 40 } })
    expect(existsSync(join(world.data, 'benchmaker.db.before-restore'))).toBe(false)
  })

  it('is refused while another program has it open without working on a run; afterwards it works', async () => {
    const other = await openStorage({ file: join(world.data, 'benchmaker.db') })
    await other.listRuns()
    const { status, body } = await restore()
    expect({ status, code: body.error?.code }).toEqual({ status: 409, code: 'in-use' })
    expect(body.error?.message).toMatch(/in use by another program/)
    if (process.platform === 'linux') expect(body.error?.message).toContain(`process ${process.pid}`)
    // It can still write, and the server still shows what it wrote.
    await other.createRun(header('theirs'), cellsOf(['a'], ['m']))
    await other.close()
    expect((await serving.get<{ runs: { id: string }[] }>('/runs?limit=5')).body.runs[0]?.id).toBe('theirs')

    expect((await restore()).status).toBe(200)
    expect((await serving.get<{ total: number }>('/runs?limit=5')).body.total).toBe(0)
    const kept = join(world.data, 'benchmaker.db.before-restore')
    expect(readFileSync(kept).length).toBeGreaterThan(0)
    expect(await checkBackup(kept)).toMatchObject({ runs: 2 })
  })
})

it('checking a backup leaves the event loop free', async () => {
  const file = join(world.folder, 'large.db')
  const storage = await openStorage({ file })
  const cases = Array.from({ length: 60_000 }, (_, index) => `case ${index}`)
  await storage.createRun(header('large'), cellsOf(cases, ['m']))
  await storage.close()
  let turns = 0
  let isDone = false
  const count = () => {
    turns++
    if (!isDone) setImmediate(count)
  }
  setImmediate(count)
  await checkBackup(file)
  isDone = true
  await until(() => turns > 0, 'the loop turned')
  // A check on this thread would have let the loop turn only a few times.
  expect(turns).toBeGreaterThan(100)
})
