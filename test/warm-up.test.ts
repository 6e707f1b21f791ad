import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { warmUp } from '../tools/warm-up.ts'

const root = join(import.meta.dirname, '..')

describe('the first run after a build', () => {
  let folder: string | undefined
  afterEach(() => {
    vi.unstubAllEnvs()
    if (folder !== undefined) rmSync(folder, { recursive: true, force: true })
  })

  it('succeeds, and touches no data but its own', async () => {
    folder = mkdtempSync(join(tmpdir(), 'benchmaker-not-touched-'))
    vi.stubEnv('BENCHMAKER_HOME', folder)
    vi.stubEnv('BENCHMAKER_DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none')
    expect(await warmUp(root, join(root, 'dist'))).toBe(0)
    expect(readdirSync(folder)).toEqual([])
    expect(readdirSync(join(root, 'dist/compile-cache'))).toContain('usual')
  })
})
