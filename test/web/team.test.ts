import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { expectNoSidewaysScroll, findViolations, makeDataFolder, openBrowser, removeFolder } from './app.ts'
import { builtProgram } from '../../src/cli/testing/built-program.ts'

const data = makeDataFolder()
const env = {
  ...process.env,
  CI: 'true',
  BENCHMAKER_KEY_STORE: 'file',
  BENCHMAKER_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
}
const PASSWORD = 'correct horse battery'

let browser: Browser
let server: ChildProcess
let origin: string
beforeAll(async () => {
  server = spawn(process.execPath, [builtProgram, 'serve', '--team', '--json', '--data', data, '--port', '0'], {
    stdio: ['ignore', 'pipe', 'ignore'],
    env,
  })
  for await (const line of createInterface({ input: server.stdout! })) {
    origin = String(Object(JSON.parse(line))['url'])
    break
  }
  browser = await openBrowser()
})
afterAll(async () => {
  await browser.close()
  const ended = once(server, 'exit')
  server.kill('SIGTERM')
  await ended
  removeFolder(data)
})

const pictures = process.env['BENCHMAKER_TEAM_PICTURES']

/** No serious finding, no sideways scroll, wide and narrow, light and dark. */
async function inspect(page: Page, name: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1440, 375]) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' })
      await page.setViewportSize({ width, height: 900 })
      await expectNoSidewaysScroll(page)
      expect(await findViolations(page)).toEqual([])
      if (pictures)
        await page.screenshot({ path: join(pictures, `${name}-${width}-${colorScheme}.png`), fullPage: true })
    }
  await page.setViewportSize({ width: 1440, height: 900 })
}

const dropHere = 'Drop to preview before anything is saved'

async function dragFile(page: Page): Promise<void> {
  await page.evaluate(`{
    const dataTransfer = new DataTransfer()
    dataTransfer.items.add(new File(['{}'], 'suite.json'))
    document.querySelector('h1').dispatchEvent(new DragEvent('dragover', { dataTransfer, bubbles: true }))
  }`)
}

