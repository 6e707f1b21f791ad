/**
 * Draws every picture of the product in docs/images anew, from the real program with simulated models:
 * `node tools/screenshots.ts [folder]`. It builds the program first; `--no-build` takes dist/ as it is.
 *
 * Screens are opened by their addresses, and runs are made on the command line, so that a button that moves or is
 * renamed does not break it.
 */
import { spawnSync } from 'node:child_process'
import { mkdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { makeDataFolder, openBrowser, removeFolder, signIn, startApp } from '../test/web/app.ts'

// Only the pages of simulated models are opened, and many machines that draw pictures have no sandbox.
process.env['BENCHMAKER_CHROMIUM_SANDBOX'] ??= 'off'

const root = join(import.meta.dirname, '..')
const args = process.argv.slice(2)
const folder = resolve(args.find((arg) => !arg.startsWith('--')) ?? join(root, 'docs/images'))
const VIEWPORT = { width: 1440, height: 900 }
const SUITE = join(root, 'examples/first-look/suite.yaml')

/** Time for previews of pages, which load in frames of their own. */
const SETTLE_MS = 2500

/** A run may end with 3: some answers of the example cannot be scored. */
function runNode(...command: string[]): string {
  const { status, stdout } = spawnSync(process.execPath, command, {
    cwd: root,
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  if (status !== 0 && status !== 3) throw new Error(`${command.join(' ')} ended with ${status}`)
  return stdout
}

if (!args.includes('--no-build')) runNode('tools/build.ts')
mkdirSync(folder, { recursive: true })
const data = makeDataFolder()

/** Makes a run and returns its ids, first run first. */
function makeRuns(...command: string[]): { id: string; seriesId?: string }[] {
  const document: { runs: { id: string; seriesId?: string }[] } = JSON.parse(
    runNode('dist/cli.js', ...command, '--json', '--data', data),
  )
  return document.runs
}

// The run that the README shows in the terminal.
const first12 = join(data, 'suite.yaml')
runNode('dist/cli.js', 'init', first12)
const [shown] = makeRuns('run', first12)
const [single] = makeRuns('run', SUITE, '--name', 'Baseline')
const [first] = makeRuns('run', SUITE, '--repeat', '3', '--name', 'Three runs')
const [pages] = makeRuns(
  'arena',
  'A pricing page with three plans and a monthly or yearly switch',
  '--judge',
  'demo/judge',
)
if (!shown || !single || !first?.seriesId || !pages) throw new Error('a run is missing')

for (const options of [[], ['--preset', 'faithfulness'], ['--samples', 'facts']])
  runNode('dist/cli.js', 'calibrate', 'demo/judge', ...options, '--json', '--data', data)
const [{ id: calibration }]: [{ id: string }] = JSON.parse(
  runNode('dist/cli.js', 'calibrate', 'demo/judge', '--history', '--json', '--data', data),
)
const { id: audit }: { id: string } = JSON.parse(
  runNode('dist/cli.js', 'audit', 'demo/judge-wordy', '--json', '--data', data),
)

const series = `series:${first.seriesId}`
const pictures: Record<string, string> = {
  arena: '/arena',
  results: `/results/${shown.id}`,
  'code-arena': `/code-arena/${pages.id}?names=shown`,
  compare: `/compare?${new URLSearchParams({ a: single.id, b: series }).toString()}`,
  suites: '/suites',
  judges: '/judges',
  calibration: `/judges/${encodeURIComponent(calibration)}`,
  audit: `/judges/audits/${audit}`,
}

// Its pages were inspected above: this server opens none, and need not warn that it would.
const app = await startApp({ data, env: { BENCHMAKER_CHROMIUM_SANDBOX: 'on' } })
const browser = await openBrowser()
try {
  const { page } = await signIn(browser, app, { viewport: VIEWPORT, colorScheme: 'light' })
  page.setDefaultTimeout(120_000)
  for (const [name, address] of Object.entries(pictures)) {
    await page.goto(app.origin + address)
    await page.getByRole('heading', { level: 1 }).first().waitFor()
    await page.waitForLoadState('networkidle')
    await page.locator('[aria-busy="true"]').first().waitFor({ state: 'detached' })
    await page.getByText('Assembling the page').first().waitFor({ state: 'detached' })
    await wait(SETTLE_MS)
    await page.screenshot({ path: join(folder, `${name}.png`) })
    process.stdout.write(`${join(folder, `${name}.png`)}\n`)
    if (name !== 'results') continue
    await page.emulateMedia({ colorScheme: 'dark' })
    await page.screenshot({ path: join(folder, 'results-dark.png') })
    await page.emulateMedia({ colorScheme: 'light' })
  }
} finally {
  await browser.close()
  await app.stop()
  removeFolder(data)
}
