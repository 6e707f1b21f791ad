import type { Browser } from 'playwright-core'
import { z } from 'zod'
import type { DrivenPage } from '../../contract/index.ts'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import { collectFindings } from './findings.ts'
import { openView, type ViewTools } from './page-view.ts'
import { findMoving, seeChange } from './see-change.ts'

const WIDTH = 1440

/** For all steps on one page together; a judge may think for a while before each. */
const MOST_MS = 10 * 60_000

const controlsSchema = z.array(
  z.object({ number: z.number(), kind: z.string(), name: z.string(), value: z.string().optional() }),
)

/** Opens a page in a browser for someone who uses it step by step. */
export async function drivePage(browser: Browser, page: AssembledPage, tools: ViewTools): Promise<DrivenPage> {
  const view = await openView(browser, { width: WIDTH, page, ...tools, findings: collectFindings(), limitMs: MOST_MS })
  return {
    async look() {
      const { png } = await view.takeScreen()
      return { png, controls: controlsSchema.parse(await view.world.evaluate('previewDriver.listControls()')) }
    },
    async use(step) {
      if (step.action === 'scroll')
        return (await view.world.evaluate(`previewDriver.scrollPage(${JSON.stringify(step.direction)})`)) === true
      if ((await view.world.evaluate(`previewDriver.prepareStep(${JSON.stringify(step)})`)) !== true) return false
      const moving = await view.world.evaluate('previewDriver.mayMove(0)')
      const { hadEffect } = await seeChange(view, {
        act: async () => void (await view.world.evaluate(`previewDriver.takeStep(${JSON.stringify(step)})`)),
        ...(moving === true && { moving: await findMoving(view) }),
      })
      return hadEffect
    },
    close: () => view.close(),
  }
}
