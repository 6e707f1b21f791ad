import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { checkExportFiles } from './report-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-exports-'))
afterAll(() => rmSync(folder, { recursive: true }))
const inFolder = (name: string) => join(folder, name)

describe('files to export to', () => {
  it('may be new or already exist', async () => {
    writeFileSync(inFolder('old.csv'), '')
    await expect(checkExportFiles([inFolder('new.json'), inFolder('old.csv'), 'here.md'])).resolves.toBeUndefined()
  })
  it('are refused before anything runs if they cannot be written', async () => {
    mkdirSync(inFolder('results.json'))
    writeFileSync(inFolder('plain'), '')
    await expect(checkExportFiles([inFolder('r.pdf')])).rejects.toThrow(
      /r\.pdf: unknown extension; use one of \.html, /,
    )
    await expect(checkExportFiles([inFolder('none/deep/x.json')])).rejects.toThrow(
      /there is no folder .*none\/deep\nCreate it first/,
    )
    await expect(checkExportFiles([inFolder('results.json')])).rejects.toThrow(/it is a folder/)
    await expect(checkExportFiles([inFolder('plain/x.json')])).rejects.toThrow(
      /x\.json cannot be written: .*plain is not a folder/,
    )
  })
  it.skipIf(process.getuid?.() === 0)(
    `are refused without write permission${process.getuid?.() === 0 ? ' (skipped: root may write everywhere)' : ''}`,
    async () => {
      writeFileSync(inFolder('locked.json'), '')
      chmodSync(inFolder('locked.json'), 0o400)
      await expect(checkExportFiles([inFolder('locked.json')])).rejects.toThrow(/permission denied/)
    },
  )
})
