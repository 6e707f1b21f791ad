import { Loaded, isMissing } from '../../ui/Loaded.tsx'
import type { CaseDetail } from '../../../server/results/cases/case-detail.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../../api.ts'
import { useNamesShown } from '../../code-arena/vote/voter.ts'
import { readReply } from '../../api-request.ts'
import { navigate, useAddress, type ScreenProps } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { classes } from '../../ui/classes.ts'
import { formatCount, formatScore, passMark } from '../../../report/words/index.ts'
import { CutName } from '../../ui/names/ModelName.tsx'
import { BackLink, Page } from '../../ui/Page.tsx'
import { describeSimulated } from '../../../report/words/models.ts'
import { caseAddress, chooseShown, encodeNames, parseNames, viewAddress } from '../addresses.ts'
import { AnswerColumn } from './AnswerColumn.tsx'
import { answerViews, readAnswerView } from './answer-views.ts'
import { CasePrompt } from './CasePrompt.tsx'
import { CaseSteps, NoSuchCase } from './CaseSteps.tsx'
import { useStepKeys } from '../../ui/keys.ts'
import { addressOfFilters, filterOf, readCaseQuery } from '../grid/case-query.ts'
import { meanOf } from '../../../statistics/numbers/weighted-moments.ts'

const MAX_SIDE_BY_SIDE = 3
const REFRESH_MS = 2000

/** One view for all answers, so that they can be compared. */
function ViewChoice({ view, onChange }: { view: string; onChange: (view: string) => void }) {
  return (
    <div role="group" aria-label="Show answers as" className="flex flex-wrap">
      {Object.entries(answerViews).map(([id, label]) => (
        <button
          key={id}
          type="button"
          aria-pressed={view === id}
          onClick={() => onChange(id)}
          className={classes(
            'h-8 border border-line px-3 -ml-px first:ml-0 first:rounded-l-md last:rounded-r-md',
            view === id ? 'bg-accent-soft font-medium text-accent-ink' : 'bg-surface hover:bg-hover',
          )}
        >
          {label}
        </button>
      ))}
    </div>
  )
}

function meanScore(answers: CaseDetail['models'][number]['answers']): number | undefined {
  const scores = answers.flatMap(({ result }) => result.score?.score ?? [])
  return scores.length === 0 ? undefined : meanOf(scores)
}

function countPassed(answers: CaseDetail['models'][number]['answers']): { passed: number; scored: number } {
  return {
    passed: answers.filter(({ passed }) => passed).length,
    scored: answers.filter(({ passed }) => passed !== undefined).length,
  }
}

/** The models to show side by side: at most three. */
function ModelChips({
  detail,
  shown,
  onChange,
}: {
  detail: CaseDetail
  shown: string[]
  onChange: (shown: string[]) => void
}) {
  if (detail.models.length <= 1) return null
  const toggle = (model: string) => {
    if (shown.includes(model)) onChange(shown.filter((other) => other !== model))
    else onChange([...shown, model].slice(-MAX_SIDE_BY_SIDE))
  }
  return (
    <div role="group" aria-label="Models side by side" className="flex flex-wrap gap-1">
      {detail.models.map(({ modelId, answers }) => {
        const isShown = shown.includes(modelId)
        return (
          <button
            key={modelId}
            type="button"
            aria-pressed={isShown}
            disabled={isShown && shown.length === 1}
            onClick={() => toggle(modelId)}
            className={classes(
              'flex h-7 max-w-60 items-center gap-1.5 rounded-md border px-2 text-[13px]',
              isShown ? 'border-accent bg-accent-soft text-accent-ink' : 'border-line bg-surface hover:bg-hover',
            )}
          >
            <CutName name={modelId} />
            <span className="tabular-nums">{formatScore(meanScore(answers))}</span>
            <span>{passMark(countPassed(answers))}</span>
          </button>
        )
      })}
    </div>
  )
}

