import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { crashWords, createWorld, startProcess, startServing, type World } from './world.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

let world: World
let stored: string
beforeAll(async () => {
  world = await createWorld({ cases: 3 })
  expect((await world.startRun().ended).code).toBe(0)
  stored = world.data
})
afterAll(async () => {
  execFileSync('chmod', ['-R', 'u+rwX', world.folder])
  await world.close()
})

const READ_COMMANDS = [
  ['list', '--json'],
  ['list', '--search', 'completed'],
  ['show', 'latest'],
  ['export', 'latest'],
  ['compare', 'latest'],
  ['doctor'],
]

function succeeds(command: string, ...args: string[]): boolean {
  try {
    execFileSync(command, args, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Root may write everywhere; without its capabilities it obeys permissions like everyone else. */
const isRoot = process.getuid?.() === 0
const withoutPrivileges = isRoot ? ['setpriv', '--bounding-set=-all', '--inh-caps=-all'] : ['env']
const canObey = succeeds('sh', '-c', `exec ${withoutPrivileges.join(' ')} true`)
const obeyNote = canObey ? '' : ', not run: root obeys no permissions here, and there is no setpriv'
const canMount = succeeds('sh', '-c', 'exec unshare -rm mount -t tmpfs tmpfs /mnt')
const mountNote = canMount ? '' : ', not run: this system allows no mounts in a user namespace'

function makeReadOnly(name: string): string {
  const folder = join(world.folder, name)
  cpSync(stored, folder, { recursive: true })
  for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o400)
  chmodSync(folder, 0o500)
  return folder
}

function startUnprivileged(...args: string[]) {
  const [command, ...before] = withoutPrivileges
  return startProcess(command!, [...before, process.execPath, builtProgram, ...args], {
    env: world.env,
    cwd: world.folder,
  })
}

describe('stored runs on a place that cannot be written', () => {
  it.runIf(canObey)(
    `a read-only folder: every command that only reads works, and nothing is created${obeyNote}`,
    async () => {
      const folder = makeReadOnly('read-only')
      const files = readdirSync(folder)
      for (const args of READ_COMMANDS) {
        const { code, err, out } = await startUnprivileged(...args, '--data', folder).ended
        expect({ args, code, err }).toEqual({ args, code: 0, err: expect.not.stringMatching(crashWords) })
        expect(out).not.toBe('')
      }
      expect(readdirSync(folder)).toEqual(files)
      const run = await startUnprivileged('run', world.suite, '--models', 'demo/good', '--data', folder).ended
      expect(run.code).toBe(2)
      expect(run.err).toMatch(/cannot be (written|opened|created)/)
      const deleted = await startUnprivileged('delete', 'latest', '--yes', '--data', folder).ended
      expect(deleted).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be (written|opened)/) })
      const labelled = await startUnprivileged('label', 'latest', '--name', 'x', '--data', folder).ended
      expect(labelled).toMatchObject({ code: 2, err: expect.stringMatching(/cannot be (written|opened)/) })
    },
  )

  it.runIf(canObey)(`changes that are only in the log are not left out: it says so${obeyNote}`, async () => {
    const serving = await startServing(world)
    const folder = join(world.folder, 'with-log')
    mkdirSync(folder)
    for (const name of ['benchmaker.db', 'benchmaker.db-wal']) cpSync(join(stored, name), join(folder, name))
    serving.process.child.kill('SIGTERM')
    await serving.process.ended
    for (const file of readdirSync(folder)) chmodSync(join(folder, file), 0o400)
    chmodSync(folder, 0o500)
    const { code, err } = await startUnprivileged('list', '--data', folder).ended
    expect(err).toMatch(/its last changes are still in .*benchmaker\.db-wal: copy its folder to a writable place/)
    expect(code).toBe(2)
  })

  it.runIf(canObey)(`a database of an older version cannot be upgraded there: it says so${obeyNote}`, async () => {
    const folder = makeReadOnly('older')
    chmodSync(folder, 0o700)
    chmodSync(join(folder, 'benchmaker.db'), 0o600)
    const database = new DatabaseSync(join(folder, 'benchmaker.db'))
    database.exec('DELETE FROM benchmaker_migrations WHERE version > 1')
    database.close()
    for (const name of ['-wal', '-shm']) rmSync(join(folder, `benchmaker.db${name}`), { force: true })
    chmodSync(join(folder, 'benchmaker.db'), 0o400)
    chmodSync(folder, 0o500)
    const { code, err } = await startUnprivileged('list', '--data', folder).ended
    expect(err).toMatch(/older Benchmaker and cannot be upgraded because it is read-only here/)
    expect(code).toBe(2)
  })

  it.runIf(canMount)(`a disk that is mounted read-only${mountNote}`, async () => {
    const folder = join(world.folder, 'mounted')
    cpSync(stored, folder, { recursive: true })
    const script = `mount --bind '${folder}' '${folder}' && mount -o remount,bind,ro '${folder}' && "$@"`
    for (const args of READ_COMMANDS) {
      const { code, err } = await startProcess(
        'unshare',
        ['-rm', 'sh', '-c', script, 'sh', process.execPath, builtProgram, ...args, '--data', folder],
        { env: world.env, cwd: world.folder },
      ).ended
      expect({ args, code, err }).toEqual({ args, code: 0, err: expect.not.stringMatching(crashWords) })
    }
  })
})
