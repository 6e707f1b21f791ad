import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ChevronDown, ChevronUp, KeyRound, Maximize2, X } from 'lucide-react'
import { Dialog as Parts } from 'radix-ui'
import type { ReactNode } from 'react'
import type { CaseDetail } from '../../../server/results/cases/case-detail.ts'
import {
  describePassing,
  describeTokens,
  formatCost,
  formatCount,
  formatDuration,
  formatScore,
} from '../../../report/words/index.ts'
import { askAboutExpected } from '../../../report/words/verdicts/failures/telling-failures.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, navigate, useAddress } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { buttonClass, IconButton } from '../../ui/Button.tsx'
import { failureFill, failureLevel } from '../../ui/charts/failure-colour.ts'
import { classes } from '../../ui/classes.ts'
import { Keys } from '../../ui/Keys.tsx'
import { usePageKeys } from '../../ui/keys.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { CutName } from '../../ui/names/ModelName.tsx'
import { caseAddress } from '../addresses.ts'
import { addressOfFilters, filterOf, type CaseQuery } from '../grid/case-query.ts'
import { findSharedFailure, groupAnswers, type AnswerGroup } from './answer-groups.ts'
import { useDiff } from './DiffText.tsx'
import { ScoreDetails } from './ScoreDetails.tsx'

/** Beyond this, a prompt is folded. */
const LONG_PROMPT = 600
const EXCERPT = 600

interface CasePanelProps {
  selection: string
  id: string
  query: CaseQuery
  refreshMs: number | false
  /** Over the screen, where there is no room beside the grid. */
  isSheet: boolean
  /** Where the case can be edited. */
  suiteId: string | undefined
  onClose: () => void
}

function Prompt({ detail: { prompt = 'Not stored with the run.' } }: { detail: CaseDetail }) {
  if (prompt.length <= LONG_PROMPT) return <p className="break-words whitespace-pre-wrap">{prompt}</p>
  return (
    <details className="group">
      <summary className="break-words">
        <span className="group-open:hidden">{prompt.slice(0, 200).trimEnd()}… </span>
        <span className="text-xs text-accent-ink">{formatCount(prompt.split(/\s+/).length)} words</span>
      </summary>
      <p className="mt-1 max-h-80 overflow-auto break-words whitespace-pre-wrap" tabIndex={0}>
        {prompt}
      </p>
    </details>
  )
}

function Expected({ detail: { expectedOutput, testCase, passMark } }: { detail: CaseDetail }) {
  const methods = testCase?.scoringMethod ?? testCase?.checks?.map(({ scoringMethod }) => scoringMethod).join(', ')
  return (
    <div className="flex flex-wrap items-baseline gap-x-3 gap-y-1 text-xs">
      <span className="text-muted">Expected</span>
      <span className="max-h-40 max-w-full overflow-auto rounded bg-sunken px-1.5 py-0.5 font-mono break-words whitespace-pre-wrap">
        {expectedOutput ?? 'none'}
      </span>
      <span className="text-muted">
        {[methods, describePassing(passMark)].filter((part) => part !== undefined && part !== '').join(', ')}
      </span>
    </div>
  )
}

/** The answer; if it is close to what was expected, with what differs marked. */
function AnswerBody({ detail, group, isDiff }: { detail: CaseDetail; group: AnswerGroup; isDiff: boolean }) {
  const { response = '', error } = group.answer.result
  const wanted = isDiff && group.state === 'failed' && response.length <= EXCERPT ? detail.expectedOutput : undefined
  const diff = useDiff(wanted, response)
  const box = 'max-h-60 overflow-auto font-mono text-xs leading-5 break-words whitespace-pre-wrap'
  if (group.state === 'error') return <p className="text-[13px] break-words text-danger">{error ?? 'No answer.'}</p>
  if (diff && 'parts' in diff)
    return (
      <div className={box} tabIndex={0} role="group" aria-label="Answer, compared with the expected output">
        {diff.parts.map(({ kind, text }, index) =>
          kind === 'same' ? (
            // oxlint-disable-next-line react/no-array-index-key
            <span key={index}>{text}</span>
          ) : kind === 'added' ? (
            // oxlint-disable-next-line react/no-array-index-key
            <ins key={index} className="bg-added text-added-ink">
              {text}
            </ins>
          ) : (
            // oxlint-disable-next-line react/no-array-index-key
            <del key={index} className="bg-removed text-removed-ink">
              {text}
            </del>
          ),
        )}
      </div>
    )
  return (
    <div className={box} tabIndex={0} role="group" aria-label="Answer">
      {response === '' ? '(empty)' : response}
    </div>
  )
}