function CaseContent({ selection, detail }: { selection: string; detail: CaseDetail }) {
  const [address, changeQuery] = useAddress()
  const models = detail.models.map(({ modelId }) => modelId)
  const shown = chooseShown(models, {
    show: parseNames(address.get('show')),
    model: address.get('model'),
    max: MAX_SIDE_BY_SIDE,
  })
  const view = readAnswerView(address.get('view'))
  return (
    <>
      <CasePrompt detail={detail} />
      <div className="sticky top-0 z-4 -mx-4 flex flex-wrap items-center gap-x-4 gap-y-2 border-b border-line bg-canvas px-4 py-2 max-md:static md:-mx-6 md:px-6">
        <ViewChoice view={view} onChange={(next) => changeQuery({ view: next === 'answer' ? undefined : next })} />
        <ModelChips detail={detail} shown={shown} onChange={(next) => changeQuery({ show: encodeNames(next) })} />
      </div>
      <div
        className={classes(
          'grid min-w-0 gap-4',
          shown.length === 2 && 'lg:grid-cols-2',
          shown.length === 3 && 'lg:grid-cols-2 xl:grid-cols-3',
        )}
      >
        {detail.models
          .filter(({ modelId }) => shown.includes(modelId))
          .toSorted((a, b) => shown.indexOf(a.modelId) - shown.indexOf(b.modelId))
          .map((model) => (
            <AnswerColumn
              key={`${detail.id}\n${model.modelId}`}
              selection={selection}
              detail={detail}
              model={model}
              view={view}
              run={address.get('run')}
              onRun={(run) => changeQuery({ run })}
            />
          ))}
      </div>
    </>
  )
}

/** One case: the prompt, the expected output, and each model's answer with its score. */
export function CaseView({ params }: ScreenProps) {
  const selection = params['selection'] ?? ''
  const [address] = useAddress()
  const id = address.get('id') ?? ''
  const filter = filterOf(readCaseQuery(address))
  const filters = Object.fromEntries(new URLSearchParams(addressOfFilters(address)))
  const [isStepping, setStepping] = useState(false)
  const detail = useQuery({
    queryKey: ['caseDetail', selection, id, filter],
    queryFn: () => readReply(api.cases[':selection'].case.$get({ param: { selection }, query: { id, ...filter } })),
    placeholderData: keepPreviousData,
    enabled: id !== '',
    refetchInterval: ({ state }) => (state.data?.isLive ? REFRESH_MS : false),
  })
  const goTo = (next: string | undefined) => {
    if (next === undefined) return
    setStepping(true)
    const [model, run, view, show] = ['model', 'run', 'view', 'show'].map((name) => address.get(name) ?? undefined)
    navigate(
      caseAddress(selection, {
        ...filters,
        id: next,
        ...(model !== undefined && { model }),
        ...(run !== undefined && { run }),
        ...(view !== undefined && { view }),
        ...(show !== undefined && { show }),
      }),
    )
  }
  useStepKeys((by) => goTo(by > 0 ? detail.data?.nextId : detail.data?.previousId))
  const data = isMissing(detail.error) ? undefined : detail.data
  useNamesShown(
    data?.kind,
    data?.models.flatMap(({ answers }) => answers.map(({ runId }) => runId)),
  )
  return (
    <Page
      title={data ? data.id : 'Case'}
      subtitle={
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1" aria-live="polite">
          <BackLink to={viewAddress(selection, 'cases', { ...filters, case: id })}>Cases</BackLink>
          {data && (
            <>
              <span>
                Case {data.index + 1} of {formatCount(data.total)}
              </span>
              {data.testCase?.metadata?.category !== undefined && <Badge>{data.testCase.metadata.category}</Badge>}
              {data.testCase?.metadata?.difficulty !== undefined && <Badge>{data.testCase.metadata.difficulty}</Badge>}
              {data.testCase?.metadata?.tags?.map((tag) => (
                <Badge key={tag}>{tag}</Badge>
              ))}
              {data.testCase && data.testCase.weight !== 1 && <span>weight {data.testCase.weight}</span>}
              <span>
                {formatCount(data.models.length, 'model')}
                {describeSimulated(data.models.map(({ modelId }) => modelId))}
              </span>
              {detail.isPlaceholderData && isStepping && <span>Loading the next case…</span>}
            </>
          )}
        </div>
      }
      actions={data && <CaseSteps detail={data} goTo={goTo} />}
    >
      <Loaded
        query={detail}
        what="the case"
        rows={10}
        missing={
          <NoSuchCase title="There is no case with this id in these results." back={viewAddress(selection, 'cases')} />
        }
      >
        {(loaded) => (
          <div className={classes('flex min-w-0 flex-col gap-4', detail.isPlaceholderData && 'opacity-60')}>
            <CaseContent selection={selection} detail={loaded} />
          </div>
        )}
      </Loaded>
    </Page>
  )
}
