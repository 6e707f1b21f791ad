import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import {
  callApi,
  expectNoSidewaysScroll,
  findViolations,
  openBrowser,
  removeFolder,
  signIn,
  startApp,
  type App,
} from './app.ts'
import { startModelServer, type ModelServer } from '../fakes/model-server.ts'

let app: App
let browser: Browser
let models: ModelServer
let page: Page
let pageErrors: string[]
let runId: string
let suiteId: string

const words = ['apple', 'banana', 'cherry', 'mango', 'nectarine', 'orange', 'papaya', 'quince', 'raspberry', 'tomato']

beforeAll(async () => {
  models = await startModelServer({
    tokenDelayMs: 0,
    cost: 0.001,
    models: ['fake'],
    // Knows only the words up to `m`, unless it is told to think.
    answer: ({ prompt, body }) => {
      const word = /say (\w+)/i.exec(prompt)?.[1] ?? prompt
      return JSON.stringify(body['messages']).includes('Think') || word < 'm' ? word : `not ${word} today`
    },
  })
  ;[app, browser] = await Promise.all([startApp(), openBrowser()])
  ;({ page, pageErrors } = await signIn(browser, app))
  await page.getByRole('heading', { name: 'Arena', level: 1 }).waitFor()
  await callApi(page, app, 'PUT', '/settings/endpoints/local', { name: 'local', baseUrl: models.baseUrl })
  const suite = {
    name: 'Fruit',
    testCases: words.map((word) => ({
      id: word,
      prompt: 'Please say {{word}}',
      vars: { word },
      expectedOutput: '{{word}}',
      scoringMethod: 'exact-match',
    })),
  }
  ;({ id: suiteId } = await callApi<{ id: string }>(page, app, 'POST', '/suites', { suite }))
  ;({ runId } = await callApi<{ runId: string }>(page, app, 'POST', '/runs', { suiteId, models: ['local/fake'] }))
  const readStatus = async () => {
    const { runs }: { runs: { status: string }[] } = await (
      await page.request.get(`${app.origin}/api/runs?limit=1`)
    ).json()
    return runs[0]?.status
  }
  await vi.waitUntil(async () => (await readStatus()) === 'completed', { timeout: 60_000 })
})
afterAll(async () => {
  await browser.close()
  await app.stop()
  await models.close()
  removeFolder(app.data)
})

const region = (name: string) => page.getByRole('region', { name, exact: true })

