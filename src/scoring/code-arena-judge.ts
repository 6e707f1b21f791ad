import { z } from 'zod'
import {
  InputError,
  passMarkOfMethod,
  type Judging,
  type Message,
  type ModelRequest,
  type ScoringResult,
  writeNumber,
} from '../contract/index.ts'
import { collectVerdicts, combineScores, gradeCalls, noteMissing, requestGrade } from './judging/judge-panel.ts'
import {
  codeArenaAnswerSchema,
  codeArenaPrompt,
  codeArenaWeights,
  type CodeArenaCriterion,
  type PictureMoment,
} from './judging/judge-prompts.ts'
import { writeFindings, type JudgedFindings } from './judging/page-findings.ts'
import { isOnSmallScale, readCriteria, type Grades } from './judging/read-criteria.ts'
import { countPageCheckCalls, pageCheckSchema } from './judging/page-checks.ts'
import { defineScorer } from './scorer.ts'

const JUDGE_TEMPERATURE = 0.3

/** Characters of code shown to a judge that gets no pictures. */
const MAX_CODE = 5000
/** With pictures, or where it is all that there is, the code is only cut to fit a context window. */
const MAX_CODE_WITH_PICTURES = 60_000

/** A screenshot of the page, as a `data:` URL. */
export interface JudgedPicture {
  width: number
  image: string
  /** `loaded` (default): as it first appears; `used`: after its controls were used; `moving`: moments of its first seconds. */
  moment?: PictureMoment
}

/** The page to judge. Without pictures the judge sees only the code. */
export interface JudgedPage {
  prompt: string
  code: string
  screenshots?: readonly JudgedPicture[] | undefined
  findings?: JudgedFindings | undefined
  /** Why a person who opens the page sees nothing: it is blank, hangs or does not exist. */
  invisible?: string | undefined
  /** Why it could not be seen here, by no fault of its own: it is then judged from its whole code. */
  notSeen?: string | undefined
}

export interface CriterionResult {
  /** 0 to 100; absent if the judge had nothing to see. */
  score?: number
  /** The judge's words; `not seen` if the judge had nothing to see. */
  reason: string
  /** Its share of the total, 0 to 1. */
  weight: number
}

export interface CodeArenaResult extends ScoringResult {
  criteria: Record<CodeArenaCriterion, CriterionResult>
}

const LABELS: Record<CodeArenaCriterion, string> = {
  visualAccuracy: 'visual accuracy',
  codeQuality: 'code quality',
  functionality: 'functionality',
  responsiveness: 'responsiveness',
}

const ALL: readonly CodeArenaCriterion[] = ['visualAccuracy', 'codeQuality', 'functionality', 'responsiveness']
const WITHOUT_PICTURES = ALL.filter((criterion) => criterion !== 'visualAccuracy')

/** What a judge can grade of a page that nobody can see. */
const WITHOUT_PAGE: readonly CodeArenaCriterion[] = ['codeQuality']

/** Weights of the graded criteria, scaled to sum to 1. */
function sharesOf(asked: readonly CodeArenaCriterion[]): Record<CodeArenaCriterion, number> {
  const total = asked.reduce((sum, criterion) => sum + codeArenaWeights[criterion], 0)
  const share = (criterion: CodeArenaCriterion): number =>
    asked.includes(criterion) ? codeArenaWeights[criterion] / total : 0
  return {
    visualAccuracy: share('visualAccuracy'),
    codeQuality: share('codeQuality'),
    functionality: share('functionality'),
    responsiveness: share('responsiveness'),
  }
}

/** 0 to 1. */
function totalOf(grades: Grades, shares: Record<CodeArenaCriterion, number>): number {
  return ALL.reduce((sum, criterion) => sum + shares[criterion] * (grades[criterion]?.score ?? 0), 0) / 100
}

function cutCode(code: string, max: number): { code: string; warning?: string } {
  if (code.length <= max) return { code }
  const [kept, whole] = [max, code.length].map((count) => writeNumber(count))
  return {
    code: code.slice(0, max),
    warning: `Code truncated: the judge saw the first ${kept} of ${whole} characters.`,
  }
}

