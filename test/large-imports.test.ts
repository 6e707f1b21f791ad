import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, afterEach, describe, expect, it, vi } from 'vitest'
import { makeLargeArchive, makeLargeTable } from '../src/import/results/testing/large-files.ts'
import { importResults, openStorage } from '../src/index.ts'
import { importRoutes } from '../src/server/imports/routes.ts'
import { startRouteServer } from '../src/server/testing/route-server.ts'
import { isLong } from './scaled.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-large-imports-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
afterEach(() => vi.unstubAllEnvs())

/** A few megabytes on disk, some gigabytes after unpacking. */
const files: (readonly [string, () => Buffer])[] = [
  ['large.eval', makeLargeArchive],
  ...(isLong ? [['large.csv.gz', makeLargeTable] as const] : []),
]
const REFUSAL =
  /takes more than [\d.]+ MB of memory, so nothing was imported; split it into smaller files, or allow more/

/** Refused sooner: the program reads on until half a gigabyte is full otherwise. */
const allowLess = () => vi.stubEnv('BENCHMAKER_IMPORT_GB', '0.5')

describe.each(files)('%s', (name, make) => {
  const path = join(folder, name)
  writeFileSync(path, make())

  it('is refused by the program, which ends with 2', { timeout: 300_000 }, async () => {
    const program = join(import.meta.dirname, '..', 'dist', 'cli.js')
    const child = spawn(process.execPath, [program, 'import', path, '--data', join(folder, 'data')])
    let printed = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => (printed += text))
    const [code]: unknown[] = await once(child, 'close')
    expect(printed).toMatch(REFUSAL)
    expect(printed).toContain('512.0 MB')
    expect(code).toBe(2)
  })

  it('is refused by the library, which stores nothing', { timeout: 120_000 }, async () => {
    allowLess()
    const storage = await openStorage({ file: ':memory:' })
    await expect(importResults(path, { storage })).rejects.toThrow(REFUSAL)
    expect(await storage.listRuns()).toEqual([])
    await storage.close()
  })

  it('is refused by the web app, which works on and removes the upload', { timeout: 120_000 }, async () => {
    allowLess()
    const server = await startRouteServer([importRoutes])
    const post = (route: string, content: Buffer | string, query: Record<string, string>) =>
      server.request(`${route}?${new URLSearchParams(query)}`, {
        method: 'POST',
        headers: { 'content-type': 'application/octet-stream' },
        body: content,
      })
    const replies = await Promise.all([
      post('/imports/preview', make(), { name }),
      post('/imports', make(), { name }),
      post('/imports', 'id,score\n1,1\n', { name: 'a.csv' }),
    ])
    const [, refused] = replies
    expect(replies.map(({ status }) => status)).toEqual([422, 422, 201])
    expect(await refused!.json()).toMatchObject({ error: { message: expect.stringMatching(REFUSAL) } })
    expect(readdirSync(join(server.dataFolder, 'uploads'))).toEqual([])
    await server.close()
  })
})
