import { readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { findChromium } from '../../src/preview/index.ts'
import { installPackage, makeFolder, pack, run } from './install.ts'

const folder = makeFolder()
const data = join(folder, 'data')

beforeAll(() => installPackage(folder))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

async function benchmaker(...args: string[]): Promise<{ stdout: string; stderr: string }> {
  const env = {
    ...process.env,
    BENCHMAKER_CHROMIUM: await findChromium(),
    BENCHMAKER_CHROMIUM_SANDBOX: 'off',
    npm_config_offline: 'true',
  }
  const program = join(folder, 'node_modules/benchmaker/bin/benchmaker')
  return run(program, [...args, '--data', data], { cwd: folder, env, maxBuffer: 1e8 })
}

/** Makes two pages; returns how many pictures the report has, and what the program says. */
async function makePages(): Promise<{ pictures: number; says: string }> {
  const report = join(folder, 'report.html')
  const { stderr } = await benchmaker('arena', 'A pricing page', '--models', 'demo/good,demo/poor', '--out', report)
  return { pictures: readFileSync(report, 'utf8').split('data:image/png').length - 1, says: stderr }
}

it('the installed package takes screenshots once benchmaker-previews is installed from files', async () => {
  const before = await makePages()
  expect(before.says).toMatch(/need\s+the\s+package\s+benchmaker-previews[^:]*run:\s+benchmaker\s+install\s+previews/)
  expect(before.pictures).toBe(0)
  const files = [await pack('packages/previews', folder), await pack('node_modules/playwright-core', folder)]
  const { stdout } = await benchmaker('install', 'previews', ...files)
  expect(stdout).toContain(`is installed: ${join(data, 'previews/node_modules/benchmaker-previews/dist')}`)
  const after = await makePages()
  expect(after.says).not.toContain('benchmaker-previews')
  // Three widths and one after use, of each page.
  expect(after.pictures).toBeGreaterThanOrEqual(8)
})