function writeRequest(
  { prompt, screenshots = [], findings = {}, notSeen }: JudgedPage,
  code: string,
  options: {
    judgeModelId: string
    asked: readonly CodeArenaCriterion[]
    systemPrompt: string | undefined
    mark: string
    isRetry: boolean
  },
): ModelRequest {
  const { judgeModelId, asked, systemPrompt, mark, isRetry } = options
  const system = codeArenaPrompt.system(asked)
  const text = codeArenaPrompt.write({
    task: prompt,
    code,
    findings: writeFindings(findings),
    mark,
    hasPictures: screenshots.length > 0,
    notSeen,
    isRetry,
  })
  const pictures = screenshots.flatMap(({ width, image, moment = 'loaded' }) => [
    { type: 'text' as const, text: codeArenaPrompt.describePicture({ width, moment, mark }) },
    { type: 'image' as const, image },
  ])
  const content: Message['content'] = pictures.length === 0 ? text : [{ type: 'text', text }, ...pictures]
  return {
    modelId: judgeModelId,
    messages: [
      { role: 'system', content: systemPrompt === undefined ? system : `${system}\n\n${systemPrompt}` },
      { role: 'user', content },
    ],
    parameters: { temperature: JUDGE_TEMPERATURE },
    responseSchema: codeArenaAnswerSchema(asked),
  }
}

function joinGrades(grades: Grades, asked: readonly CodeArenaCriterion[]): string {
  return asked
    .map(
      (criterion) =>
        `${LABELS[criterion]} ${Math.round(grades[criterion]?.score ?? 0)}${grades[criterion]?.reason ? `: ${grades[criterion].reason}` : ''}`,
    )
    .join('; ')
}

function listUnseen({ invisible, notSeen }: JudgedPage, hasPictures: boolean): string[] {
  if (notSeen !== undefined)
    return [`Not seen: ${notSeen} Judged from its code; visual accuracy is left out, and the other weights sum to 1.`]
  if (invisible !== undefined) return [`${invisible} Only its code was judged; the other criteria are 0.`]
  return hasPictures
    ? []
    : ['Judged from the code alone: visual accuracy not seen; the other weights are scaled to sum to 1.']
}

function scoreNothing(): CodeArenaResult {
  const nothing = (criterion: CodeArenaCriterion): CriterionResult => ({
    score: 0,
    reason: 'there is no code',
    weight: codeArenaWeights[criterion] / 100,
  })
  return {
    score: 0,
    rawScore: 0,
    maxScore: 100,
    notes: 'no code: scored 0 without asking the judge',
    criteria: {
      visualAccuracy: nothing('visualAccuracy'),
      codeQuality: nothing('codeQuality'),
      functionality: nothing('functionality'),
      responsiveness: nothing('responsiveness'),
    },
  }
}

const pictureSchema = z.object({
  width: z.number().positive(),
  image: z.string().regex(/^data:image\/|^https?:/),
  moment: z.enum(['loaded', 'used', 'moving']).optional(),
})

/** Plain JavaScript can pass anything, and a picture that never reaches the judge must not count as seen. */
function checkPictures(screenshots: readonly unknown[]): void {
  const wrong = screenshots.findIndex((screenshot) => !pictureSchema.safeParse(screenshot).success)
  if (wrong >= 0)
    throw new InputError(
      `screenshots[${wrong}] must be { width, image } with the width in pixels and the picture as a data: URL, as in { width: 375, image: 'data:image/png;base64,…' }`,
    )
}

/** A judge that seems to grade from 0 to 10 is asked again; if it repeats that, it means it. */
function readGrades(answer: string, asked: readonly CodeArenaCriterion[], isRetry: boolean): Grades | undefined {
  const grades = readCriteria(answer, asked)
  return grades && isOnSmallScale(grades) && !isRetry ? undefined : grades
}

/**
 * Asks one or more judges to grade a page, and computes the weighted total. Without pictures visual accuracy is not
 * graded: it is marked "not seen", and the other three weights are scaled to sum to 1. Of a page that nobody can see
 * only the code is graded, and the other criteria are 0. Blank code scores 0 without a call.
 */
