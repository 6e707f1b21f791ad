import { chmodSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { crashWords, createWorld, startProcess, startServing } from './world.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

const world = await createWorld({ cases: 3 })
afterAll(() => world.close())

const modeOf = (path: string) => (statSync(path).mode & 0o777).toString(8)

function listFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))
}

describe('only the owner can read what is stored', () => {
  it('a new data folder is closed to others, and so is every file in it, whatever the umask', async () => {
    const run = startProcess(
      'sh',
      ['-c', 'umask 000; exec "$@"', 'sh', process.execPath, builtProgram, 'run', world.suite].concat([
        '--models',
        'm',
        '--base-url',
        world.server.baseUrl,
        '--cache',
        '--out',
        'report.html',
      ]),
      { env: world.env, cwd: world.folder },
    )
    const { code, err } = await run.ended
    expect(code, err).toBe(0)
    expect(modeOf(world.data)).toBe('700')
    const files = listFiles(world.data)
    expect(files.map((file) => file.slice(world.data.length + 1))).toContain('benchmaker.db')
    expect(files.some((file) => file.includes('cache'))).toBe(true)
    expect(files.filter((file) => modeOf(file) !== '600')).toEqual([])
    // A file that the user names keeps the umask.
    expect(modeOf(join(world.folder, 'report.html'))).toBe('666')
  })

  it('the log and shared memory of an open database, its backup and its uploads are closed too', async () => {
    const serving = await startServing(world)
    const files = listFiles(world.data)
    expect(files.some((file) => file.endsWith('-wal'))).toBe(true)
    expect(files.some((file) => file.endsWith('-shm'))).toBe(true)
    expect(files.filter((file) => modeOf(file) !== '600')).toEqual([])
    serving.process.child.kill('SIGTERM')
    await serving.process.ended
  })

  it('an existing folder and database that others could read are closed, with a note, once', async () => {
    chmodSync(world.data, 0o755)
    for (const name of readdirSync(world.data))
      if (statSync(join(world.data, name)).isFile()) chmodSync(join(world.data, name), 0o644)
    const { err, code } = await world.start('list').ended
    expect(code).toBe(0)
    expect(err).toContain(`Others could look into the folder ${world.data}; now only you can.`)
    expect(err).toContain(`Others could read the file ${join(world.data, 'benchmaker.db')}; now only you can.`)
    expect([modeOf(world.data), modeOf(join(world.data, 'benchmaker.db'))]).toEqual(['700', '600'])
    expect((await world.start('list').ended).err).toBe('')
  })

  it('a folder that is used for other things stays as it is; the database in it is closed', async () => {
    const project = join(world.folder, 'project')
    mkdirSync(project, { mode: 0o755 })
    chmodSync(project, 0o755)
    const ran = startProcess(
      process.execPath,
      [builtProgram, 'run', world.suite, '--models', 'demo/good', '--data', '.'],
      { env: world.env, cwd: project },
    )
    expect((await ran.ended).code).toBe(0)
    expect([modeOf(project), modeOf(join(project, 'benchmaker.db'))]).toEqual(['755', '600'])
  })
})

describe('a data folder that can never be made is an error at once', () => {
  const file = join(world.folder, 'plain-file')
  writeFileSync(file, 'mine')

  const places = [
    ...(process.platform === 'linux' ? ['/proc/benchmaker', '/proc/self/fd/benchmaker/data', '/sys/benchmaker'] : []),
    file,
    join(file, 'data'),
    '/dev/null/data',
  ]
  const refuse = async (place: string, ...args: string[]) => {
    const { code, err, out } = await world.start(...args, '--data', place).ended
    expect(err).not.toMatch(crashWords)
    expect({ code, err, out }).toMatchObject({
      code: 2,
      err: expect.stringContaining(`data folder ${place} cannot be created`),
    })
    expect(readFileSync(file, 'utf8')).toBe('mine')
  }
  it.each(places)('%s', (place) => refuse(place, 'run', world.suite, '--models', 'demo/good'))
  it('for every command', async () => {
    await refuse(file, 'serve', '--no-open', '--port', '0')
    expect((await world.start('doctor', '--data', file).ended).code).toBe(2)
    const listed = await world.start('list', '--data', join(file, 'data')).ended
    expect([listed.code, listed.err]).toEqual([2, expect.stringContaining(`${file} is not a folder`)])
  })
})
