import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { caseAddress } from '../results/addresses.ts'
import { Link, type ScreenProps, useAddress } from '../router.tsx'
import { Button, buttonClass } from '../ui/Button.tsx'
import { EmptyState, FailureNotice } from '../ui/Notice.tsx'
import { BackLink, Page, Section } from '../ui/Page.tsx'
import { isInProgress } from '../../contract/index.ts'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { useRef, useState } from 'react'
import { useKept } from '../ui/use-kept.ts'
import { VariableFields } from '../suites/case/VariableFields.tsx'
import { TextArea } from '../ui/form/Field.tsx'
import { AnswersSideBySide } from './AnswersSideBySide.tsx'
import { ExperimentBar } from './ExperimentBar.tsx'
import { CaseScope } from './CaseScope.tsx'
import { ChangeVerdict } from './ChangeVerdict.tsx'
import { KeepChange } from './KeepChange.tsx'
import { ModelFields } from './ModelFields.tsx'
import {
  describeExperiment,
  findBudgetErrors,
  findNumberErrors,
  listChosen,
  readBudget,
  readEdit,
  readJudges,
  createDraft,
  type Draft,
} from './playground-draft.ts'
import { QuestionFields } from './QuestionFields.tsx'
import { makeExperiment, type Origin, useOutcome } from './use-experiment.ts'
import { z } from 'zod'
import type { PlaygroundOutcome } from '../../server/playground/outcome.ts'
import { answeredTable } from '../../report/tables/comparing.ts'
import { formatCount } from '../../report/words/index.ts'
import { DataTable } from '../ui/table/DataTable.tsx'

/** The cases that were run again, largest changes first. Choosing one shows its answers. */
function PairTable({
  outcome: { pairs, cells },
  shownCase,
  onShow,
}: {
  outcome: PlaygroundOutcome
  shownCase: string
  onShow: (caseId: string) => void
}) {
  return (
    <Section
      title="Cases"
      aside={
        pairs.length < cells.total && `The ${formatCount(pairs.length)} largest changes of ${formatCount(cells.total)}`
      }
    >
      <DataTable
        label="Cases before and after"
        columns={answeredTable}
        rows={pairs}
        keyOf={({ testCaseId }) => testCaseId}
        isChosen={({ testCaseId }) => testCaseId === shownCase}
        draw={{
          case: ({ testCaseId, title }) => (
            <button
              type="button"
              aria-pressed={testCaseId === shownCase}
              title={`${testCaseId}: ${title}`}
              onClick={() => onShow(testCaseId)}
              className="block w-full truncate text-left font-normal hover:underline"
            >
              {testCaseId} <span className="text-muted">{title}</span>
            </button>
          ),
        }}
      />
    </Section>
  )
}

const textSchema = z.string()
const draftSchema = z.object({
  prompt: textSchema,
  messages: z.custom<NonNullable<Draft['messages']>>((value) => Array.isArray(value)).optional(),
  vars: z.unknown(),
  systemPrompt: textSchema,
  modelId: textSchema,
  numbers: z.object({
    temperature: textSchema,
    maxTokens: textSchema,
    topP: textSchema,
    frequencyPenalty: textSchema,
    presencePenalty: textSchema,
  }),
  benchmarkMode: z.boolean(),
  judges: textSchema,
  scope: z.enum(['case', 'failed', 'chosen', 'all']),
  chosen: z.array(textSchema),
  budget: textSchema,
})

/** What the user has typed, kept for this tab. */
function useDraft(start: PlaygroundStart, id: string): [Draft, (changes: Partial<Draft>) => void, () => void] {
  const original = createDraft(start)
  const [{ messages, ...rest }, setDraft] = useKept(`playground:${id}`, draftSchema, original)
  const draft = { ...rest, ...(messages && { messages }) }
  return [draft, (changes) => setDraft({ ...draft, ...changes }), () => setDraft(original)]
}

