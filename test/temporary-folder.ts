import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, vi } from 'vitest'

/** Gives each test a temporary folder that no other process writes to; lists what is left in it. */
export function useTemporaryFolder(): () => string[] {
  let folder = ''
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'benchmaker-own-'))
    vi.stubEnv('TMPDIR', folder)
  })
  afterEach(() => {
    vi.unstubAllEnvs()
    rmSync(folder, { recursive: true, force: true })
  })
  return () => readdirSync(folder)
}
