/**
 * Time from a complete answer to the first paint of its preview, through the real server and a frame in an app page
 * (goal 300 ms), and from a stored answer to its stored screenshots and findings (goal 4 s):
 * `node bench/preview/arena.ts`. Needs no build.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { buildVendor } from '../../src/preview/vendor/build-vendor.ts'
import { iframeSandbox } from '../../src/contract/index.ts'
import { launchChromium } from '../../src/preview/index.ts'
import { createDemoClient } from '../../src/providers/demo/demo.ts'
import { createPageInspector } from '../../src/preview/page-inspector.ts'
import { isOneColour } from '../../src/services/index.ts'
import { previewAnswer } from '../../src/server/code-arena/preview-page.ts'
import { startPreviewServer } from '../../src/server/code-arena/preview-server.ts'
import { pageHeaders } from '../../src/server/http/security-headers.ts'
import { saveInspection } from '../../src/services/code-arena/inspection.ts'
import { openStorage } from '../../src/storage/index.ts'

const ROUNDS = 7
const PROMPT = 'a pricing page with three plans and a monthly/yearly switch'
const median = (values: number[]): number => values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)]!
const nowOnClock = (): number => performance.timeOrigin + performance.now()
const folder = mkdtempSync(join(tmpdir(), 'benchmaker-bench-'))

/** The wall-clock time of the frame's first paint; polls until the browser reports it. */
const PAINTED = `new Promise((resolve) => {
  const look = () => {
    const entry = performance.getEntriesByName('first-contentful-paint')[0]
    if (entry) resolve(performance.timeOrigin + entry.startTime)
    else setTimeout(look, 10)
  }
  look()
})`

/** The frame changes its process while it loads, so a failed evaluation is retried. */
async function findPaint(tab: Page, url: string): Promise<number> {
  for (;;) {
    const frame = tab.frames().find((candidate) => candidate.url() === url)
    const painted = await frame?.evaluate(PAINTED).catch(() => undefined)
    if (painted !== undefined) return Number(painted)
    await new Promise((resolve) => setTimeout(resolve, 5))
  }
}

try {
  await buildVendor(join(folder, 'vendor'))
  const previews = await startPreviewServer({ previews: folder })
  await previews.compiler.warmUp()
  const storage = await openStorage({ file: join(folder, 'bench.db') })
  const app = createServer((_request, response) => {
    response.writeHead(200, { ...pageHeaders([previews.origin]), 'content-type': 'text/html' })
    response.end(
      `<!doctype html><title>app</title><iframe sandbox="${iframeSandbox}" width="1200" height="800"></iframe>`,
    )
  })
  await new Promise<void>((resolve) => app.listen(0, '127.0.0.1', resolve))
  const address = app.address()
  const port = typeof address === 'object' && address !== null ? address.port : 0
  const browser = await launchChromium({ isCutOff: false })
  const tab = await browser.newPage()
  await tab.goto(`http://127.0.0.1:${port}/`)
  const inspector = createPageInspector({ previews: folder, isBlank: isOneColour })
  await inspector.inspectPage('```html\n<p>warm\n```', { isQuick: false })

  for (const modelId of ['demo/good', 'demo/fair', 'demo/poor', 'demo/coder']) {
    const { response } = await createDemoClient().complete({
      modelId,
      messages: [{ role: 'user', content: PROMPT }],
      parameters: {},
    })
    const paints: number[] = []
    const inspections: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      // A different page each time, as from a model.
      const answer = `${response}\n\n\`\`\`css\n.round-${round} { color: red }\n\`\`\``
      const start = nowOnClock()
      const { url } = await previewAnswer({ response: answer, isComplete: true }, { previews, storage })
      await tab.evaluate(`document.querySelector('iframe').src = ${JSON.stringify(url)}`)
      paints.push((await findPaint(tab, url!)) - start)

      const runId = `${modelId}-${round}`
      await storage.createRun({ id: runId, kind: 'suite', models: [modelId], startedAt: 0 }, [
        { testCaseId: 'page', modelId },
      ])
      const before = performance.now()
      const page = await inspector.inspectPage(answer, { isQuick: false })
      await saveInspection(storage, { runId, testCaseId: 'page', modelId }, answer, page)
      inspections.push(performance.now() - before)
    }
    console.log(
      `${modelId}: first paint ${Math.round(median(paints))} ms after the answer, slowest of ${ROUNDS} ${Math.round(Math.max(...paints))} (goal 300); screenshots and findings stored in ${Math.round(median(inspections))} ms, slowest ${Math.round(Math.max(...inspections))} (goal 4,000)`,
    )
  }
  await inspector.close()
  await browser.close()
  app.close()
  await previews.close()
  await storage.close()
} finally {
  rmSync(folder, { recursive: true, force: true })
}
