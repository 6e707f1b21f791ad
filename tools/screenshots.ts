/** Takes the README's screenshots of the real program: `node tools/screenshots.ts` after a build. */
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openBrowser, removeFolder, signIn, startApp } from '../test/web/app.ts'

const folder = join(import.meta.dirname, '../docs/images')
mkdirSync(folder, { recursive: true })

const app = await startApp()
const browser = await openBrowser()
const { page } = await signIn(browser, app, { viewport: { width: 1280, height: 800 }, colorScheme: 'light' })

async function take(name: string, target: Page = page): Promise<void> {
  await target.waitForLoadState('networkidle')
  await target.screenshot({ path: join(folder, `${name}.png`) })
}

await page.getByRole('button', { name: 'Run Benchmark' }).waitFor()
await page
  .getByText(/at most \$/)
  .first()
  .waitFor()
await take('arena')

await page.getByRole('button', { name: 'Run several times' }).click()
await page.getByRole('menuitem', { name: /Run 3 times/ }).click()
await page
  .getByText(/run 3 of 3/i)
  .first()
  .waitFor()
await page.getByText('270 of 270').first().waitFor()
await page.getByRole('link', { name: 'See results' }).click()
await page.getByRole('region', { name: 'Multi-Run Analysis' }).waitFor()
await take('results')

await page.goto(`${app.origin}/code-arena`)
await page.getByRole('button', { name: 'Pricing page' }).click()
await page.getByRole('button', { name: 'Run Code Arena' }).click()
await page.waitForURL(/\/code-arena\/.+/)
for (const model of ['demo/good', 'demo/fair', 'demo/poor'])
  await page.getByRole('article', { name: model }).getByText('Judged').waitFor({ timeout: 120_000 })
await page.waitForTimeout(2000)
await take('code-arena')

await browser.close()
await app.stop()
removeFolder(app.data)
