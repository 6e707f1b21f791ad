import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, expect, it } from 'vitest'
import { startModelServer } from './fakes/model-server.ts'
import { killServers, startProgram, type Entered } from './fakes/server-process.ts'

const CASES = 12

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-stop-'))
afterEach(killServers)
afterAll(() => rmSync(folder, { recursive: true, force: true }))

const suite = {
  name: 'Stopped',
  testCases: Array.from({ length: CASES }, (_, index) => ({
    id: `case-${index}`,
    prompt: `Question ${index}`,
    scoringMethod: 'exact-match',
    expectedOutput: 'yes',
  })),
}

function serve(name: string, ...args: string[]) {
  return startProgram(['serve', '--port', '0', '--data', join(folder, name), ...args], {
    BENCHMAKER_STOP_GRACE_SECONDS: name === 'hanging' ? '1' : '60',
  })
}

async function startRun({ read }: Entered, endpoint: string): Promise<string> {
  const { id } = await read<{ id: string }>('/api/suites', { suite })
  const asked = { suiteId: id, models: ['m'], concurrency: 2, endpoint }
  return (await read<{ runId: string }>('/api/runs', asked)).runId
}

async function findRun({ read }: Entered): Promise<Record<string, unknown>> {
  return (await read<{ runs: Record<string, unknown>[] }>('/api/runs')).runs[0]!
}

it('asked to stop, the server finishes the cells in progress, keeps what was paid for and hands the run back', async () => {
  let isHeld = false
  let waiting = 0
  const { promise: held, resolve: release } = Promise.withResolvers<void>()
  const models = await startModelServer({
    latencyMs: 20,
    answer: () => 'yes',
    hold() {
      if (!isHeld) return undefined
      waiting++
      return held
    },
  })
  const first = serve('restarted')
  const web = await first.enter()
  const runId = await startRun(web, models.baseUrl)
  await expect.poll(() => models.requests.length).toBeGreaterThan(2)
  const events = await web.ask(`/api/runs/${runId}/events`)
  expect(await (await web.ask('/readyz')).json()).toMatchObject({ status: 'ready' })

  // Both requests in progress wait for their answers while the server is told to stop.
  isHeld = true
  await expect.poll(() => waiting).toBe(2)
  first.child.kill('SIGTERM')
  await expect.poll(async () => (await web.ask('/readyz')).status).toBe(503)
  expect((await web.ask('/healthz')).status).toBe(200)
  const refused = await web.ask('/api/runs', {})
  expect(refused.status).toBe(503)
  expect(await refused.json()).toMatchObject({ error: { code: 'stopping' } })
  release()
  // Told to connect again, and not that the run has finished.
  const stream = await events.text()
  expect(stream).toMatch(/retry: 3000\nevent: restarting\ndata: \{\}\n\n$/)
  expect(stream).not.toContain('event: finished')
  expect(await first.ended).toBe(0)
  const sent = models.requests.length
  expect(sent).toBeLessThan(CASES)

  // Without the option, it is shown as stopped, with every answer that was paid for, and nobody holds it.
  isHeld = false
  const second = serve('restarted')
  const shown = await findRun(await second.enter())
  expect(shown).toMatchObject({ id: runId, status: 'cancelled', state: 'stopped', cells: { scored: sent } })
  expect(shown['workedOnBy']).toBeUndefined()
  expect(models.requests).toHaveLength(sent)
  second.child.kill('SIGTERM')
  expect(await second.ended).toBe(0)
  await models.close()
})

it('continues after SIGTERM and after a kill, and asks nothing twice that was answered', async () => {
  const models = await startModelServer({ latencyMs: 150, answer: () => 'yes' })
  const first = serve('continued', '--continue-runs')
  const runId = await startRun(await first.enter(), models.baseUrl)
  await expect.poll(() => models.requests.length).toBeGreaterThan(2)
  first.child.kill('SIGTERM')
  expect(await first.ended).toBe(0)

  const sent = models.requests.length
  const second = serve('continued', '--continue-runs')
  await second.enter()
  await expect.poll(() => models.requests.length).toBeGreaterThan(sent)
  expect(second.err()).toContain(`Continuing run ${runId}, which was in progress when the server was stopped.`)
  second.child.kill('SIGKILL')
  await second.ended

  const third = serve('continued', '--continue-runs')
  const web = await third.enter()
  await expect.poll(async () => (await findRun(web))['status']).toBe('completed')
  expect(await findRun(web)).toMatchObject({ id: runId, cells: { total: CASES, scored: CASES } })
  // Only the two requests that the kill interrupted were sent again.
  expect(models.requests.length).toBeLessThanOrEqual(CASES + 2)
  third.child.kill('SIGTERM')
  expect(await third.ended).toBe(0)

  // A finished run is not in hand any more.
  const fourth = serve('continued', '--continue-runs')
  await fourth.enter()
  fourth.child.kill('SIGTERM')
  expect(await fourth.ended).toBe(0)
  expect(fourth.err()).not.toContain('Continuing')
  await models.close()
})

it('does not wait longer than the grace time for a model that does not answer', async () => {
  const models = await startModelServer({ latencyMs: 600_000 })
  const server = serve('hanging')
  await startRun(await server.enter(), models.baseUrl)
  await expect.poll(() => models.requests.length).toBe(2)
  server.child.kill('SIGTERM')
  expect(await server.ended).toBe(0)
  expect(server.err()).toContain('Stopping a run; finished cells are kept, and the rest can be resumed.')
  const next = serve('hanging')
  expect(await findRun(await next.enter())).toMatchObject({ status: 'cancelled', cells: { pending: CASES } })
  await models.close()
})
