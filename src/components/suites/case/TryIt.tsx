import { useApp } from '../../queries.ts'
import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { ApiFailure, readReply } from '../../api-request.ts'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/form/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { useSettled } from '../../ui/use-settled.ts'
import { ModelSelect } from '../../ui/names/ModelSelect.tsx'
import { findJsonError, parseJsonText } from './option-fields.ts'
import { findGraders, takesToolCalls } from './scoring-shape.ts'
import { type Fields, listOf, textOf } from '../suite-draft.ts'
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

function ScoreView({ tried }: { tried: TriedScore }) {
  if ('score' in tried) return <ScoreDetails score={tried.score} passed={tried.passed} />
  return (
    <div className="flex flex-col items-start gap-1">
      <Badge kind="warning">unscored: {tried.unscored.code}</Badge>
      <p className="break-words">{tried.unscored.message}</p>
      <p className="text-muted">Unscored cells are not counted in any mean.</p>
    </div>
  )
}

interface TryItProps {
  testCase: Fields
  judgeSystemPrompt: unknown
  /** The pass mark of the suite. */
  suitePassAt: unknown
  /** The embedding model of the suite. */
  suiteEmbeddingModel: unknown
  suitePreset: unknown
  scorers: ScorerInfo[]
}

interface Trial {
  testCase: Fields
  response: string
  calls: string
  judgePrompt: string
  passAt: unknown
  embeddingModel: unknown
  preset: unknown
}

async function tryAnswer(trial: Trial, judge?: string) {
  const { testCase, response, calls, judgePrompt, passAt, embeddingModel, preset } = trial
  const toolCalls = takesToolCalls(testCase)
    ? listOf(parseJsonText(calls)).map((call) => ({ name: textOf(call['name']), arguments: call['arguments'] ?? {} }))
    : undefined
  return readReply(
    api.suites.try.$post({
      json: {
        testCase,
        response,
        toolCalls,
        passAt,
        embeddingModel,
        preset,
        ...(judge !== undefined && {
          judgeModelIds: [judge],
          ...(judgePrompt !== '' && { judgeSystemPrompt: judgePrompt }),
        }),
      },
    }),
  )
}

function Refused({ failure }: { failure: unknown }) {
  const problems = failure instanceof ApiFailure ? failure.problems : []
  return (
    <Notice kind="warning" title="This cannot be scored yet">
      {problems.length > 0
        ? problems.slice(0, 5).map(({ path, message }) => <div key={`${path.join('.')}${message}`}>{message}</div>)
        : failure instanceof Error
          ? failure.message
          : String(failure)}
    </Notice>
  )
}

/** Scores after each pause in typing: without a judge or embeddings, scoring is free. */
function LocalScore({ trial }: { trial: Trial }) {
  const settled = useSettled(trial, 250)
  const isBlank = settled.response === '' && settled.calls === ''
  const tried = useQuery({
    queryKey: ['tryScorer', settled],
    queryFn: () => tryAnswer(settled),
    enabled: !isBlank && findJsonError(settled.calls) === undefined,
    placeholderData: (before) => before,
    staleTime: Infinity,
    gcTime: 10_000,
    refetchOnWindowFocus: false,
  })
  if (isBlank) return <p className="text-muted">The score appears here as you type.</p>
  if (tried.error) return <Refused failure={tried.error} />
  return tried.data ? <ScoreView tried={tried.data} /> : <p className="text-muted">Scoring…</p>
}

function JudgedScore({ trial }: { trial: Trial }) {
  const app = useApp()
  const [chosen, setChosen] = useState<string>()
  const judge = chosen ?? app.data?.defaultJudge ?? ''
  const tried = useSingleMutation({ mutationFn: (input: Trial) => tryAnswer(input, judge) })
  return (
    <>
      <ModelSelect
        label="Judge"
        hint="A judge can cost money, so it runs only when you click the button"
        value={judge}
        onChange={setChosen}
      />
      <div>
        <Button disabled={judge === '' || tried.isPending} onClick={() => tried.mutate(trial)}>
          {tried.isPending ? 'Judging…' : 'Score with the judge'}
        </Button>
      </div>
      {tried.data && tried.variables !== trial && <p className="text-muted">Before your last change:</p>}
      {tried.error ? <Refused failure={tried.error} /> : tried.data && <ScoreView tried={tried.data} />}
    </>
  )
}

function EmbeddedScore({ trial }: { trial: Trial }) {
  const tried = useSingleMutation({ mutationFn: (input: Trial) => tryAnswer(input) })
  return (
    <>
      <p className="text-muted">Embeddings can cost money, so they are requested only when you click the button.</p>
      <div>
        <Button disabled={trial.response.trim() === '' || tried.isPending} onClick={() => tried.mutate(trial)}>
          {tried.isPending ? 'Comparing…' : 'Score with embeddings'}
        </Button>
      </div>
      {tried.data && tried.variables !== trial && <p className="text-muted">Before your last change:</p>}
      {tried.error ? <Refused failure={tried.error} /> : tried.data && <ScoreView tried={tried.data} />}
    </>
  )
}

/** Shows how an answer would score. Nothing is saved. */
export function TryIt({
  testCase,
  judgeSystemPrompt,
  suitePassAt,
  suiteEmbeddingModel,
  suitePreset,
  scorers,
}: TryItProps) {
  const [response, setResponse] = useState('')
  const [calls, setCalls] = useState('')
  // The same object while the content is the same: a new one on every render would never settle.
  const current: Trial = {
    testCase,
    response,
    calls,
    judgePrompt: textOf(judgeSystemPrompt),
    passAt: suitePassAt,
    embeddingModel: suiteEmbeddingModel,
    preset: suitePreset,
  }
  const [trial, setTrial] = useState(current)
  if (
    trial.testCase !== current.testCase ||
    trial.response !== response ||
    trial.calls !== calls ||
    trial.judgePrompt !== current.judgePrompt ||
    trial.passAt !== suitePassAt ||
    trial.embeddingModel !== suiteEmbeddingModel ||
    trial.preset !== suitePreset
  )
    setTrial(current)
  const { judge, embeddings } = findGraders(testCase, scorers)
  const Score = judge ? JudgedScore : embeddings ? EmbeddedScore : LocalScore
  return (
    <section aria-label="Try it" className="flex min-w-0 flex-col gap-3 rounded-lg border border-line bg-surface p-3">
      <h2 className="text-[15px] font-semibold">Try it</h2>
      <TextArea
        label="Answer to try"
        isLabelHidden
        placeholder="An answer a model might give"
        rows={4}
        value={response}
        onChange={setResponse}
      />
      {takesToolCalls(testCase) && (
        <TextArea
          label="Tool calls to try"
          hint={'As JSON: [{ "name": "…", "arguments": { … } }]'}
          error={findJsonError(calls)}
          rows={4}
          value={calls}
          onChange={setCalls}
        />
      )}
      <div aria-live="polite" className="flex flex-col gap-3">
        <Score trial={trial} />
      </div>
    </section>
  )
}
