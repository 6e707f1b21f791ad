import type { TriedScore } from '../../../server/suites/try-scorer.ts'
import type { ScoringResult } from '../../../contract/index.ts'
import { Badge } from '../../ui/Badge.tsx'
import { formatScore } from '../../../report/words/index.ts'
import { ModelName } from '../../ui/names/ModelName.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'

function ScoreMark({ score }: { score: number }) {
  return (
    <span className="inline-block min-w-14 rounded px-1.5 text-right tabular-nums" style={scoreStyle(score)}>
      {formatScore(score)}
    </span>
  )
}

/** The score with its notes, and each check and judge. */
function ScoreDetails({ score, passed }: { score: ScoringResult; passed: boolean }) {
  const isJudgeReasoning = score.judges?.some(({ reasoning }) => reasoning === score.notes) ?? false
  return (
    <div className="flex flex-col gap-3">
      <div className="flex items-baseline gap-2">
        <span className="text-base font-semibold">
          <ScoreMark score={score.score} />
        </span>
        <span className="text-muted">of 100</span>
        <span className={passed ? 'text-muted' : 'text-warning'}>{passed ? 'passed' : 'failed'}</span>
      </div>
      {score.notes !== undefined && !isJudgeReasoning && (
        <p className="break-words whitespace-pre-line">{score.notes}</p>
      )}
      {score.checks && (
        <ul className="flex flex-col gap-2">
          {[...score.checks.entries()].map(([index, check]) => (
            <li key={index} className="border-t border-line pt-2">
              <div className="flex flex-wrap items-baseline gap-2">
                <ScoreMark score={check.score} />
                <span className="font-medium">{check.scoringMethod}</span>
                <span className="text-xs text-muted">weight {check.weight}</span>
              </div>
              {check.notes !== undefined && <p className="break-words text-muted">{check.notes}</p>}
            </li>
          ))}
        </ul>
      )}
      {score.judges && (
        <ul className="flex flex-col gap-2">
          {score.judges.map((verdict) => (
            <li key={verdict.judgeModelId} className="border-t border-line pt-2">
              <div className="flex items-baseline gap-2">
                <ScoreMark score={verdict.score} />
                <ModelName id={verdict.judgeModelId} withBadge={false} />
              </div>
              <p className="break-words whitespace-pre-line text-muted">{verdict.reasoning}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

export function ScoreView({ tried }: { tried: TriedScore }) {
  if ('score' in tried) return <ScoreDetails score={tried.score} passed={tried.passed} />
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge kind="warning">unscored: {tried.unscored.code}</Badge>
      <p className="break-words">{tried.unscored.message}</p>
      <p className="text-muted">Unscored cells are not counted in any mean.</p>
    </div>
  )
}
