import fc from 'fast-check'
import type { Browser } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { assemblePage, extractCode, launchChromium } from '../../src/preview/index.ts'
import { collectFindings } from '../../src/preview/screenshots/findings.ts'
import { openView } from '../../src/preview/screenshots/page-view.ts'
import { createVendorReader, type VendorReader } from '../../src/preview/vendor/vendor-files.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewsFolder } from './browser.ts'
import { corpusNames, expectations, readAnswer } from './corpus.ts'

const names = corpusNames()

describe('answers as models write them', () => {
  it('number at least 150, and each has an expectation', () => {
    expect(names.length).toBeGreaterThanOrEqual(150)
    expect(Object.keys(expectations).sort()).toEqual(names)
  })

  it.each(names)('%s: what it contains, what runs, what does not and why', async (name) => {
    const expected = expectations[name]!
    const extracted = extractCode(readAnswer(name))
    const page = await assemblePage(extracted)
    expect(page.runs).toBe(expected.runs !== undefined)
    if (expected.runs) expect(extracted.runs?.kind).toBe(expected.runs)
    if (expected.files) expect(extracted.files.map((file) => file.name)).toEqual(expected.files)
    if (expected.uses) expect(page.usesVendor).toEqual(expected.uses)
    if (expected.notes) expect(page.notes.join('\n')).toMatch(expected.notes)
    if (expected.problem) expect(page.problems.join('\n')).toMatch(expected.problem)
    else expect(page.problems).toEqual([])
    if (expected.missing) expect(page.missing.join(' ')).toMatch(expected.missing)
    else expect(page.missing).toEqual([])
    for (const part of expected.blocked ?? []) expect(page.blocked.map(({ url }) => url).join('\n')).toContain(part)
    if (!expected.blocked) expect(page.blocked.filter(({ url }) => /^https?:/.test(url))).toEqual([])
  })

  it('never throw, however much has arrived', async () => {
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...names), fc.double({ min: 0, max: 1, noNaN: true }), async (name, share) => {
        const answer = readAnswer(name)
        const extracted = extractCode(answer.slice(0, Math.floor(answer.length * share)), { isComplete: false })
        const page = await assemblePage(extracted)
        expect(page.html).toContain('/vendor/bootstrap.js')
        expect(page.problems).toEqual([])
      }),
      { numRuns: 100 },
    )
  })

  it('run no script before they are complete: half a page would only cause errors', async () => {
    const answer = readAnswer('html-one-fence')
    const page = await assemblePage(extractCode(answer.slice(0, answer.indexOf('</body>')), { isComplete: false }))
    expect(page.html).toContain('<h1>Tip calculator</h1>')
    expect(page.html).not.toContain('addEventListener')
  })
})

describe.concurrent('pages in Chromium', () => {
  let browser: Browser
  let readVendor: VendorReader
  beforeAll(async () => {
    readVendor = createVendorReader({ previews: previewsFolder })
    browser = await launchChromium()
  })
  afterAll(() => browser?.close())

  // Every third one, because a browser takes its time; all with WHOLE_CORPUS=1.
  const isWhole = process.env['WHOLE_CORPUS'] === '1'
  it.each(names.filter((name) => expectations[name]?.runs).filter((_name, index) => isWhole || index % 3 === 0))(
    '%s shows what it should, without an error',
    async (name) => {
      const expected = expectations[name]!
      const findings = collectFindings()
      const page = await assemblePage(extractCode(readAnswer(name)))
      const view = await openView(browser, {
        width: 1440,
        page,
        readVendor,
        isBlank: isOneColour,
        findings,
        limitMs: 60_000,
      })
      await view.takeScreen()
      const text = await view.world.evaluate(
        'document.body.innerText + [...document.querySelectorAll("svg text")].map((text) => text.textContent).join()',
      )
      for (const part of expected.shows ?? []) expect(String(text).replaceAll('\u00A0', ' ')).toContain(part)
      if (expected.style) {
        const [selector, property, value] = expected.style
        expect(
          await view.world.evaluate(
            `getComputedStyle(document.querySelector(${JSON.stringify(selector)})).getPropertyValue(${JSON.stringify(property)})`,
          ),
        ).toBe(value)
      }
      await view.close()
      const { errors, console: lines } = findings.finish()
      if (expected.errors) expect(errors.join('\n')).toMatch(expected.errors)
      else expect(errors).toEqual([])
      expect(lines.filter(({ level }) => level === 'error' || level === 'warn')).toEqual([])
    },
  )
})
