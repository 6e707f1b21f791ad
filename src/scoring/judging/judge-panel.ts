import {
  ClientError,
  ScoringError,
  type CallModel,
  type Judging,
  type MissingJudge,
  type ModelRequest,
} from '../../contract/index.ts'
import type { ModelCalls } from '../scorer.ts'

/** An unreadable grade is retried once. */
export const gradeCalls: ModelCalls = { expected: 1, most: 2 }

/** Draws a mark that occurs in none of the texts. */
export function drawMark(texts: readonly string[], random: () => number): string {
  for (;;) {
    const mark = Math.floor(random() * 2 ** 48).toString(36)
    if (!texts.some((text) => text.includes(mark))) return mark
  }
}

export interface GradeQuestion<Grade> {
  judgeModelId: string
  callModel: CallModel
  random: () => number
  /** All untrusted text in the request; the mark must not occur in it. */
  texts: readonly string[]
  write(mark: string, isRetry: boolean): ModelRequest
  /** The grade in a judge's answer; `undefined` if it is unreadable. */
  read(answer: string, isRetry: boolean): Grade | undefined
}

/** What a judge wrote while thinking may contain grades that it changed its mind about. */
function removeThinking(answer: string): string {
  const end = Math.max(...['</think>', '</thinking>', '</reasoning>'].map((tag) => endOfLast(tag, answer)))
  return answer.slice(end)
}

function endOfLast(tag: string, text: string): number {
  const start = text.lastIndexOf(tag)
  return start < 0 ? 0 : start + tag.length
}

/** Gets a grade from one judge, retries once if the answer is unreadable, then throws `judge-unreadable`. */
export async function requestGrade<Grade>({
  judgeModelId,
  callModel,
  random,
  texts,
  write,
  read,
}: GradeQuestion<Grade>): Promise<Grade> {
  let lastAnswer = ''
  for (let asked = 0; asked < gradeCalls.most; asked++) {
    const isRetry = asked > 0
    try {
      const mark = drawMark(texts, random)
      lastAnswer = (await callModel({ ...write(mark, isRetry), mark })).response
    } catch (error) {
      if (!(error instanceof ClientError) || error.kind === 'cancelled') throw error
      throw new ScoringError('judge-failed', `judge ${judgeModelId}: ${error.message}`, { cause: error })
    }
    const grade = read(removeThinking(lastAnswer), isRetry)
    if (grade !== undefined) return grade
  }
  throw new ScoringError(
    'judge-unreadable',
    `judge ${judgeModelId} gave no readable grade; its last answer was ${JSON.stringify(lastAnswer.slice(0, 200))}`,
  )
}

/** Combines the scores of a panel into one. */
export function combineScores(scores: readonly number[], how: 'mean' | 'median' = 'mean'): number {
  if (how === 'mean') return scores.reduce((sum, score) => sum + score, 0) / scores.length
  const sorted = scores.toSorted((a, b) => a - b)
  const middle = Math.floor(sorted.length / 2)
  return sorted.length % 2 === 1 ? sorted[middle]! : (sorted[middle - 1]! + sorted[middle]!) / 2
}

export interface PanelVerdicts<Verdict> {
  verdicts: Verdict[]
  /** Judges that could not be read or reached. */
  missing: MissingJudge[]
}

type Reply<Verdict> = { verdict: Verdict } | { failure: ScoringError; judgeModelId: string }

function describeFailure({ code }: ScoringError): string {
  return code === 'judge-failed' ? 'it could not be reached' : 'it gave no readable grade'
}

/** A resume retries only if a judge was not reached: one that could not be read has had its second chance. */
function combineFailures(failures: readonly ScoringError[]): ScoringError {
  const [first] = failures
  if (failures.length === 1) return first!
  const code = failures.some((failure) => failure.code === 'judge-failed') ? 'judge-failed' : first!.code
  return new ScoringError(code, failures.map(({ message }) => message).join('; '), { cause: first })
}

/**
 * Collects a verdict from every judge of a panel. At least half of them must give a verdict; otherwise throws a `ScoringError`, as for a
 * single judge. Requests go out at once or, if they share something that only one can use, in turn.
 */
export async function collectVerdicts<Verdict>(
  { judgeModelIds }: Pick<Judging, 'judgeModelIds'>,
  gradeByJudge: (judgeModelId: string) => Promise<Verdict>,
  { inTurn = false } = {},
): Promise<PanelVerdicts<Verdict>> {
  const reach = async (judgeModelId: string): Promise<Reply<Verdict>> => {
    try {
      return { verdict: await gradeByJudge(judgeModelId) }
    } catch (error) {
      // Anything else stops the run: it was cancelled, or the budget is used up.
      if (!(error instanceof ScoringError)) throw error
      return { failure: error, judgeModelId }
    }
  }
  const replies: Reply<Verdict>[] = []
  if (inTurn) for (const judgeModelId of judgeModelIds) replies.push(await reach(judgeModelId))
  else replies.push(...(await Promise.all(judgeModelIds.map(reach))))

  const verdicts = replies.flatMap((reply) => ('verdict' in reply ? [reply.verdict] : []))
  const failed = replies.flatMap((reply) => ('failure' in reply ? [reply] : []))
  if (failed.length > verdicts.length) throw combineFailures(failed.map(({ failure }) => failure))
  return {
    verdicts,
    missing: failed.map(({ failure, judgeModelId }) => ({ judgeModelId, reason: describeFailure(failure) })),
  }
}

/** For the notes of a score: `without b: it gave no readable grade`. */
export function noteMissing(missing: readonly MissingJudge[]): string[] {
  return missing.map(({ judgeModelId, reason }) => `without ${judgeModelId}: ${reason}`)
}
