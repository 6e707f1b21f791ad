import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { startModelServer } from '../../../test/fakes/model-server.ts'
import { openStorage } from '../../storage/index.ts'
import { runProgram } from '../program.ts'
import { recallEndpoint, rememberEndpoint } from './run-endpoint.ts'

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

async function run(...args: string[]) {
  let err = ''
  const exitCode = await runProgram([...args, '--data', join(folder, 'data')], {
    stdout: { write: () => undefined },
    stderr: { write: (text) => (err += text) },
    columns: 120,
    colour: false,
    progress: false,
  })
  return { exitCode, err }
}

it('resume asks through the base URL that the run was made with', async () => {
  expect((await run('run', suite, '--models', 'small', '--base-url', server.baseUrl)).exitCode).toBe(3)
  isUp = true
  expect(await run('resume', 'latest')).toMatchObject({
    exitCode: 0,
    err: expect.stringContaining('1 asked (1 of them had ended in error)'),
  })
})

it('an address that may hold a key is not kept', async () => {
  const storage = await openStorage({ file: ':memory:' })
  for (const [index, baseUrl] of [
    'http://user:secret@127.0.0.1/v1',
    'http://127.0.0.1/v1?key=secret',
    undefined,
  ].entries()) {
    await rememberEndpoint(storage, `r${index}`, baseUrl)
    expect(await recallEndpoint(storage, `r${index}`)).toBeUndefined()
  }
  await rememberEndpoint(storage, 'r', 'http://127.0.0.1/v1')
  expect(await recallEndpoint(storage, 'r')).toBe('http://127.0.0.1/v1')
  await storage.close()
})
