import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { readEnvironmentFile } from './environment-file.ts'

let folder: string
let file: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'benchmaker-env-'))
  file = join(folder, '.env')
})
afterEach(() => rmSync(folder, { recursive: true }))

const read = (text: string | Uint8Array, environment: Record<string, string> = {}) => {
  writeFileSync(file, text)
  return readEnvironmentFile(file, environment)
}

describe('an .env file', () => {
  it('gives only the keys of vendors', () => {
    expect(read('OPENAI_API_KEY=a\nGEMINI_API_KEY=b\nEDITOR=vi\nDATABASE_URL=postgres://x\n')).toEqual({
      keys: { OPENAI_API_KEY: 'a', GEMINI_API_KEY: 'b' },
      warnings: [],
    })
  })
  it.each([
    'BENCHMAKER_CHROMIUM',
    'BENCHMAKER_DATABASE_URL',
    'BENCHMAKER_HOME',
    'BENCHMAKER_API_KEY',
    'BENCHMAKER_ANYTHING_NEW',
    'OLLAMA_BASE_URL',
    'OPENAI_BASE_URL',
    'NODE_OPTIONS',
    'NODE_TLS_REJECT_UNAUTHORIZED',
    'HTTPS_PROXY',
    'https_proxy',
    'LD_PRELOAD',
    'PGHOST',
  ])('that sets %s is not obeyed, and a warning says so', (name) => {
    const { keys, warnings } = read(`${name}=./x\n`)
    expect(keys).toEqual({})
    expect(warnings).toEqual([expect.stringMatching(new RegExp(`: ${name} is ignored: only OPENROUTER_API_KEY, `))])
  })
  it('never replaces a key of the environment, not even by the vendor’s other variable', () => {
    const text = 'GOOGLE_API_KEY=theirs\nOPENAI_API_KEY=theirs\nANTHROPIC_API_KEY=theirs\n'
    expect(read(text, { GEMINI_API_KEY: 'mine', OPENAI_API_KEY: 'mine', ANTHROPIC_API_KEY: '  ' }).keys).toEqual({
      ANTHROPIC_API_KEY: 'theirs',
    })
  })
  it('may have quotes, export, CRLF, comments and a byte order mark', () => {
    const text = '\uFEFFOPENAI_API_KEY="a b"\r\nexport ANTHROPIC_API_KEY=\'c\'\r\n# note\r\nGOOGLE_API_KEY = d # e\r\n'
    expect(read(text)).toEqual({
      keys: { OPENAI_API_KEY: 'a b', ANTHROPIC_API_KEY: 'c', GOOGLE_API_KEY: 'd' },
      warnings: [],
    })
  })
  it.each([
    ['UTF-16', Buffer.from('\uFEFFOPENAI_API_KEY=a\n', 'utf16le')],
    ['UTF-16 without a mark', Buffer.from('OPENAI_API_KEY=a\n', 'utf16le')],
    ['Latin-1', Buffer.from('# schlüssel\nOPENAI_API_KEY=a\n', 'latin1')],
  ])('in %s is not read, with a warning', (_name, bytes) => {
    expect(read(bytes)).toEqual({ keys: {}, warnings: [expect.stringContaining('is not UTF-8 text')] })
  })
  it('may be missing', () => {
    expect(readEnvironmentFile(file, {})).toEqual({ keys: {}, warnings: [] })
  })
  it('that is a folder, a pipe, a device or huge is not read, and nothing waits for it', () => {
    mkdirSync(file)
    expect(readEnvironmentFile(file, {}).warnings).toEqual([expect.stringContaining('is not read')])
    rmSync(file, { recursive: true })
    execFileSync('sh', ['-c', 'mkfifo "$0"', file])
    expect(readEnvironmentFile(file, {}).warnings).toEqual([expect.stringContaining('not a regular file')])
    rmSync(file)
    symlinkSync('/dev/zero', file)
    expect(readEnvironmentFile(file, {}).warnings).toEqual([expect.stringContaining('not a regular file')])
    rmSync(file)
    writeFileSync(file, 'OPENAI_API_KEY=a\n')
    truncateSync(file, 2 ** 30)
    expect(readEnvironmentFile(file, {}).warnings).toEqual([expect.stringContaining('larger than')])
  })
  it('may be a link to a regular file; a broken one is like none', () => {
    symlinkSync(join(folder, 'keys'), file)
    expect(readEnvironmentFile(file, {})).toEqual({ keys: {}, warnings: [] })
    writeFileSync(join(folder, 'keys'), 'OPENAI_API_KEY=a\n')
    expect(readEnvironmentFile(file, {}).keys).toEqual({ OPENAI_API_KEY: 'a' })
  })
  it('with a name such as __proto__ does no harm', () => {
    expect(read('__proto__=x\nconstructor=y\nOPENAI_API_KEY=a\n')).toEqual({
      keys: { OPENAI_API_KEY: 'a' },
      warnings: [],
    })
  })
})
