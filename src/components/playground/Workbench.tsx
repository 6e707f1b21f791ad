import { isInProgress } from '../../contract/index.ts'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { useRef, useState } from 'react'
import { useAddress } from '../router.tsx'
import { VariableFields } from '../suites/case/VariableFields.tsx'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { AnswersSideBySide } from './AnswersSideBySide.tsx'
import { AskBar } from './AskBar.tsx'
import { CaseScope } from './CaseScope.tsx'
import { ChangeVerdict } from './ChangeVerdict.tsx'
import { KeepChange } from './KeepChange.tsx'
import { ModelFields } from './ModelFields.tsx'
import { PairTable } from './PairTable.tsx'
import {
  describeAsk,
  findBudgetErrors,
  findNumberErrors,
  listAsked,
  readBudget,
  readEdit,
  readJudges,
} from './playground-draft.ts'
import { QuestionFields } from './QuestionFields.tsx'
import { makeAsk, useOutcome, type Origin } from './use-ask.ts'
import { useDraft } from './use-draft.ts'

/** The fields on the left, what came of them on the right. */
export function Workbench({ origin, start }: { origin: Origin; start: PlaygroundStart }) {
  const { runId, caseId, contestant } = origin
  const [address, changeAddress] = useAddress()
  const [draft, change, reset] = useDraft(start, JSON.stringify([runId, caseId, contestant]))
  const [isDiff, setDiff] = useState(true)
  const [askedText, setAskedText] = useState<string>()
  const outcomeBox = useRef<HTMLDivElement>(null)
  const askId = address.get('ask') ?? undefined
  const shownCase = address.get('show') ?? caseId
  const outcome = useOutcome(origin, askId)
  const edit = readEdit(draft, start)
  const cases = listAsked(draft, start, caseId)
  const reasons = [
    ...Object.values(findNumberErrors(draft)),
    ...findBudgetErrors(draft),
    ...(draft.modelId.trim() === '' ? ['Name a model.'] : []),
    ...(cases?.length === 0 ? ['Choose at least one case.'] : []),
  ]
  const ask =
    reasons.length === 0
      ? makeAsk(origin, edit, {
          cases,
          judges: start.needsJudge ? readJudges(draft) : undefined,
          maxCost: readBudget(draft),
        })
      : undefined
  const askText = ask && JSON.stringify(ask)
  const isChanged = Object.keys(edit).length > 0
  return (
    <div className="grid min-w-0 grid-cols-[minmax(0,1fr)] gap-x-8 gap-y-6 xl:grid-cols-[400px_minmax(0,1fr)]">
      <div className="flex min-w-0 flex-col gap-4">
        <QuestionFields start={start} caseId={caseId} draft={draft} onChange={change} />
        {start.question && (
          <VariableFields value={draft.vars} error={undefined} onChange={(vars) => change({ vars })} />
        )}
        <TextArea
          label="System prompt"
          hint="For all cases that are run. Leave empty to send none."
          rows={3}
          value={draft.systemPrompt}
          onChange={({ target }) => change({ systemPrompt: target.value })}
        />
        <ModelFields start={start} draft={draft} onChange={change} />
        <CaseScope start={start} caseId={caseId} draft={draft} onChange={change} />
        {isChanged && (
          <div>
            <Button kind="quiet" className="-ml-3" onClick={reset}>
              Undo all changes
            </Button>
          </div>
        )}
        <AskBar
          origin={origin}
          ask={ask}
          reasons={reasons}
          description={describeAsk(edit, { caseId, ids: cases, total: start.total })}
          liveId={outcome.data && isInProgress(outcome.data.state) ? askId : undefined}
          onStarted={(id) => {
            setAskedText(askText)
            changeAddress({ ask: id, show: undefined })
            // On a narrow screen it is far below the button.
            outcomeBox.current?.scrollIntoView({ block: 'nearest' })
          }}
        />
      </div>
      <div ref={outcomeBox} className="flex min-w-0 scroll-mt-4 flex-col gap-5">
        <FailureNotice
          failure={outcome.error}
          title="The new answers could not be loaded"
          action={<Button onClick={() => changeAddress({ ask: undefined })}>Start over</Button>}
        />
        {outcome.data && askId !== undefined && (
          <ChangeVerdict
            outcome={outcome.data}
            runId={runId}
            askId={askId}
            isOutdated={askedText !== undefined && askedText !== askText}
          />
        )}
        <AnswersSideBySide
          origin={origin}
          shownCase={shownCase}
          askId={outcome.error ? undefined : askId}
          outcome={outcome.data}
          isDiff={isDiff}
          onDiff={setDiff}
        />
        {isChanged && <KeepChange origin={origin} start={start} edit={edit} />}
        {outcome.data && outcome.data.cells.total > 1 && (
          <PairTable
            outcome={outcome.data}
            shownCase={shownCase}
            onShow={(id) => changeAddress({ show: id === caseId ? undefined : id })}
          />
        )}
      </div>
    </div>
  )
}
