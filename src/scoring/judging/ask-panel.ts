import { ScoringError, type Judging, type MissingJudge } from '../../contract/index.ts'

export interface PanelVerdicts<Verdict> {
  verdicts: Verdict[]
  /** Judges that could not be read or reached. */
  missing: MissingJudge[]
}

type Reply<Verdict> = { verdict: Verdict } | { failure: ScoringError; judgeModelId: string }

function describeFailure({ code }: ScoringError): string {
  return code === 'judge-failed' ? 'it could not be reached' : 'it gave no readable grade'
}

/** A resume asks again only if a judge was not reached: one that could not be read has had its second chance. */
function refuse(failures: readonly ScoringError[]): ScoringError {
  const [first] = failures
  if (failures.length === 1) return first!
  const code = failures.some((failure) => failure.code === 'judge-failed') ? 'judge-failed' : first!.code
  return new ScoringError(code, failures.map(({ message }) => message).join('; '), { cause: first })
}

/**
 * Asks every judge of a panel. At least half of them must give a verdict; otherwise throws a `ScoringError`, as for a
 * single judge. Judges are asked at once or, if they share something that only one can use, in turn.
 */
export async function askPanel<Verdict>(
  { judgeModelIds }: Pick<Judging, 'judgeModelIds'>,
  askJudge: (judgeModelId: string) => Promise<Verdict>,
  { inTurn = false } = {},
): Promise<PanelVerdicts<Verdict>> {
  const ask = async (judgeModelId: string): Promise<Reply<Verdict>> => {
    try {
      return { verdict: await askJudge(judgeModelId) }
    } catch (error) {
      // Anything else stops the run: it was cancelled, or the budget is used up.
      if (!(error instanceof ScoringError)) throw error
      return { failure: error, judgeModelId }
    }
  }
  const replies: Reply<Verdict>[] = []
  if (inTurn) for (const judgeModelId of judgeModelIds) replies.push(await ask(judgeModelId))
  else replies.push(...(await Promise.all(judgeModelIds.map(ask))))

  const verdicts = replies.flatMap((reply) => ('verdict' in reply ? [reply.verdict] : []))
  const failed = replies.flatMap((reply) => ('failure' in reply ? [reply] : []))
  if (failed.length > verdicts.length) throw refuse(failed.map(({ failure }) => failure))
  return {
    verdicts,
    missing: failed.map(({ failure, judgeModelId }) => ({ judgeModelId, reason: describeFailure(failure) })),
  }
}

/** For the notes of a score: `without b: it gave no readable grade`. */
export function noteMissing(missing: readonly MissingJudge[]): string[] {
  return missing.map(({ judgeModelId, reason }) => `without ${judgeModelId}: ${reason}`)
}
