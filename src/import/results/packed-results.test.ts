import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { afterAll, describe, expect, it } from 'vitest'
import { importSuite } from '../index.ts'
import { readResults } from './read-results.ts'
import { makeZip } from './testing/zip-file.ts'
import { useTemporaryFolder } from '../../../test/temporary-folder.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-packed-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))
const listLeft = useTemporaryFolder()

function write(name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}
const read = (name: string, content: string | Buffer) => readResults(write(name, content), { now: 0 })
const idsOf = async (results: ReturnType<typeof read>) => (await results).runs.map(({ id }) => id)

const table = 'id,model,score\na,m,1\nb,m,0\n'
const archive = makeZip([
  {
    name: 'header.json',
    content: JSON.stringify({ version: 2, status: 'success', eval: { task: 't', model: 'm' } }),
  },
  {
    name: 'samples/1_epoch_1.json',
    content: JSON.stringify({ id: 1, epoch: 1, input: 'q', target: 'a', scores: { s: { value: 'C' } } }),
  },
])

describe('a results file in gzip', () => {
  it('is the run that its plain file is, whose id is that of its bytes', async () => {
    const plain = await idsOf(read('a.csv', table))
    expect(plain).toEqual(['table-3941242d64d8'])
    expect(await idsOf(read('a.csv.gz', gzipSync(table)))).toEqual(plain)
    expect(await idsOf(read('b.csv.gz', gzipSync(table, { level: 1 })))).toEqual(plain)
    const utf16 = Buffer.from(`\uFEFF${table}`, 'utf16le')
    expect(await idsOf(read('c.csv', utf16))).toEqual(['table-0778dbf9b292'])
    expect(await idsOf(read('c.csv.gz', gzipSync(utf16)))).toEqual(['table-0778dbf9b292'])
  })

  it('may be an archive, of which nothing is left behind', async () => {
    const plain = await idsOf(read('x.eval', archive))
    expect(await idsOf(read('x.eval.gz', gzipSync(archive)))).toEqual(plain)
    await expect(read('cut.eval.gz', gzipSync(archive).subarray(0, -20))).rejects.toThrow(/cut off/)
    expect(listLeft()).toEqual([])
  })
})

describe('UTF-16 without a byte order mark', () => {
  const inUtf16 = (text: string) => Buffer.from(text, 'utf16le')
  it.each([
    ['little endian', 'le.csv', inUtf16(table)],
    ['big endian', 'be.csv', inUtf16(table).swap16()],
    ['JSON', 'a.json', inUtf16('{"results": []}')],
    ['gzip', 'le.csv.gz', gzipSync(inUtf16(table))],
  ])('%s is refused in words', async (_, name, content) => {
    await expect(read(name, content)).rejects.toThrow(/is UTF-16 text without a byte order mark; save it as UTF-8$/)
  })

  it('is refused in suites too', async () => {
    const path = write('suite.json', inUtf16('{"name": "S", "testCases": []}'))
    await expect(importSuite(path)).rejects.toThrow(/suite\.json: is UTF-16 text without a byte order mark; save it/)
  })
})
