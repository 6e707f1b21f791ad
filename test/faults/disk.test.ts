import { execFileSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { CONCURRENCY, crashWords, createWorld, startProcess, type Started, type World } from './world.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

const CASES = 200
/** Long answers fill the disk soon. */
const answer = () => 'word '.repeat(2000)

let world: World
afterEach(() => world.close())

/** Runs a shell command that ends by starting the program: `exec "$@"`. */
function startInShell(shell: string, ...args: string[]): Started {
  return startProcess('sh', ['-c', shell, 'sh', process.execPath, builtProgram, ...args], {
    env: world.env,
    cwd: world.folder,
  })
}

const runArguments = () =>
  ['run', world.suite, '--models', 'm'].concat('--base-url', world.server.baseUrl, '--concurrency', String(CONCURRENCY))

/** Linux, and allowed to make a mount that only this process sees. */
function canMount(): boolean {
  try {
    execFileSync('sh', ['-c', 'exec unshare -rm mount -t tmpfs -o size=1m tmpfs /mnt'], { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

async function checkStop({ code, err }: Awaited<Started['ended']>): Promise<{ id: string; done: number }> {
  expect(err).not.toMatch(crashWords)
  expect(code, err).toBe(3)
  const [, id, done] =
    /Run (\S+) stopped: (\d+) of 200 cells are finished and kept\..*benchmaker resume \1\n/s.exec(err) ?? []
  expect(id, err).toBeDefined()
  expect(Number(done)).toBeGreaterThan(0)
  // No request is sent after the first one that could not be stored, except those already in flight.
  expect(world.server.stats().requests).toBeLessThanOrEqual(Number(done) + 2 * 2 * CONCURRENCY)
  return { id: id!, done: Number(done) }
}

/**
 * A limit on the size of files (`ulimit -f`) makes the kernel refuse real writes, needs no privileges and works on every
 * POSIX system; SQLite reports it as an I/O error. A small tmpfs gives a real ENOSPC where mounts are allowed.
 */
describe('a disk that takes no more, in the middle of a run', () => {
  it('stops the run, says what was kept, and resume finishes it (file size limit)', async () => {
    world = await createWorld({ cases: CASES, answer, latencyMs: 5 })
    // In blocks of 512 bytes: 2 MB for the database's log.
    const { id, done } = await checkStop(await startInShell('ulimit -f 4096; exec "$@"', ...runArguments()).ended)
    const [run] = await world.listRuns()
    expect(run).toMatchObject({ id })
    expect(['interrupted', 'failed']).toContain(run!.state)
    expect(run!.cells.scored).toBeGreaterThanOrEqual(done)
    const resumed = await world.start('resume', id).ended
    expect(resumed.code, resumed.err).toBe(0)
    expect((await world.listRuns())[0]).toMatchObject({ status: 'completed', cells: { scored: CASES } })
  })

  const reason = canMount() ? '' : ', not run: this system allows no mounts in a user namespace'
  it.runIf(reason === '')(`stops the run on a really full disk${reason}`, async () => {
    world = await createWorld({ cases: CASES, answer, latencyMs: 5 })
    const disk = join(world.folder, 'disk')
    mkdirSync(disk)
    const mount = `mount -t tmpfs -o size=3m tmpfs '${disk}' && "$@"; code=$?; "$1" "$2" list --json --data '${disk}/data'; exit $code`
    const ended = await startProcess(
      'unshare',
      ['-rm', 'sh', '-c', mount, 'sh', process.execPath, builtProgram, ...runArguments(), '--data', join(disk, 'data')],
      { env: world.env, cwd: world.folder },
    ).ended
    expect(ended.err).toMatch(/because the disk is full|No space left|ENOSPC/i)
    const { id, done } = await checkStop(ended)
    const { runs } = JSON.parse(ended.out.slice(ended.out.indexOf('{')))
    expect(runs[0]).toMatchObject({ id })
    expect(['interrupted', 'failed']).toContain(runs[0].state)
    expect(runs[0].cells.scored).toBeGreaterThanOrEqual(done)
  })

  it('before anything is sent, exits with 2', async () => {
    world = await createWorld({ cases: CASES })
    const { code, err } = await startInShell('ulimit -f 8; exec "$@"', ...runArguments()).ended
    expect(err).not.toMatch(crashWords)
    expect(code, err).toBe(2)
    expect(world.server.stats().requests).toBe(0)
  })
})
