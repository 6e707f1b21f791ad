import {
  InputError,
  ScoringError,
  type CancelSignal,
  type InspectedPage,
  type InspectPage,
  type OpenPage,
  type PageBench,
  type PageFindings,
  type PagePicture,
  type Sandbox,
  messageOf,
} from '../contract/index.ts'
import type { AssembledPage } from './assemble/assemble-page.ts'
import { createPageCompiler, type PageCompiler } from './compile/page-compiler.ts'
import { MISSING_PREVIEWS } from './previews-package.ts'
import type { PageFiles } from './vendor/vendor-files.ts'
import { createScreenshots, type PageInspection, type Screenshots } from './screenshots/take-screenshots.ts'

/** The browser takes hundreds of megabytes, so it is closed when it has been idle this long. */
const IDLE_MS = 120_000

export interface PageInspector extends PageBench {
  inspectPage: InspectPage
  openPage: OpenPage
  close(): Promise<void>
}

/** A real AbortSignal that follows ours, for APIs that need one. */
function followSignal(signal: CancelSignal | undefined): { signal: AbortSignal; stop: () => void } {
  const controller = new AbortController()
  const abort = () => controller.abort()
  if (signal?.aborted) abort()
  signal?.addEventListener('abort', abort, { once: true })
  return { signal: controller.signal, stop: () => signal?.removeEventListener('abort', abort) }
}

function listPictures({ screenshots }: PageInspection): PagePicture[] {
  return screenshots.map(({ width, height, png, moment }) => {
    if (moment === 'moving')
      return { name: 'moments.png', width, height, isAfterInteraction: false, isStrip: true, png }
    const isAfterInteraction = moment === 'used'
    return { name: `${width}${isAfterInteraction ? '-used' : ''}.png`, width, height, isAfterInteraction, png }
  })
}

function listFindings({
  screenshots: _screenshots,
  failure: _failure,
  durationMs: _durationMs,
  ...found
}: PageInspection): PageFindings {
  return found
}

async function compilePage(
  response: string,
  compiler: PageCompiler,
  earlier?: readonly string[],
): Promise<{ assembled: AssembledPage; page: InspectedPage }> {
  const { extracted, page: assembled } = await compiler.assemble(response, { isComplete: true, earlier })
  const page: InspectedPage = {
    files: extracted.files.map(({ name, language, kind, code }) => ({ name, language: language || kind, code })),
    runs: assembled.runs,
    notes: assembled.notes,
    missing: [...assembled.missing, ...(assembled.isUnsupported ? assembled.problems : [])],
    pictures: [],
    ...(assembled.problems.length > 0 && { problem: assembled.problems.join(' ') }),
  }
  return { assembled, page }
}

function describeFailure(error: unknown): string {
  const [reason = ''] = messageOf(error).split('\n')
  return error instanceof InputError ? reason : `the browser could not be started (${reason}).`
}

/** There is no browser; or, which a resume may find otherwise, it ended. */
function whyNotOpened(error: unknown): { notSeen: string } {
  if (error instanceof InputError) return { notSeen: describeFailure(error) }
  const [reason = ''] = messageOf(error).split('\n')
  throw new ScoringError('browser-failed', `The browser failed while the page was open: ${reason}`, { cause: error })
}

