import { afterAll, describe, expect, it } from 'vitest'
import { crashWords, createWorld, startProcess, startServing, until } from './world.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

const world = await createWorld({ cases: 60, latencyMs: 60 })
afterAll(() => world.close())

/** SPEC: a cancel leaves the run `cancelled`, its finished cells usable, and exits with 130. */
describe('a closed terminal (SIGHUP) cancels like Ctrl-C', () => {
  it.each(['SIGHUP', 'SIGTERM', 'SIGINT'] as const)('a run that gets %s says how to resume it', async (signal) => {
    const before = world.server.stats().requests
    const run = world.startRun()
    await world.untilAsked(before + 10)
    run.child.kill(signal)
    const { code, err } = await run.ended
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(130)
    const [latest] = await world.listRuns()
    expect(latest).toMatchObject({ status: 'cancelled' })
    expect(latest!.cells.scored).toBeGreaterThan(0)
    expect(err).toContain(`benchmaker resume ${latest!.id}`)
  })

  it('the Code Arena too', async () => {
    const before = world.server.stats().requests
    const args = ['--models', 'm', '--repeat', '20', '--quick-judge', '--base-url', world.server.baseUrl]
    const run = world.start('arena', 'a page', ...args)
    await world.untilAsked(before + 1)
    run.child.kill('SIGHUP')
    const { code, err } = await run.ended
    expect(err).toMatch(/benchmaker resume \S+/)
    expect(code).toBe(130)
  })

  it('a calibration stops and says that it is not kept', async () => {
    const before = world.server.stats().requests
    const run = world.start('calibrate', 'm', '--base-url', world.server.baseUrl)
    await world.untilAsked(before + 1)
    run.child.kill('SIGHUP')
    const { code, err } = await run.ended
    expect(err).toMatch(/a calibration that is not finished is not kept/)
    expect(err).not.toMatch(crashWords)
    expect(code).toBe(130)
  })

  it('the web server stops in order and leaves its run cancelled', async () => {
    const serving = await startServing(world)
    const { status, body } = await serving.post<{ runId: string }>('/runs', {
      suiteId: 'example-first-look',
      models: ['demo/good'],
      repeat: 50,
      concurrency: 1,
    })
    expect(status).toBe(201)
    serving.process.child.kill('SIGHUP')
    const { code, err } = await serving.process.ended
    expect(code, err).toBe(0)
    const stored = (await world.listRuns()).find(({ id }) => id === body.runId)
    expect(stored).toMatchObject({ status: 'cancelled' })
  })
})

describe('output that nobody reads any more does not end a run before it is stored', () => {
  it('stderr and stdout closed by their reader in the middle of a run', async () => {
    const before = world.server.stats().requests
    const run = world.startRun('--json')
    await world.untilAsked(before + 5)
    run.child.stderr!.destroy()
    run.child.stdout!.destroy()
    const { code } = await run.ended
    expect(code).toBe(0)
    const [latest] = await world.listRuns()
    expect(latest).toMatchObject({ status: 'completed', cells: { scored: 60 } })
  })

  it('a cancelled run whose terminal is gone is still stored as cancelled', async () => {
    const before = world.server.stats().requests
    const run = world.startRun()
    await world.untilAsked(before + 5)
    run.child.stderr!.destroy()
    run.child.stdout!.destroy()
    run.child.kill('SIGHUP')
    expect((await run.ended).code).toBe(130)
    expect((await world.listRuns())[0]).toMatchObject({ status: 'cancelled' })
  })

  // macOS has another `script`.
  it.runIf(process.platform === 'linux')(
    'a real terminal that closes: writes fail with EIO after the hang-up',
    async () => {
      // Listed before the start: while the list is read, a short run could end.
      const [earlier] = await world.listRuns()
      const before = world.server.stats().requests
      // `script` gives the run a terminal of its own; killing it closes that terminal.
      const command = ['run', world.suite, '--models', 'm', '--base-url', world.server.baseUrl]
        .map((word) => `'${word}'`)
        .join(' ')
      const terminal = startProcess(
        'script',
        ['-qec', `'${process.execPath}' '${builtProgram}' ${command}`, '/dev/null'],
        {
          env: world.env,
          cwd: world.folder,
        },
      )
      await world.untilAsked(before + 5)
      terminal.child.kill('SIGKILL')
      await terminal.ended
      const isStored = async () => (await world.listRuns())[0]?.status === 'cancelled'
      await until(isStored, 'the run is stored as cancelled')
      expect((await world.listRuns())[0]?.id).not.toBe(earlier?.id)
    },
  )
})
