import { z } from 'zod'
import {
  ClientError,
  ScoringError,
  type CancelSignal,
  type CellKey,
  type InspectedPage,
  type Judging,
  type PageTools,
  type ScoringResult,
  type Storage,
  type TestCase,
} from '../contract/index.ts'
import { judgeCodeArena } from '../scoring/code-arena-judge.ts'
import type { CompiledCase } from '../scoring/index.ts'
import { failPageChecks, pageCheckSchema, runPageChecks, type PageCheck } from '../scoring/judging/page-checks.ts'
import { loadInspection, loadPictures, saveInspection } from './code-arena/inspection.ts'
import { listEarlierAnswers } from './code-arena/conversation.ts'
import { conversationOf, isQuickCase } from './code-arena/suite.ts'
import { whyInvisible, whyNotSeen } from './code-arena/visibility.ts'

/** One model's answer in the Code Arena, and what is needed to score it. */
export interface PageToScore {
  cell: CellKey
  testCase: TestCase
  /** As the judge reads it: the prompt, or the whole conversation. */
  task: string
  /** What the page must do; if empty, it is graded by four criteria. */
  checks: readonly PageCheck[]
  response: string
  judging: Judging
  /** Absent where the program cannot open pages. */
  pages: PageTools | undefined
  storage: Storage
  random: () => number
  signal: CancelSignal | undefined
  /** Called once the inspection is stored, before judging. */
  onSeen(): void
}

const checksSchema = z.object({ pageChecks: z.array(pageCheckSchema).default([]) })

export function readPageChecks({ checks: [check] }: CompiledCase): PageCheck[] {
  return checksSchema.parse(check?.options ?? {}).pageChecks
}

/**
 * Inspects the page once for each answer: a resume or rescore uses the stored inspection, unless what it lacked then is
 * here now.
 */
async function inspect(
  { cell, testCase, response, storage, signal }: PageToScore,
  { inspectPage }: PageTools,
): Promise<InspectedPage> {
  const isQuick = isQuickCase(testCase)
  const earlier = listEarlierAnswers(conversationOf(testCase), cell.modelId)
  const stored = isQuick ? undefined : await loadInspection(storage, cell, response)
  const pictures = stored?.findings && (await loadPictures(storage, cell, stored))
  if (stored?.findings && pictures) {
    const known = await inspectPage(response, { isQuick: true, earlier, signal })
    if (stored.missing.length === 0 || (known.missing ?? []).length > 0)
      return { ...known, findings: stored.findings, pictures, notSeen: stored.notSeen }
  }
  const page = await inspectPage(response, { isQuick, earlier, signal }).catch((error: unknown) => {
    throw signal?.aborted
      ? new ClientError('cancelled', 'cancelled during the inspection of the page', { cause: error })
      : error
  })
  await saveInspection(storage, cell, response, page)
  return page
}

/** Several files as one text, each under its name; the whole answer if no code was found. */
function writeCode({ files }: InspectedPage, response: string): string {
  if (files.length === 0) return response
  if (files.length === 1) return files[0]!.code
  return files.map(({ name, code }) => `===== ${name} =====\n${code}`).join('\n\n')
}

function toDataUrl(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

/**
 * The judges that are known not to accept images. One such judge makes the whole panel judge by code, so that all
 * judges see the same thing.
 */
async function findBlindJudges({ judgeModelIds }: Judging, { takesImages }: PageTools): Promise<string[]> {
  const canSee = await Promise.all(judgeModelIds.map((judge) => takesImages(judge)))
  return judgeModelIds.filter((_judge, index) => canSee[index] === false)
}

/** Has the judges try what the page must do. */
async function tryPage(page: InspectedPage, toScore: PageToScore, pages: PageTools): Promise<ScoringResult> {
  const { checks, judging, response, random, signal } = toScore
  const gap = whyNotSeen(page)
  if (gap !== undefined) throw new ScoringError('scoring-failed', `The page cannot be tried here. ${gap}`)
  const invisible = whyInvisible(page)
  if (invisible !== undefined) return failPageChecks(checks, invisible)
  if (page.notSeen !== undefined)
    throw new ScoringError('scoring-failed', `The page cannot be tried in a browser. ${page.notSeen}`)
  const blind = await findBlindJudges(judging, pages)
  if (blind.length > 0)
    throw new ScoringError(
      'scoring-failed',
      `${blind.join(', ')} ${blind.length === 1 ? 'does not accept' : 'do not accept'} images, so the page cannot be tried; choose another judge.`,
    )
  const open = () => pages.openPage(response, { signal })
  return runPageChecks({ checks, open, toImage: toDataUrl }, judging, random)
}

async function judgePage(page: InspectedPage, toScore: PageToScore, pages: PageTools): Promise<ScoringResult> {
  const { judging, task, response, random } = toScore
  const gap = whyNotSeen(page)
  const blind = gap === undefined && page.pictures.length > 0 ? await findBlindJudges(judging, pages) : []
  const score = await judgeCodeArena(
    {
      prompt: task,
      code: writeCode(page, response),
      screenshots:
        blind.length > 0 || gap !== undefined
          ? []
          : page.pictures.map(({ width, isAfterInteraction, isStrip, png }) => ({
              width,
              image: toDataUrl(png),
              moment: isStrip ? ('moving' as const) : isAfterInteraction ? ('used' as const) : ('loaded' as const),
            })),
      // What is observed on a page that lacks something is about us, not about the page.
      findings:
        gap === undefined ? { ...page.findings, ...(page.problem !== undefined && { problems: [page.problem] }) } : {},
      ...(gap === undefined ? { invisible: whyInvisible(page) } : { notSeen: gap }),
    },
    judging,
    random,
  )
  const remarks = [
    ...(page.problem === undefined || gap !== undefined ? [] : [page.problem]),
    ...(page.notSeen === undefined || gap === page.notSeen ? [] : [page.notSeen]),
    ...(blind.length > 0
      ? [`${blind.join(', ')} ${blind.length === 1 ? 'does not accept' : 'do not accept'} images.`]
      : []),
  ]
  return remarks.length === 0
    ? score
    : { ...score, notes: [score.notes, ...remarks].filter((line) => line !== undefined).join('\n') }
}

/**
 * Extracts the code from an answer, inspects the page in a browser, stores the inspection with the cell and has it
 * judged. Throws `not-judged` when no judge is chosen, after inspecting the page. An empty answer scores 0 without a
 * call.
 */
export async function scorePage(toScore: PageToScore): Promise<ScoringResult> {
  const { pages, judging, response } = toScore
  if (!pages)
    throw new ScoringError(
      'scoring-failed',
      'Pages cannot be opened here: start the run from the web app or with "benchmaker arena".',
    )
  if (response.trim() === '') {
    if (judging.judgeModelIds.length === 0) throw notJudged()
    return toScore.checks.length > 0
      ? failPageChecks(toScore.checks, 'The answer is empty.')
      : judgeCodeArena({ prompt: '', code: '' }, judging, toScore.random)
  }
  const page = await inspect(toScore, pages)
  toScore.onSeen()
  if (judging.judgeModelIds.length === 0) throw notJudged()
  return toScore.checks.length > 0 ? tryPage(page, toScore, pages) : judgePage(page, toScore, pages)
}

function notJudged(): ScoringError {
  return new ScoringError('not-judged', 'No judge was chosen: vote, or rescore the run with a judge.')
}
