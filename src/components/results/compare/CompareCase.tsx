import { Loaded, isMissing } from '../../ui/Loaded.tsx'
import type { ComparedCase } from '../../../server/results/compare/changed-cases.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { useNamesShown } from '../../code-arena/vote/voter.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, useAddress } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { formatCount, describeCell } from '../../../report/words/index.ts'
import { Notice } from '../../ui/Notice.tsx'
import { BackLink, Page, Panel } from '../../ui/Page.tsx'
import { TextBox } from '../case/CasePrompt.tsx'
import { CaseSteps, NoSuchCase } from '../case/CaseSteps.tsx'
import { useStepKeys } from '../../ui/keys.ts'
import { comparedCaseAddress, comparisonAddress, readCompareQuery, labelPair } from './compare-address.ts'
import type { AnswerDetail } from '../../../server/results/cases/case-detail.ts'
import type { TextDiff } from '../case/word-diff.ts'
import { scoreStyle } from '../../ui/charts/score-colour.ts'
import { caseAddress } from '../addresses.ts'
import { Repeats } from '../case/AnswerColumn.tsx'
import { useDiff } from '../case/DiffText.tsx'
import { ScoreDetails } from '../case/ScoreDetails.tsx'
import { chooseAnswer, splitDiff } from './compared-answers.ts'
import { describeComparedCase } from '../../../report/words/verdicts/pairs/changes.ts'

/** A text in which what the other one does not have is marked, by underline as well as by colour. */
function MarkedText({
  label,
  text,
  diff,
  side,
}: {
  label: string
  text: string
  diff: TextDiff | undefined
  side: 'a' | 'b'
}) {
  const Mark = side === 'a' ? 'del' : 'ins'
  return (
    <pre
      tabIndex={0}
      role="group"
      aria-label={label}
      className="max-h-[36rem] min-w-0 overflow-auto px-3 py-2 font-mono text-[13px] leading-5 break-words whitespace-pre-wrap"
    >
      {diff && 'parts' in diff
        ? splitDiff(diff)[side].map((part, index) =>
            part.isOwn ? (
              // oxlint-disable-next-line react/no-array-index-key
              <Mark key={index} className={side === 'a' ? 'bg-removed no-underline' : 'bg-added'}>
                {part.text}
              </Mark>
            ) : (
              part.text
            ),
          )
        : text}
    </pre>
  )
}

/** What a reader should know about the marks, where they do not speak for themselves. */
const messages: Partial<Record<TextDiff['kind'], string>> = {
  same: 'Both answers are the same.',
  lines: 'Marked by line, because the texts are long.',
  'too-long': 'The texts are too long to mark their differences.',
  'too-different': 'The texts have too little in common to mark their differences.',
}

/** Two texts with their differences. */
function SideBySide({ label, a, b }: { label: string; a: string; b: string }) {
  const diff = useDiff(a, b)
  return (
    <div className="grid divide-line max-lg:divide-y lg:grid-cols-2 lg:divide-x">
      <MarkedText label={`${label} in A`} text={a} diff={diff} side="a" />
      <MarkedText label={`${label} in B`} text={b} diff={diff} side="b" />
    </div>
  )
}

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
function ComparedAnswers({
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
  const message = shown && messages[shown.kind]
  const { id, before, after } = detail.change
  const labels = labelPair(detail, { before: modelA, after: modelB })
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

/** One text if both sides have the same, else both with their differences. */
function CaseText({ title, a, b }: { title: string; a: string | undefined; b: string | undefined }) {
  if (a === undefined && b === undefined) return null
  return (
    <Panel>
      <h2 className="border-b border-line px-3 py-1.5 text-[13px] font-medium">
        {title}
        {a !== b && <span className="font-normal text-muted"> is not the same in A and B</span>}
      </h2>
      {a === b ? <TextBox label={title} text={a ?? ''} /> : <SideBySide label={title} a={a ?? ''} b={b ?? ''} />}
    </Panel>
  )
}

/** The answers of two columns to one case, side by side. */
export function CompareCase() {
  const [address] = useAddress()
  const { a, b, filter, changed } = readCompareQuery(address)
  const [id, modelA, modelB] = ['id', 'pa', 'pb'].map((name) => address.get(name) ?? '') as [string, string, string]
  const isComplete = [a, b, id, modelA, modelB].every((part) => part !== '')
  const detail = useQuery({
    queryKey: ['comparedCase', a, b, modelA, modelB, filter, changed, id],
    queryFn: () => readReply(api.compare.case.$get({ query: { a, b, modelA, modelB, filter, changed, id } })),
    placeholderData: keepPreviousData,
    enabled: isComplete,
  })
  const goTo = (next: string | undefined) => {
    if (next !== undefined) navigate(comparedCaseAddress(address, { id: next, modelA, modelB }))
  }
  useStepKeys((by) => goTo(by > 0 ? detail.data?.nextId : detail.data?.previousId))
  const data = isMissing(detail.error) ? undefined : detail.data
  useNamesShown(data?.a.kind, data?.a.runIds)
  useNamesShown(data?.b.kind, data?.b.runIds)
  return (
    <Page
      title={data?.change.id ?? 'Case'}
      subtitle={
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1" aria-live="polite">
          <BackLink to={comparisonAddress(address)}>Comparison</BackLink>
          {data && <span>{describeComparedCase(data)}</span>}
        </div>
      }
      actions={data && <CaseSteps detail={data} goTo={goTo} />}
    >
      <Loaded
        query={detail}
        what="the answers"
        rows={10}
        missing={<NoSuchCase title="There is no such case in this comparison." back={comparisonAddress(address)} />}
      >
        {(shown) => (
          <div className={classes('flex min-w-0 flex-col gap-4', detail.isPlaceholderData && 'opacity-60')}>
            {shown.change.changed && (
              <Notice kind="warning">
                This case changed between the runs, so the two scores do not measure the same.
              </Notice>
            )}
            <div className="grid gap-4 lg:grid-cols-[3fr_2fr]">
              <CaseText title="Prompt" a={shown.a.prompt} b={shown.b.prompt} />
              <CaseText title="Expected output" a={shown.a.expectedOutput} b={shown.b.expectedOutput} />
            </div>
            <ComparedAnswers detail={shown} models={[modelA, modelB]} selections={[a, b]} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