describe('the playground', () => {
  it('goes from a bad answer to a change, an ask, a verdict and a new variant', async () => {
    await page.goto(`${app.origin}/results/${runId}/case?id=tomato`)
    await page.getByRole('link', { name: 'Try a change' }).click()
    await page.getByRole('heading', { name: 'Try a change', level: 1 }).waitFor()
    await expect.poll(() => region('Before').textContent()).toContain('not tomato today')
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Please say {{word}}')
    expect(await page.getByLabel('Value of variable 1').inputValue()).toBe('tomato')

    // A variable without a value is named before anything is sent.
    await page.getByLabel('Prompt', { exact: true }).fill('Please say {{word}} {{mood}}')
    await page.getByText('{{mood}} has no value').waitFor()
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
    await page.getByRole('button', { name: 'Add variable' }).click()
    await page.getByLabel('Name of variable 2').fill('mood')
    await page.getByLabel('Value of variable 2').fill('Think')
    await page.getByText(/ · 1 answer\b/).waitFor()

    // One case.
    await page.getByLabel('Value of variable 2').press('Control+Enter')
    await page.getByText('One case proves nothing').waitFor()
    await expect.poll(() => region('After').textContent()).toMatch(/100\.0.*passed/)
    expect(await region('Before').textContent()).toMatch(/failed/)
    const diff = page.getByRole('group', { name: 'Difference between the answers' })
    await diff.waitFor()
    expect(await diff.locator('del').allTextContents()).toContain('not ')

    // All cases, with a change that applies to all of them; a reload keeps what was typed.
    await page.reload()
    await expect.poll(() => page.getByLabel('Name of variable 2').inputValue()).toBe('mood')
    await page.getByRole('button', { name: 'Undo all changes' }).click()
    expect(await page.getByLabel('Prompt', { exact: true }).inputValue()).toBe('Please say {{word}}')
    await page.getByLabel('System prompt').fill('Think before you answer.')
    await page.getByLabel('Temperature').fill('0')
    await page.getByRole('radio', { name: 'All 10 cases' }).check()
    await page.getByText('Runs all 10 cases. The system prompt and the parameters change in all of them.').waitFor()
    await page.getByText(/ · 10 answers\b/).waitFor()
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await page.getByText(/^Yes, the change helps: it gains [\d.]+ points \(95 % CI/).waitFor()
    await page.getByText('7 better, 0 worse, 3 the same.').waitFor()
    await page.getByRole('button', { name: /^papaya/ }).click()
    await expect.poll(() => region('Before').textContent()).toContain('not papaya today')
    expect(await findViolations(page)).toEqual([])
    await page.setViewportSize({ width: 375, height: 800 })
    await expectNoSidewaysScroll(page)
    await page.setViewportSize({ width: 1440, height: 900 })

    await page.getByLabel('Name of the variant').fill('thinking')
    await page.getByRole('button', { name: 'Save as variant' }).click()
    await page.getByText('The variant is in the suite: version 2 of').waitFor()
    const kept = await (await page.request.get(`${app.origin}/api/suites/${suiteId}`)).json()
    expect(kept.suite.variants).toEqual([
      { name: 'original' },
      { name: 'thinking', systemPrompt: 'Think before you answer.', parameters: { temperature: 0 } },
    ])
    await page.goto(`${app.origin}/results`)
    await page.getByRole('link', { name: 'Playground: Fruit' }).first().waitFor()
    expect(pageErrors).toEqual([])
  })

  it('says why a case cannot be asked or kept, and offers a copy', async () => {
    const address = `${app.origin}/playground/${runId}?case=tomato&model=local%2Ffake`
    await page.evaluate('sessionStorage.clear()')
    await page.goto(address)
    await page.getByLabel('Model', { exact: true }).fill('openai/gpt-5')
    await page.getByText(/OPENAI_API_KEY/).waitFor()
    expect(await page.getByRole('button', { name: 'Run', exact: true }).isDisabled()).toBe(true)
    await page.getByLabel('Model', { exact: true }).fill('local/gone')
    await page.getByLabel('Prompt', { exact: true }).fill('Say {{word}} again')
    await page.getByLabel('Temperature').fill('9')
    await page.getByText('Temperature must be a number from 0 to 2.').first().waitFor()
    await page.getByLabel('Temperature').fill('0.7')

    // Saved by someone else in the meantime.
    const { suite, version } = await (await page.request.get(`${app.origin}/api/suites/${suiteId}`)).json()
    await callApi(page, app, 'PUT', `/suites/${suiteId}`, {
      suite: { ...suite, description: 'Theirs' },
      after: version,
    })
    await page.getByRole('button', { name: 'Save as new version of the case' }).click()
    await page.getByText('The suite was saved in the meantime').waitFor()
    await page.getByRole('button', { name: 'Look again' }).click()
    await page.getByRole('button', { name: 'Save as new version of the case' }).click()
    await page.getByText(`The case has a new version: version ${version + 2} of`).waitFor()

    await callApi(page, app, 'DELETE', `/suites/${suiteId}`, {})
    await page.evaluate('sessionStorage.clear()')
    await page.goto(address)
    await page.getByLabel('Prompt', { exact: true }).fill('Say tomato, Think')
    await page.getByText('The suite has been deleted since this run.').waitFor()
    await page.getByRole('button', { name: 'Save a copy of the suite' }).click()
    await page.getByText('The copy is saved: version 1 of').waitFor()
    await page.goto(`${app.origin}/playground/${runId}?case=nothing&model=local%2Ffake`)
    await page.getByText('This case cannot be run again.').waitFor()
    await page.goto(`${app.origin}/playground/nothing?case=tomato&model=local%2Ffake`)
    await page.getByText('There is no such answer.').waitFor()
  })
})
