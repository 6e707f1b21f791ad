import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { readSecretFiles } from './secret-files.ts'

const folder = mkdtempSync(join(tmpdir(), 'benchmaker-secrets-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

function write(name: string, text: string): string {
  const file = join(folder, name)
  writeFileSync(file, text)
  return file
}

it('reads the secrets that are given as files, without the line break that editors add', () => {
  const url = write('url', 'postgres://a:b@c/d\n')
  expect(readSecretFiles({ BENCHMAKER_DATABASE_URL_FILE: url, OPENAI_API_KEY_FILE: write('key', 'sk-1') })).toEqual({
    BENCHMAKER_DATABASE_URL: 'postgres://a:b@c/d',
    OPENAI_API_KEY: 'sk-1',
  })
  expect(readSecretFiles({ BENCHMAKER_DATABASE_URL_FILE: '', HOME_FILE: url })).toEqual({})
})

it('refuses a file that is missing or empty, and a secret that is given twice, without showing it', () => {
  const refuse = (env: Record<string, string>) => expect(() => readSecretFiles(env))
  refuse({ OPENAI_API_KEY_FILE: join(folder, 'none') }).toThrow(
    /OPENAI_API_KEY_FILE is .*none, which cannot be read \(ENOENT\)/,
  )
  refuse({ OPENAI_API_KEY_FILE: write('empty', '\n') }).toThrow(/which is empty/)
  refuse({ OPENAI_API_KEY_FILE: 'x', OPENAI_API_KEY: 'sk-2' }).toThrow(
    /^OPENAI_API_KEY and OPENAI_API_KEY_FILE are both set: keep one of them$/,
  )
})
