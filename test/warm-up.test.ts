import { cpSync, mkdtempSync, readdirSync, rmSync, symlinkSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { warmUp } from '../tools/warm-up.ts'

const root = join(import.meta.dirname, '..')
let copy: string
let home: string
beforeEach(() => {
  copy = mkdtempSync(join(tmpdir(), 'benchmaker-built-'))
  home = mkdtempSync(join(tmpdir(), 'benchmaker-not-touched-'))
  cpSync(join(root, 'bin'), join(copy, 'bin'), { recursive: true })
  cpSync(join(root, 'package.json'), join(copy, 'package.json'))
  for (const file of readdirSync(join(root, 'dist')).filter((name) => name.endsWith('.js')))
    cpSync(join(root, 'dist', file), join(copy, 'dist', file))
  symlinkSync(join(root, 'node_modules'), join(copy, 'node_modules'))
})
afterEach(() => {
  vi.unstubAllEnvs()
  for (const folder of [copy, home]) rmSync(folder, { recursive: true, force: true })
})

describe('the first run after a build', () => {
  it('leaves compiled code beside it, and touches no data but its own', async () => {
    vi.stubEnv('BENCHMAKER_HOME', home)
    vi.stubEnv('BENCHMAKER_DATABASE_URL', 'postgres://nobody@127.0.0.1:1/none')
    vi.stubEnv('NODE_COMPILE_CACHE', undefined)
    expect(await warmUp(copy, join(copy, 'dist'))).toBe(0)
    expect(readdirSync(home)).toEqual([])
    const compiled = readdirSync(join(copy, 'dist/compile-cache/usual'), { recursive: true })
    // The folder of this version of Node, and a file for each chunk that a run loads.
    expect(compiled.length).toBeGreaterThan(8)
  })
})
