import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'

/**
 * Keeps the tests, and the programs they start, away from the user's data, keys and database. The variables are empty
 * and not deleted, because a `.env` file would set them again.
 */
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-home-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

process.env['BENCHMAKER_HOME'] = join(folder, 'data')
process.env['BENCHMAKER_KEY_STORE'] = 'file'
// Programs that tests start from their source start twice as quickly. The built program compiles into the same folder.
process.env['NODE_COMPILE_CACHE'] = join(tmpdir(), 'node-compile-cache')
// Not every machine that runs the tests has a sandbox for Chromium. `test/preview/browser-safety.test.ts` tests it.
process.env['BENCHMAKER_CHROMIUM_SANDBOX'] = 'off'
for (const name of [
  'BENCHMAKER_API_KEY',
  'BENCHMAKER_DATABASE_URL',
  'ANTHROPIC_API_KEY',
  'GEMINI_API_KEY',
  'GOOGLE_API_KEY',
  'OLLAMA_BASE_URL',
  'OPENAI_API_KEY',
  'OPENROUTER_API_KEY',
])
  process.env[name] = ''
