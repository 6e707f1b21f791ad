import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startModelServer } from '../../../test/fakes/model-server.ts'
import { openStorage } from '../../storage/index.ts'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-endpoint-'))
const suite = join(folder, 'suite.json')
writeFileSync(
  suite,
  JSON.stringify({
    name: 'One',
    testCases: [{ id: 'a', prompt: '2+2?', scoringMethod: 'exact-match', expectedOutput: '4' }],
  }),
)
let isUp = false
const server = await startModelServer({
  answer: () => '4',
  reply: () => (isUp ? undefined : { status: 404, headers: {}, pieces: ['{"error": {"message": "not yet"}}'] }),
})
afterAll(async () => {
  await server.close()
  rmSync(folder, { recursive: true })
})

const run = (...args: string[]) => runCli([...args, '--data', join(folder, 'data')])

it('resume uses the base URL of the run', async () => {
  expect((await run('run', suite, '--models', 'small', '--base-url', server.baseUrl)).exitCode).toBe(3)
  isUp = true
  expect(await run('resume', 'latest')).toMatchObject({
    exitCode: 0,
    err: expect.stringContaining('Kept 0, retried 1.'),
  })
})

it('the parts of a base URL that may contain a key are not stored', async () => {
  const address = server.baseUrl.replace('http://', 'http://user:secret@')
  expect((await run('run', suite, '--models', 'small', '--base-url', `${address}?key=secret`)).exitCode).toBe(0)
  const storage = await openStorage({ file: join(folder, 'data', 'benchmaker.db') })
  const stored = await storage.loadRun((await storage.findRuns('latest'))[0]!)
  await storage.close()
  expect(stored?.request).toMatchObject({ models: ['small'], endpoint: server.baseUrl })
})

it('resume keeps the query of a base URL', async () => {
  isUp = false
  await run('run', suite, '--models', 'small', '--base-url', `${server.baseUrl}?api-version=2024-10-21`)
  isUp = true
  expect((await run('resume', 'latest')).exitCode).toBe(0)
  expect(server.requests.at(-1)?.query).toBe('api-version=2024-10-21')
})

it('resume asks for what was not stored of a base URL', async () => {
  isUp = false
  const address = `${server.baseUrl.replace('http://', 'http://user:secret@')}?key=secret&region=eu`
  await run('run', suite, '--models', 'small', '--base-url', address)
  isUp = true
  const sent = server.stats().requests
  expect(await run('resume', 'latest')).toMatchObject({
    exitCode: 2,
    err: expect.stringContaining(
      `the address ${server.baseUrl}?region=eu is stored without what may be secret in it (user name and password, key); give the whole address again (--base-url)`,
    ),
  })
  expect(server.stats().requests).toBe(sent)
  expect((await run('resume', 'latest', '--base-url', address)).exitCode).toBe(0)
  expect(server.requests.at(-1)?.query).toBe('key=secret&region=eu')
})