function ScoreChip({ group: { state, answer } }: { group: AnswerGroup }) {
  const { score } = answer.result
  if (!score) return state === 'error' ? <Badge kind="danger">error</Badge> : <Badge>unscored</Badge>
  return (
    <span
      className={classes(
        'min-w-10 shrink-0 rounded px-2 text-center text-[13px] tabular-nums',
        state === 'failed' ? `${failureFill[failureLevel(score.score)]} font-semibold text-fail-ink` : 'text-muted',
      )}
    >
      {formatScore(score.score).replace(/\.0$/, '')}
    </span>
  )
}

function Group({
  selection,
  detail,
  group,
  isDiff,
}: {
  selection: string
  detail: CaseDetail
  group: AnswerGroup
  isDiff: boolean
}) {
  const [address] = useAddress()
  const { answer, models, modelId } = group
  const { result, reasoning, runId } = answer
  const facts = [
    result.latencyMs !== undefined && formatDuration(result.latencyMs),
    ...describeTokens(result),
    result.cost !== undefined && formatCost(result.cost),
  ].filter((fact) => typeof fact === 'string')
  const filters = Object.fromEntries(new URLSearchParams(addressOfFilters(address)))
  return (
    <article
      aria-label={models.map((model) => model.modelId).join(', ')}
      className="flex min-w-0 flex-col gap-1.5 border-t border-line pt-3"
    >
      <div className="flex min-w-0 items-start gap-2">
        <h3 className="flex min-w-0 flex-1 flex-wrap gap-x-3 font-medium">
          {models.map(({ modelId: name, times, of }) => (
            <span key={name} className="flex max-w-full min-w-0 gap-1">
              <CutName name={name} />
              {of > 1 && (
                <span className="text-xs leading-5 font-normal whitespace-nowrap text-muted tabular-nums">
                  {times}/{of}
                </span>
              )}
            </span>
          ))}
        </h3>
        <ScoreChip group={group} />
      </div>
      <AnswerBody detail={detail} group={group} isDiff={isDiff} />
      {reasoning !== undefined && reasoning !== '' && (
        <details className="border-l-2 border-line pl-2 text-[13px]">
          <summary className="text-muted">Reasoning of {modelId}</summary>
          <p className="max-h-60 overflow-auto break-words whitespace-pre-wrap" tabIndex={0}>
            {reasoning}
          </p>
        </details>
      )}
      {(result.score?.judges || result.score?.checks || result.score?.notes || result.unscored) && (
        <details className="text-[13px]">
          <summary className="text-muted">Why this score</summary>
          <ScoreDetails answer={answer} />
        </details>
      )}
      <div className="flex flex-wrap gap-x-2 text-xs text-muted tabular-nums">
        <span className="min-w-0 break-words">{facts.join(' · ')}</span>
        <Link
          to={caseAddress(selection, { ...filters, id: detail.id, model: modelId, run: runId })}
          className="ml-auto text-accent-ink hover:underline"
        >
          Open
        </Link>
      </div>
    </article>
  )
}

function Content({
  selection,
  detail,
  suiteAddress,
  isDiff,
}: {
  selection: string
  detail: CaseDetail
  suiteAddress: string | undefined
  isDiff: boolean
}) {
  const groups = groupAnswers(detail)
  const shared = detail.expectedOutput === undefined ? undefined : findSharedFailure(groups, detail.models.length)
  return (
    <>
      <Prompt detail={detail} />
      <Expected detail={detail} />
      {shared && (
        <div className="flex items-center gap-2 rounded-md bg-fail-1 px-3 py-2 text-[13px]">
          <KeyRound size={14} aria-hidden className="shrink-0 text-fail-text" />
          <p className="min-w-0 flex-1 break-words">
            {askAboutExpected(shared.models.length, detail.models.length, shared.answer.result.response ?? '')}
          </p>
          {suiteAddress !== undefined && (
            <Link to={suiteAddress} className={buttonClass()}>
              Edit case
            </Link>
          )}
        </div>
      )}
      {groups.length === 0 && <p className="text-muted">{detail.isLive ? 'Waiting for the answers…' : 'Not run.'}</p>}
      {groups.map((group) => (
        <Group
          key={`${group.modelId} ${group.answer.runId}`}
          selection={selection}
          detail={detail}
          group={group}
          isDiff={isDiff}
        />
      ))}
    </>
  )
}

/** Over the screen of a phone. */
function Sheet({ title, onClose, children }: { title: string; onClose: () => void; children: ReactNode }) {
  return (
    <Parts.Root open onOpenChange={(open) => !open && onClose()}>
      <Parts.Portal>
        <Parts.Overlay className="fixed inset-0 z-40 bg-black/40" />
        <Parts.Content
          aria-describedby={undefined}
          className="fixed inset-x-0 bottom-0 z-50 flex h-[88dvh] flex-col rounded-t-xl border-t border-line bg-surface shadow-xl"
        >
          <Parts.Title className="sr-only">{title}</Parts.Title>
          {children}
        </Parts.Content>
      </Parts.Portal>
    </Parts.Root>
  )
}