export async function judgeCodeArena(
  page: JudgedPage,
  judging: Judging,
  random: () => number,
): Promise<CodeArenaResult> {
  checkPictures(page.screenshots ?? [])
  if (page.code.trim() === '') return scoreNothing()
  const hasPictures = (page.screenshots ?? []).length > 0
  const isVisible = page.invisible === undefined
  const seen = hasPictures ? ALL : WITHOUT_PICTURES
  const asked = isVisible ? seen : WITHOUT_PAGE
  const shares = sharesOf(isVisible ? seen : ALL)
  const { code, warning } = cutCode(
    page.code,
    hasPictures || page.notSeen !== undefined ? MAX_CODE_WITH_PICTURES : MAX_CODE,
  )
  const texts = [page.prompt, page.code, JSON.stringify(page.findings ?? {})]

  const { verdicts: panel, missing } = await collectVerdicts(judging, async (judgeModelId) => {
    const grades = await requestGrade({
      judgeModelId,
      callModel: judging.callModel,
      random,
      texts,
      write: (mark, isRetry) =>
        writeRequest(page, code, { judgeModelId, asked, systemPrompt: judging.systemPrompt, mark, isRetry }),
      read: (answer, isRetry) => readGrades(answer, asked, isRetry),
    })
    return { judgeModelId, grades, score: totalOf(grades, shares) }
  })

  const combine = (criterion: CodeArenaCriterion): CriterionResult => {
    if (page.invisible !== undefined && !asked.includes(criterion))
      return { score: 0, reason: page.invisible, weight: shares[criterion] }
    if (!asked.includes(criterion)) return { reason: 'not seen', weight: 0 }
    const verdicts = panel.map(({ judgeModelId, grades }) => ({
      judgeModelId,
      score: grades[criterion]?.score ?? 0,
      reason: grades[criterion]?.reason ?? '',
    }))
    const reason =
      verdicts.length === 1
        ? verdicts[0]!.reason
        : verdicts.map((verdict) => `${verdict.judgeModelId}: ${verdict.reason}`).join('\n')
    return {
      score: combineScores(
        verdicts.map((verdict) => verdict.score),
        judging.combine,
      ),
      reason,
      weight: shares[criterion],
    }
  }

  const score = combineScores(
    panel.map((verdict) => verdict.score),
    judging.combine,
  )
  const summary =
    judging.judgeModelIds.length === 1
      ? joinGrades(panel[0]!.grades, asked)
      : panel.map((verdict) => `${verdict.judgeModelId} ${Math.round(verdict.score * 100)}`).join(', ')
  const unseen = listUnseen(page, hasPictures)
  return {
    score,
    rawScore: score * 100,
    maxScore: 100,
    notes: [summary, ...noteMissing(missing), ...(warning === undefined ? [] : [warning]), ...unseen].join('\n'),
    ...(missing.length > 0 && { missingJudges: missing }),
    judges: panel.map((verdict) => ({
      judgeModelId: verdict.judgeModelId,
      score: verdict.score,
      reasoning: joinGrades(verdict.grades, asked),
    })),
    criteria: {
      visualAccuracy: combine('visualAccuracy'),
      codeQuality: combine('codeQuality'),
      functionality: combine('functionality'),
      responsiveness: combine('responsiveness'),
    },
  }
}

/**
 * Scores pages, in the Code Arena and in suites: a run renders the page first and judges what it shows. Where no browser
 * is at hand, the code alone is judged.
 */
export const codeArena = defineScorer({
  name: 'code-arena',
  summary: 'A model grades a page in a browser: by four criteria, or by trying what it must do',
  expectedOutput: 'unused',
  passAt: passMarkOfMethod('code-arena'),
  modelCalls: gradeCalls,
  options: z.object({
    pageChecks: z
      .array(pageCheckSchema)
      .min(1)
      .max(50)
      .optional()
      .describe('What the page must do: the judge tries each in a browser, and the score is the share that works'),
  }),
  countModelCalls: ({ pageChecks }) => (pageChecks ? countPageCheckCalls(pageChecks) : gradeCalls),
  score: ({ prompt = '', response }, _options, { judging, random }) =>
    judgeCodeArena({ prompt, code: response }, judging, random),
})
