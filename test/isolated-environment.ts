import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll } from 'vitest'
import { vendors } from '../src/contract/ports/vendors.ts'

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
for (const name of ['BENCHMAKER_API_KEY', 'BENCHMAKER_DATABASE_URL', 'OLLAMA_BASE_URL']) process.env[name] = ''
for (const vendor of vendors)
  for (const name of [...vendor.variables, ...('settings' in vendor ? vendor.settings : [])]) process.env[name] = ''