/** Inspects the pages of answers in one browser, which starts on first use. */
export function createPageInspector({
  previews,
  packages,
  isBlank,
  sandbox,
}: PageFiles & {
  /** Whether a screenshot shows nothing. */
  isBlank: (png: Uint8Array) => boolean
  sandbox?: () => Sandbox
}): PageInspector {
  const screenshots: Screenshots = createScreenshots({
    previews,
    packages,
    isBlank,
    ...(sandbox && { sandbox }),
  })
  const compiler = createPageCompiler({ previews, packages })
  let inProgress = 0
  let idle: NodeJS.Timeout | undefined

  function holdBrowser(): void {
    clearTimeout(idle)
    inProgress++
  }

  /** Keeps the browser open for a while. */
  function releaseBrowser(): void {
    inProgress--
    if (inProgress === 0) idle = setTimeout(() => void screenshots.close(), IDLE_MS).unref()
  }

  async function useBrowser<Result>(work: () => Promise<Result>): Promise<Result> {
    holdBrowser()
    try {
      return await work()
    } finally {
      releaseBrowser()
    }
  }

  async function openInBrowser(
    assembled: AssembledPage,
    cancel: CancelSignal | undefined,
  ): Promise<PageInspection | string> {
    const { signal, stop } = followSignal(cancel)
    try {
      return await useBrowser(() => screenshots.take(assembled, { signal }))
    } catch (error) {
      if (signal.aborted) throw error
      return `No pictures: ${describeFailure(error)}`
    } finally {
      stop()
    }
  }

  /** Why there is nothing to open, by no fault of the page (`notSeen`) or by its own. */
  function findGap({
    files,
    runs,
    missing = [],
    problem,
  }: InspectedPage): { notSeen: string } | { problem: string } | undefined {
    if (previews === undefined) return { notSeen: MISSING_PREVIEWS }
    if (missing.length > 0) return { notSeen: missing.join(' ') }
    if (files.length === 0) return { problem: 'There is no page in the answer.' }
    return runs ? undefined : { problem: problem ?? 'The code makes no page.' }
  }

  return {
    async inspectPage(response, { isQuick, earlier, signal }) {
      const { assembled, page } = await compilePage(response, compiler, earlier)
      // Whether the code makes a page is not known then, and is not held against it.
      if (previews === undefined)
        return { files: page.files, runs: true, notes: [], pictures: [], notSeen: MISSING_PREVIEWS }
      if (isQuick) return { ...page, notSeen: 'Quick judge: the page was not opened in a browser.' }
      if (!assembled.runs) return { ...page, notSeen: 'No pictures: there is no page that runs.' }
      const inspected = await openInBrowser(assembled, signal)
      if (typeof inspected === 'string') return { ...page, notSeen: inspected }
      const pictures = listPictures(inspected)
      const { failure } = inspected
      return {
        ...page,
        pictures,
        findings: listFindings(inspected),
        ...(pictures.length === 0 && failure !== undefined && { notSeen: `No pictures: ${failure}` }),
      }
    },
    async openPage(response) {
      const { assembled, page } = await compilePage(response, compiler)
      if (!assembled.runs) throw new InputError(page.problem ?? 'there is no page that runs.')
      holdBrowser()
      try {
        const driven = await screenshots.drive(assembled)
        return { ...driven, close: () => driven.close().finally(releaseBrowser) }
      } catch (error) {
        releaseBrowser()
        throw error
      }
    },
    async testPage(response, { tests, earlier, signal: cancel }) {
      const { assembled, page } = await compilePage(response, compiler, earlier)
      const gap = findGap(page)
      if (gap && 'problem' in gap) return { outcomes: tests.map(() => ({ passed: false, notes: gap.problem })) }
      if (gap) return gap
      const { signal, stop } = followSignal(cancel)
      try {
        const { outcomes, blocked, failure } = await useBrowser(() => screenshots.test(assembled, tests, signal))
        if (failure !== undefined) return { notSeen: failure }
        const lacking = blocked.find(({ isCode }) => isCode)
        // What passes needs nothing more; what fails may have needed it.
        return lacking && outcomes.some(({ passed }) => !passed)
          ? { notSeen: `There is no network here for ${lacking.url}.` }
          : { outcomes }
      } catch (error) {
        if (signal.aborted || error instanceof ScoringError) throw error
        return whyNotOpened(error)
      } finally {
        stop()
      }
    },
    async seePage(response, { signal: cancel }) {
      const { assembled, page } = await compilePage(response, compiler)
      const gap = findGap(page)
      if (gap) return gap
      const { signal, stop } = followSignal(cancel)
      try {
        const { seen, problem = '', failure } = await useBrowser(() => screenshots.see(assembled, signal))
        if (failure !== undefined) return { notSeen: failure }
        return seen ?? { problem }
      } catch (error) {
        if (signal.aborted) throw error
        return whyNotOpened(error)
      } finally {
        stop()
      }
    },
    findProblem: () =>
      useBrowser(() => screenshots.check()).then(
        () => undefined,
        (error: unknown) => {
          const problem = describeFailure(error)
          return problem.charAt(0).toUpperCase() + problem.slice(1)
        },
      ),
    async close() {
      clearTimeout(idle)
      await Promise.all([compiler.close(), screenshots.close()])
    },
  }
}