/** A case beside the grid: what was asked and expected, and the answers, identical ones together. */
export function CasePanel({ selection, id, query, refreshMs, isSheet, suiteId, onClose }: CasePanelProps) {
  const [address, changeQuery] = useAddress()
  const filter = filterOf(query)
  const loaded = useQuery({
    queryKey: ['case', selection, id, filter],
    queryFn: () => readReply(api.cases[':selection'].case.$get({ param: { selection }, query: { id, ...filter } })),
    placeholderData: keepPreviousData,
    staleTime: 10_000,
    refetchInterval: refreshMs,
  })
  const detail = loaded.data
  const isDiff = address.get('diff') !== 'off'
  const filters = Object.fromEntries(new URLSearchParams(addressOfFilters(address)))
  const model = address.get('model') ?? undefined
  const suiteAddress =
    suiteId === undefined ? undefined : `/suites/${encodeURIComponent(suiteId)}?case=${encodeURIComponent(id)}`
  const whole = caseAddress(selection, { ...filters, id, ...(model !== undefined && { model }) })
  const goTo = (to: string | undefined) => {
    if (to === undefined || !detail || detail.id !== id) return
    const row = detail.index + (to === detail.nextId ? 1 : -1)
    changeQuery({ case: to, row: String(row) })
  }
  const close = () => {
    onClose()
    document.querySelector<HTMLElement>('[role=grid]')?.focus({ preventScroll: true })
  }
  usePageKeys((key) => {
    if (key === 'Escape') close()
    else if (key === 'd') changeQuery({ diff: isDiff ? 'off' : undefined })
    else if (key === 'r') navigate(whole)
    else if (key === 'e' && suiteAddress !== undefined) navigate(suiteAddress)
    else return false
    return true
  })
  const content = (
    <>
      <header className="flex items-center gap-1 border-b border-line py-2 pr-2 pl-4">
        <h2 className="min-w-0 text-[15px] font-semibold">
          <CutName name={id} />
        </h2>
        {detail?.testCase?.metadata?.category !== undefined && (
          <span className="ml-1 max-w-28 truncate rounded bg-sunken px-1.5 text-xs leading-5 text-muted">
            {detail.testCase.metadata.category}
          </span>
        )}
        <span className="ml-auto pr-1 text-xs whitespace-nowrap text-muted tabular-nums">
          {detail && `${formatCount(detail.index + 1)} of ${formatCount(detail.total)}`}
        </span>
        <IconButton
          label="Previous case"
          className="size-7"
          disabled={detail?.previousId === undefined}
          onClick={() => goTo(detail?.previousId)}
        >
          <ChevronUp size={16} aria-hidden />
        </IconButton>
        <IconButton
          label="Next case"
          className="size-7"
          disabled={detail?.nextId === undefined}
          onClick={() => goTo(detail?.nextId)}
        >
          <ChevronDown size={16} aria-hidden />
        </IconButton>
        <Link
          to={whole}
          aria-label="Open the whole case"
          title="Open the whole case"
          className="inline-flex size-7 items-center justify-center rounded-md text-muted hover:bg-hover hover:text-ink"
        >
          <Maximize2 size={14} aria-hidden />
        </Link>
        <IconButton label="Close" className="size-7" onClick={close}>
          <X size={16} aria-hidden />
        </IconButton>
      </header>
      <div
        key={detail?.id}
        className={classes(
          'flex min-h-0 flex-1 flex-col gap-3 overflow-auto px-4 py-3',
          loaded.isPlaceholderData && 'opacity-60',
        )}
      >
        <Loaded query={loaded} what="the case" rows={6}>
          {(shown) => <Content selection={selection} detail={shown} suiteAddress={suiteAddress} isDiff={isDiff} />}
        </Loaded>
      </div>
      <footer className="flex flex-wrap gap-x-3 gap-y-1 border-t border-line px-4 py-2 text-xs text-muted max-lg:hidden">
        <Keys keys={['j', 'k']} what="case" />
        <Keys keys={['d']} what="diff" />
        <Keys keys={['r']} what="rate" />
        {suiteAddress !== undefined && <Keys keys={['e']} what="edit" />}
        <span className="ml-auto">
          <Keys keys={['Esc']} what="close" />
        </span>
      </footer>
    </>
  )
  if (isSheet)
    return (
      <Sheet title={`Case ${id}`} onClose={onClose}>
        {content}
      </Sheet>
    )
  return (
    <section
      aria-label={`Case ${id}`}
      className="sticky top-4 mt-8 flex max-h-[max(24rem,calc(100dvh-6rem))] w-[432px] shrink-0 flex-col rounded-lg border border-line bg-surface"
    >
      {content}
    </section>
  )
}
