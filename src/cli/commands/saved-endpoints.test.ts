import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { startModelServer, type ModelServer } from '../../../test/fakes/model-server.ts'
import { endpointKeyName, saveEndpoint } from '../../settings/index.ts'
import { openData, openKeys } from '../compose.ts'
import { runCli } from '../testing/run-cli.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-endpoints-'))
const data = join(folder, 'data')
const suite = join(folder, 'suite.yaml')
let models: ModelServer

/** Saves an endpoint as the web app's Settings do. */
async function save(name: string, baseUrl: string, key?: string): Promise<void> {
  const storage = await openData(data, {})
  await saveEndpoint(storage, { name, baseUrl })
  await storage.close()
  if (key !== undefined) await openKeys(data, { BENCHMAKER_KEY_STORE: 'file' }).set(endpointKeyName(name), key)
}

const run = (...args: string[]) => runCli(args)

beforeAll(async () => {
  vi.stubEnv('BENCHMAKER_HOME', data)
  models = await startModelServer({ models: ['small'], answer: () => '4' })
  writeFileSync(
    suite,
    'name: Sums\ntestCases:\n  - { id: a, prompt: 2+2?, scoringMethod: exact-match, expectedOutput: 4 }\n',
  )
})
afterAll(async () => {
  vi.unstubAllEnvs()
  await models.close()
  rmSync(folder, { recursive: true })
})

describe('an endpoint saved in the web app', () => {
  it('that does not exist is an error, and looking for it creates nothing', async () => {
    expect(await run('run', suite, '--models', 'lab/small')).toMatchObject({
      exitCode: 2,
      err: expect.stringContaining('No key for the model "lab/small"'),
    })
    expect(existsSync(data)).toBe(false)
  })
  it('serves its models, with its key and without its prefix', async () => {
    await save('lab', models.baseUrl, 'key-of-the-lab')
    expect(await run('run', suite, '--models', 'lab/small')).toMatchObject({ exitCode: 0 })
    const [{ model, headers }] = models.requests as [(typeof models.requests)[number]]
    expect([model, headers['authorization']]).toEqual(['small', 'Bearer key-of-the-lab'])
  })
  it('is not used when a base URL is set', async () => {
    models.reset()
    const other = await startModelServer({ answer: () => '4' })
    expect(await run('run', suite, '--models', 'lab/small', '--base-url', other.baseUrl)).toMatchObject({ exitCode: 0 })
    expect([models.stats().requests, other.stats().byModel]).toEqual([0, { 'lab/small': 1 }])
    await other.close()
  })
  it('is listed by models; an unreachable one is reported and left out', async () => {
    const off = await startModelServer()
    await save('off', off.baseUrl)
    await off.close()
    const { exitCode, out, err } = await run('models', '--json')
    const ids = JSON.parse(out).models.map(({ id }: { id: string }) => id)
    expect([exitCode, ids]).toEqual([0, expect.arrayContaining(['lab/small', 'demo/good'])])
    expect(err).toMatch(/^warning: off: /)
    expect(await run('models', '--provider', 'off')).toMatchObject({ exitCode: 2, out: '' })
  })
})
