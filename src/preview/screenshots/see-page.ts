import type { Browser } from 'playwright-core'
import { z } from 'zod'
import type { SeenPage } from '../../contract/index.ts'
import type { AssembledPage } from '../assemble/assemble-page.ts'
import { PageCrash, PageHang, PageTimeout, withDeadline } from './deadlines.ts'
import { collectFindings } from './findings.ts'
import { openView, type PageView, type ViewTools } from './page-view.ts'

const WIDTH = 1440
const LIMIT_MS = 15_000

const blocksSchema = z.object({
  width: z.number(),
  height: z.number(),
  blocks: z.array(
    z.object({
      text: z.string(),
      left: z.number(),
      top: z.number(),
      width: z.number(),
      height: z.number(),
      colour: z.tuple([z.number(), z.number(), z.number()]).rest(z.number()),
    }),
  ),
})

/** What a page shows, or why that is not known: by its own fault (`problem`) or not (`failure`). */
export interface PageSight {
  seen?: SeenPage
  problem?: string
  failure?: string
  isDamaged: boolean
}

async function readSeen(view: PageView): Promise<SeenPage> {
  const { png } = await view.takePicture('loaded')
  const { blocks, ...size } = blocksSchema.parse(await view.world.evaluate('previewDriver.readBlocks()'))
  return {
    ...size,
    blocks: blocks.map(({ colour: [red, green, blue], ...block }) => ({ ...block, colour: [red, green, blue] })),
    png,
  }
}

/** Opens a page and reads its blocks of text, once it has settled. */
export async function seePage(browser: Browser, page: AssembledPage, tools: ViewTools): Promise<PageSight> {
  try {
    const findings = collectFindings()
    const view = await openView(browser, { width: WIDTH, page, ...tools, findings, limitMs: LIMIT_MS })
    const seen = await readSeen(view).finally(() =>
      withDeadline(view.close(), { end: performance.now() + 1000, what: 'close' }),
    )
    return { seen, isDamaged: false }
  } catch (error) {
    if (error instanceof PageHang || error instanceof PageCrash) return { problem: error.message, isDamaged: true }
    if (error instanceof PageTimeout) return { failure: error.message, isDamaged: true }
    throw error
  }
}