/** The fields on the left, what came of them on the right. */
function Workbench({ origin, start }: { origin: Origin; start: PlaygroundStart }) {
  const { runId, caseId, contestant } = origin
  const [address, changeAddress] = useAddress()
  const [draft, change, reset] = useDraft(start, JSON.stringify([runId, caseId, contestant]))
  const [isDiff, setDiff] = useState(true)
  const [askedText, setAskedText] = useState<string>()
  const outcomeBox = useRef<HTMLDivElement>(null)
  const experimentId = address.get('experiment') ?? undefined
  const shownCase = address.get('show') ?? caseId
  const outcome = useOutcome(origin, experimentId)
  const edit = readEdit(draft, start)
  const cases = listChosen(draft, start, caseId)
  const reasons = [
    ...Object.values(findNumberErrors(draft)),
    ...findBudgetErrors(draft),
    ...(draft.modelId.trim() === '' ? ['Name a model.'] : []),
    ...(cases?.length === 0 ? ['Choose at least one case.'] : []),
  ]
  const experiment =
    reasons.length === 0
      ? makeExperiment(origin, edit, {
          cases,
          judges: start.needsJudge ? readJudges(draft) : undefined,
          maxCost: readBudget(draft),
        })
      : undefined
  const experimentText = experiment && JSON.stringify(experiment)
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
          onChange={(text) => change({ systemPrompt: text })}
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
        <ExperimentBar
          origin={origin}
          experiment={experiment}
          reasons={reasons}
          description={describeExperiment(edit, { caseId, ids: cases, total: start.total })}
          liveId={outcome.data && isInProgress(outcome.data.state) ? experimentId : undefined}
          onStarted={(id) => {
            setAskedText(experimentText)
            changeAddress({ experiment: id, show: undefined })
            // On a narrow screen it is far below the button.
            outcomeBox.current?.scrollIntoView({ block: 'nearest' })
          }}
        />
      </div>
      <div ref={outcomeBox} className="flex min-w-0 scroll-mt-4 flex-col gap-5">
        <FailureNotice
          failure={outcome.error}
          title="The new answers could not be loaded"
          action={<Button onClick={() => changeAddress({ experiment: undefined })}>Start over</Button>}
        />
        {outcome.data && experimentId !== undefined && (
          <ChangeVerdict
            outcome={outcome.data}
            runId={runId}
            experimentId={experimentId}
            isOutdated={askedText !== undefined && askedText !== experimentText}
          />
        )}
        <AnswersSideBySide
          origin={origin}
          shownCase={shownCase}
          experimentId={outcome.error ? undefined : experimentId}
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

/** Change something about a stored answer's case, run it again, and see whether it helped. */
export function Playground({ params }: ScreenProps) {
  const runId = params['runId'] ?? ''
  const [address] = useAddress()
  const [caseId, contestant] = [address.get('case') ?? '', address.get('model') ?? '']
  const start = useQuery({
    queryKey: ['playgroundStart', runId, caseId, contestant],
    queryFn: () =>
      readReply(api.playground[':runId'].$get({ param: { runId }, query: { case: caseId, model: contestant } })),
    enabled: caseId !== '' && contestant !== '',
    retry: false,
    // What the user sees must not change under what is typed.
    refetchOnWindowFocus: false,
  })
  const isRefused = start.error instanceof ApiFailure && start.error.status === 422
  const back = caseAddress(runId, { id: caseId, model: contestant })
  const toResults = (
    <Link to="/results" className={buttonClass('primary')}>
      All results
    </Link>
  )
  return (
    <Page
      title="Try a change"
      subtitle={
        <div className="flex flex-wrap items-center gap-x-2">
          <BackLink to={back}>{caseId === '' ? 'Case' : caseId}</BackLink>
          {start.data && <span className="break-words">{start.data.suiteName}</span>}
        </div>
      }
    >
      {isRefused ? (
        <EmptyState title="This case cannot be run again." action={toResults}>
          {start.error?.message}
        </EmptyState>
      ) : (
        <Loaded
          query={start}
          what="the case"
          rows={10}
          missing={
            <EmptyState title="There is no such answer." action={toResults}>
              The run may have been deleted. Open a case of a run and choose “Try a change”.
            </EmptyState>
          }
        >
          {(loaded) => (
            <Workbench
              key={`${runId}\n${caseId}\n${contestant}`}
              origin={{ runId, caseId, contestant }}
              start={loaded}
            />
          )}
        </Loaded>
      )}
    </Page>
  )
}
