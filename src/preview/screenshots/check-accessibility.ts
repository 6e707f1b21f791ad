import { AXE_CALL, readAccessibility, type AccessibilityFinding } from './findings.ts'
import { PageHang, PageTimeout } from './deadlines.ts'
import type { PageView, ViewTools } from './page-view.ts'

/** axe takes a second or less for this many elements, and minutes for ten times as many. */
const MOST_ELEMENTS = 1500

export interface Accessibility {
  findings: AccessibilityFinding[]
  /** Why not all of the page was checked, in words. */
  cut?: string
}

export async function countElements({ world }: PageView): Promise<number> {
  return Number(await world.evaluate('previewDriver.countElements()'))
}

/** True if a page is checked in a view of its own, in which what repeats is left out. */
export const isLarge = (elements: number): boolean => elements > MOST_ELEMENTS

async function run(
  { world, clock }: PageView,
  { readVendor }: Pick<ViewTools, 'readVendor'>,
): Promise<AccessibilityFinding[]> {
  const source = String(await readVendor('axe.js'))
  return clock
    .ours(async () => {
      await world.evaluate(source)
      return readAccessibility(await world.evaluate(AXE_CALL))
    })
    .catch((error: unknown) => {
      // It was busy with our work.
      throw error instanceof PageHang ? new PageTimeout('The check for accessibility took too long.') : error
    })
}

/** Checks a page of any size: the same page gets the same findings, whatever else the machine does. */
export async function checkAccessibility(
  view: PageView,
  tools: Pick<ViewTools, 'readVendor'>,
  elements: number,
): Promise<Accessibility> {
  if (!isLarge(elements)) return { findings: await run(view, tools) }
  view.ignore()
  const left = Number(await view.world.evaluate(`previewDriver.thinOut(${MOST_ELEMENTS})`))
  return {
    findings: await run(view, tools),
    cut: `The page has ${elements} elements; of those that repeat, such as rows, only the first were checked (${left} left out).`,
  }
}