it('the first admin accepts an invitation, invites a viewer, sets budgets and reads the log', async () => {
  const invited = execFileSync(
    process.execPath,
    [builtProgram, 'invite', 'ada@example.org', '--role', 'admin', '--url', origin, '--data', data, '--json'],
    { env, encoding: 'utf8' },
  )
  const link = String(Object(JSON.parse(invited))['link'])
  const errors: string[] = []
  const context = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  context.on('weberror', (error) => errors.push(error.error().message))
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()

  await page.goto(origin)
  await page.getByRole('heading', { name: 'Sign in' }).waitFor()
  await inspect(page, 'sign-in')
  await page.getByLabel('E-mail address or name').fill('ada@example.org')
  await page.getByLabel('Password').fill('not the password')
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByText('The e-mail address or the password is wrong.').waitFor()

  await page.goto(link)
  await page.getByText('as an admin').waitFor()
  await inspect(page, 'invitation')
  await page.getByLabel('Your name').fill('Ada Lovelace')
  await page.getByLabel('Password').fill(PASSWORD)
  await page.getByRole('button', { name: 'Create account' }).click()
  await page.getByRole('button', { name: 'Sign out' }).first().waitFor()

  await page.goto(`${origin}/settings`)
  await page.getByRole('link', { name: 'Manage the team' }).click()
  await page.getByLabel('Role of Ada Lovelace').waitFor()
  await page.getByLabel('E-mail address or name').fill('vera@example.org')
  await page.getByLabel('Role', { exact: true }).selectOption('viewer')
  await page.getByRole('button', { name: 'Invite' }).click()
  const viewerLink = (await page.getByText(`${origin}/invitation#`).textContent()) ?? ''
  await page.getByLabel('Project', { exact: true }).fill('Atlas')
  await page.getByLabel('Monthly budget, $').fill('250')
  await page.getByRole('button', { name: 'Set budget' }).click()
  await page.getByLabel('Monthly budget of Atlas in dollars').waitFor()
  await page.getByLabel('Monthly budget of Ada Lovelace in dollars').fill('40')
  await page.keyboard.press('Enter')
  await page
    .getByText(/\$40(?:\.00)? left/)
    .first()
    .waitFor({ state: 'attached' })
  await page.getByRole('cell', { name: 'person invited' }).first().waitFor()
  await inspect(page, 'team')

  const viewer = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' })
  viewer.on('weberror', (error) => errors.push(error.error().message))
  viewer.setDefaultTimeout(60_000)
  const theirs = await viewer.newPage()
  await theirs.goto(viewerLink)
  await theirs.getByLabel('Your name').fill('Vera')
  await theirs.getByLabel('Password').fill(PASSWORD)
  await theirs.getByRole('button', { name: 'Create account' }).click()
  await theirs.getByRole('heading', { name: 'Results' }).waitFor()
  expect(await theirs.getByRole('link', { name: 'Arena', exact: true }).count()).toBe(0)
  expect(await theirs.getByRole('button', { name: 'Import' }).count()).toBe(0)
  await theirs.goto(`${origin}/suites`)
  await theirs.getByText('First look').first().waitFor()
  expect(await theirs.getByRole('link', { name: 'New suite' }).count()).toBe(0)
  await page.goto(`${origin}/suites`)
  await page.getByText('First look').first().waitFor()
  await dragFile(page)
  await page.getByText(dropHere).waitFor()
  await dragFile(theirs)
  await inspect(theirs, 'viewer-suites')
  expect(await theirs.getByText(/Drop /).count()).toBe(0)
  await theirs.goto(`${origin}/suites/example-first-look`)
  await expect.poll(() => theirs.getByLabel('Prompt', { exact: true }).isDisabled()).toBe(true)
  expect(await theirs.getByRole('button', { name: 'Add case' }).count()).toBe(0)
  await theirs.goto(`${origin}/judges`)
  await theirs.getByText('No calibrations yet.').waitFor()
  expect(await theirs.getByRole('heading', { name: 'Calibrate a judge' }).count()).toBe(0)
  await theirs.goto(`${origin}/settings/team`)
  await theirs.getByText('Only admins can use this screen.').waitFor()
  await theirs.getByRole('button', { name: 'Sign out' }).first().click()
  await theirs.getByRole('heading', { name: 'Sign in' }).waitFor()
  await theirs.getByLabel('E-mail address or name').fill('vera@example.org')
  await theirs.getByLabel('Password').fill(PASSWORD)
  await theirs.getByRole('button', { name: 'Sign in' }).click()
  await theirs.getByText('Only admins can use this screen.').waitFor()

  await theirs.getByRole('link', { name: 'Vera' }).first().click()
  await theirs.getByText('No tokens yet.').waitFor()
  expect(await theirs.getByLabel('Role', { exact: true }).locator('option').allTextContents()).toEqual(['Viewer'])
  await theirs.getByLabel('Name', { exact: true }).fill('Nightly CI')
  await theirs.getByRole('button', { name: 'Create token' }).click()
  const token = (await theirs.getByText(/^benchmaker_/).textContent()) ?? ''
  await theirs.getByText('never used').waitFor()
  await inspect(theirs, 'account')
  const use = async (path: string) =>
    (await fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } })).status
  expect([await use('/api/runs'), await use('/api/team')]).toEqual([200, 403])
  await theirs.reload()
  await theirs.getByText(/^last used/).waitFor()
  expect(await theirs.getByText(token).count()).toBe(0)
  await theirs.getByRole('button', { name: 'Revoke Nightly CI' }).click()
  await theirs.getByText('No tokens yet.').waitFor()
  expect(await use('/api/runs')).toBe(401)

  const elsewhere = await browser.newContext()
  elsewhere.setDefaultTimeout(60_000)
  const other = await elsewhere.newPage()
  await other.goto(`${origin}/suites`)
  await other.getByLabel('E-mail address or name').fill('vera@example.org')
  await other.getByLabel('Password').fill(PASSWORD)
  await other.getByRole('button', { name: 'Sign in' }).click()
  await other.getByText('First look').first().waitFor()
  await theirs.getByRole('button', { name: 'Sign out everywhere' }).click()
  await theirs.getByRole('heading', { name: 'Sign in' }).waitFor()
  await other.reload()
  await other.getByRole('heading', { name: 'Sign in' }).waitFor()
  expect(errors).toEqual([])
})
