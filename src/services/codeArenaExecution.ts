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
import { loadInspection, loadPictures, saveInspection } from './code-arena/inspection.ts'
import { isQuickCase } from './code-arena/suite.ts'

/** The answer of one model in the Code Arena, and what scoring it needs. */
export interface PageToScore {
  cell: CellKey
  testCase: TestCase
  response: string
  judging: Judging
  /** Absent where the program cannot make pages. */
  pages: PageTools | undefined
  storage: Storage
  random: () => number
  signal: CancelSignal | undefined
  /** Called when what was seen is stored, before anybody judges it. */
  onSeen(): void
}

/** Looks at the page, once for each answer: a run that goes on or is judged anew takes what was seen before. */
async function lookAt(
  { cell, testCase, response, storage, signal }: PageToScore,
  { inspectPage }: PageTools,
): Promise<InspectedPage> {
  const isQuick = isQuickCase(testCase)
  const stored = isQuick ? undefined : await loadInspection(storage, cell, response)
  const pictures = stored?.findings && (await loadPictures(storage, cell, stored))
  if (stored?.findings && pictures)
    return {
      ...(await inspectPage(response, { isQuick: true, signal })),
      findings: stored.findings,
      pictures,
      notSeen: stored.notSeen,
    }
  const page = await inspectPage(response, { isQuick, signal }).catch((error: unknown) => {
    throw signal?.aborted
      ? new ClientError('cancelled', 'cancelled while the page was looked at', { cause: error })
      : error
  })
  await saveInspection(storage, cell, response, page)
  return page
}

/** Several files as one text, each under its name; where no code was found, the answer as it is. */
function writeCode({ files }: InspectedPage, response: string): string {
  if (files.length === 0) return response
  if (files.length === 1) return files[0]!.code
  return files.map(({ name, code }) => `===== ${name} =====\n${code}`).join('\n\n')
}

function toDataUrl(png: Uint8Array): string {
  return `data:image/png;base64,${Buffer.from(png).toString('base64')}`
}

/** Those judges that are known to take no pictures: one of them has the whole panel judge by code, so that all judge the same. */
async function findBlindJudges({ judgeModelIds }: Judging, { takesImages }: PageTools): Promise<string[]> {
  const able = await Promise.all(judgeModelIds.map((judge) => takesImages(judge)))
  return judgeModelIds.filter((_judge, index) => able[index] === false)
}

async function judgePage(page: InspectedPage, toScore: PageToScore, pages: PageTools): Promise<ScoringResult> {
  const { judging, testCase, response, random } = toScore
  const blind = page.pictures.length > 0 ? await findBlindJudges(judging, pages) : []
  const score = await judgeCodeArena(
    {
      prompt: testCase.prompt ?? '',
      code: writeCode(page, response),
      screenshots:
        blind.length > 0
          ? []
          : page.pictures.map(({ width, isAfterInteraction, png }) => ({
              width,
              image: toDataUrl(png),
              moment: isAfterInteraction ? ('used' as const) : ('loaded' as const),
            })),
      findings: { ...page.findings, ...(page.problem !== undefined && { problems: [page.problem] }) },
    },
    judging,
    random,
  )
  const remarks = [
    ...(page.problem === undefined ? [] : [page.problem]),
    ...(page.notSeen === undefined ? [] : [page.notSeen]),
    ...(blind.length > 0 ? [`${blind.join(', ')} ${blind.length === 1 ? 'takes' : 'take'} no pictures.`] : []),
  ]
  return remarks.length === 0
    ? score
    : { ...score, notes: [score.notes, ...remarks].filter((line) => line !== undefined).join('\n') }
}

/**
 * Takes the code out of an answer, looks at the page in a browser, keeps what was seen with the cell, and has it judged.
 * Throws `not-judged` when no judge is chosen: the page is looked at all the same. An empty answer scores 0 without a call.
 */
export async function scorePage(toScore: PageToScore): Promise<ScoringResult> {
  const { pages, judging, response } = toScore
  if (!pages)
    throw new ScoringError(
      'scoring-failed',
      'Pages cannot be made here: start the run from the web app or by "benchmaker arena".',
    )
  if (response.trim() === '') {
    if (judging.judgeModelIds.length === 0) throw notJudged()
    return judgeCodeArena({ prompt: '', code: '' }, judging, toScore.random)
  }
  const page = await lookAt(toScore, pages)
  toScore.onSeen()
  if (judging.judgeModelIds.length === 0) throw notJudged()
  return judgePage(page, toScore, pages)
}

function notJudged(): ScoringError {
  return new ScoringError('not-judged', 'No judge was chosen: vote, or score the run anew with a judge.')
}
