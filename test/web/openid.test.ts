import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openBrowser, removeFolder, startApp, type App } from './app.ts'
import { startOpenIdProvider, type OpenIdProvider } from '../../src/server/testing/openid-provider.ts'

let app: App
let browser: Browser
let provider: OpenIdProvider
beforeAll(async () => {
  // Another site than the server's, as it is for every team: browsers treat cookies differently then.
  provider = await startOpenIdProvider(() => `${app.origin}/auth/callback`, 'localhost')
  provider.person = { sub: 'ada', email: 'ada@example.org', name: 'Ada Lovelace', groups: ['staff'] }
  const env = {
    BENCHMAKER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    BENCHMAKER_OIDC_ISSUER: provider.issuer,
    BENCHMAKER_OIDC_CLIENT_ID: 'benchmaker',
    BENCHMAKER_OIDC_CLIENT_SECRET: 'a-secret-of-the-client-and-the-provider',
    BENCHMAKER_OIDC_RUNNER_GROUPS: 'staff',
  }
  ;[app, browser] = await Promise.all([startApp({ env }), openBrowser()])
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await provider.close()
  removeFolder(app.data)
})

it('a person signs in at the provider, gets to the screen that was asked for, and signs out', async () => {
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  const errors: string[] = []
  context.on('weberror', (error) => errors.push(error.error().message))
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  await page.goto(`${app.origin}/suites`)
  await page.getByRole('link', { name: /^Continue with/ }).click()
  await page.getByRole('heading', { name: 'Suites', level: 1 }).waitFor()
  await page.getByText('Ada Lovelace').first().waitFor()
  await page.reload()
  await page.getByText('Ada Lovelace').first().waitFor()
  await page.getByRole('button', { name: 'Sign out' }).first().click()
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(errors).toEqual([])
})
