/**
 * Time from a complete answer to the first paint of its page (goal 300 ms), and for a set of screenshots in a warm
 * browser (goal 4 s): `node bench/preview/pages.ts`. Needs no build.
 */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buildVendor } from '../../src/preview/vendor/build-vendor.ts'
import { warmUpCompilers } from '../../src/preview/assemble/compile-script.ts'
import { assemblePage, createScreenshots, extractCode, launchChromium } from '../../src/preview/index.ts'
import { isOneColour } from '../../src/services/index.ts'
import { collectFindings } from '../../src/preview/screenshots/findings.ts'
import { openView } from '../../src/preview/screenshots/page-view.ts'
import { createVendorReader } from '../../src/preview/vendor/vendor-files.ts'
import { createDemoClient } from '../../src/providers/demo/demo.ts'

const ROUNDS = 5
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))

const corpus = (name: string): string =>
  readFileSync(new URL(`../../test/preview/corpus/${name}.md`, import.meta.url), 'utf8')
const demo = async (modelId: string): Promise<string> =>
  (
    await createDemoClient().complete({
      modelId,
      messages: [{ role: 'user', content: 'a pricing page with three plans and a monthly/yearly switch' }],
      parameters: {},
    })
  ).response

const answers: [name: string, answer: string][] = [
  ['HTML (demo/good)', await demo('demo/good')],
  ['React, Tailwind, icons (demo/coder)', await demo('demo/coder')],
  ['React project', corpus('react-vite-project')],
  ['Vue', corpus('vue-script-setup')],
  ['Tailwind play script', corpus('html-tailwind-cdn')],
]

try {
  await buildVendor(join(folder, 'vendor'))
  const cold = performance.now()
  await warmUpCompilers()
  console.log(`compilers loaded: ${Math.round(performance.now() - cold)} ms, once per process`)

  const browser = await launchChromium()
  const readVendor = createVendorReader({ previews: folder })
  const screenshots = createScreenshots({ previews: folder, isBlank: isOneColour })
  await screenshots.take(await assemblePage(extractCode(answers[0]![1])))
  for (const [name, answer] of answers) {
    const assembled: number[] = []
    const painted: number[] = []
    const sets: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      const start = performance.now()
      const page = await assemblePage(extractCode(answer))
      assembled.push(performance.now() - start)
      const view = await openView(browser, {
        width: 1440,
        page,
        readVendor,
        isBlank: isOneColour,
        findings: collectFindings(),
        limitMs: 60_000,
      })
      // The browser reports the paint with a delay.
      await view.takePicture('loaded')
      painted.push(
        Number(
          await view.world.evaluate("performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? NaN"),
        ),
      )
      await view.close()
      sets.push((await screenshots.take(page)).durationMs)
    }
    console.log(
      `${name}: page assembled in ${median(assembled).toFixed(1)} ms, first paint after ${Math.round(median(painted))} ms (goal 300 in total); screenshot set ${Math.round(median(sets))} ms (goal 4,000)`,
    )
  }
  await screenshots.close()
  await browser.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
