import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import type { ComparedCase } from '../../../server/results/compare/changed-cases.ts'
import type { TextDiff } from '../case/word-diff.ts'
import { Link, useAddress } from '../../router.tsx'
import { describeCell, formatCount } from '../../../report/words/index.ts'
import { Panel } from '../../ui/Page.tsx'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { caseAddress } from '../addresses.ts'
import { Repeats } from '../case/AnswerColumn.tsx'
import { useDiff } from '../case/DiffText.tsx'
import { ScoreDetails } from '../case/ScoreDetails.tsx'
import { chooseAnswer } from './choose-answer.ts'
import { labelPair } from './compare-address.ts'
import { describeDiff, MarkedText } from './SideBySide.tsx'

interface ColumnProps {
  side: 'a' | 'b'
  label: string
  cell: ComparedCase['change']['before']
  answers: AnswerDetail[]
  answer: AnswerDetail | undefined
  diff: TextDiff | undefined
  wholeCase: string
  onRun: (runId: string) => void
}

function Column({ side, label, cell, answers, answer, diff, wholeCase, onRun }: ColumnProps) {
  const text = answer?.result.response
  const calls = answer?.result.toolCalls ?? []
  return (
    <Panel className="flex flex-col">
      <section aria-label={`${side.toUpperCase()}: ${label}`} className="flex min-w-0 flex-1 flex-col">
        <div className="flex items-center gap-2 border-b border-line px-3 py-1.5">
          <span className="font-semibold text-muted">{side.toUpperCase()}</span>
          <h2 className="min-w-0 flex-1 truncate text-[13px] font-semibold" title={label}>
            {label}
          </h2>
          <span className="rounded px-2 font-semibold tabular-nums" style={scoreStyle(cell?.score)}>
            {describeCell(cell)}
          </span>
        </div>
        {answer && <Repeats answers={answers} chosen={answer} onRun={onRun} />}
        {text === undefined && (
          <p className="px-3 py-2 text-muted">{cell?.state === 'error' ? 'No answer.' : 'Not run.'}</p>
        )}
        {text === '' && calls.length === 0 && <p className="px-3 py-2 text-muted">The answer is empty.</p>}
        {text !== undefined && text !== '' && (
          <MarkedText label={`Answer of ${side.toUpperCase()}`} text={text} diff={diff} side={side} />
        )}
        {calls.length > 0 && (
          <pre
            tabIndex={0}
            role="group"
            aria-label={`Tool calls of ${side.toUpperCase()}`}
            className="max-h-80 overflow-auto border-t border-line px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap"
          >
            {JSON.stringify(calls, null, 2)}
          </pre>
        )}
        {answer && (
          <div className="mt-auto flex flex-col gap-2 border-t border-line px-3 py-2">
            {answer.responseLength > (text?.length ?? 0) && (
              <p className="text-[13px] text-muted">
                {formatCount(text?.length ?? 0)} of {formatCount(answer.responseLength)} characters are shown.
              </p>
            )}
            <ScoreDetails answer={answer} />
            <Link to={wholeCase} className="w-fit text-[13px] text-accent-ink hover:underline">
              Open the case
            </Link>
          </div>
        )}
      </section>
    </Panel>
  )
}

/** What each side answered, with the words that only one of them has marked. */
export function ComparedAnswers({
  detail,
  models: [modelA, modelB],
  selections,
}: {
  detail: ComparedCase
  models: readonly [string, string]
  selections: readonly [string, string]
}) {
  const [address, changeQuery] = useAddress()
  const choose = (side: 'a' | 'b') =>
    chooseAnswer(detail[side].answers, { runId: address.get(`r${side}`), kind: detail.change.kind, side })
  const [a, b] = [choose('a'), choose('b')]
  const [textA, textB] = [a?.result.response, b?.result.response]
  const diff = useDiff(textA, textB ?? '')
  const shown = textA === undefined || textB === undefined ? undefined : diff
  const message = describeDiff(shown)
  const { id, before, after } = detail.change
  const labels = labelPair(detail, { modelA, modelB })
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {shown && (
        <p className="text-xs text-muted">
          {'parts' in shown && (
            <>
              <del className="bg-removed text-ink no-underline">only in A</del>{' '}
              <ins className="bg-added text-ink">only in B</ins>{' '}
            </>
          )}
          {message}
        </p>
      )}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        <Column
          side="a"
          label={labels[0]}
          cell={before}
          answers={detail.a.answers}
          answer={a}
          diff={shown}
          wholeCase={caseAddress(selections[0], { id, model: modelA })}
          onRun={(run) => changeQuery({ ra: run })}
        />
        <Column
          side="b"
          label={labels[1]}
          cell={after}
          answers={detail.b.answers}
          answer={b}
          diff={shown}
          wholeCase={caseAddress(selections[1], { id, model: modelB })}
          onRun={(run) => changeQuery({ rb: run })}
        />
      </div>
    </div>
  )
}
