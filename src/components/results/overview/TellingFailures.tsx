import { useQuery } from '@tanstack/react-query'
import { CircleDot, GitFork, KeyRound, Star, TriangleAlert, type LucideIcon } from 'lucide-react'
import type { FailuresView, ShownFailure } from '../../../server/results/overview/failures-view.ts'
import { formatCount } from '../../../report/words/index.ts'
import { nameBriefly } from '../../../report/words/names.ts'
import {
  describeFailureKind,
  headFailures,
  nameAnswerers,
  namePassed,
} from '../../../report/words/verdicts/failures/telling-failures.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { classes } from '../../ui/classes.ts'
import { Loaded } from '../../ui/Loaded.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { viewAddress } from '../addresses.ts'

const icons: Record<ShownFailure['kind'], LucideIcon> = {
  'only-one-passed': Star,
  'all-failed': KeyRound,
  'leader-is-flaky': CircleDot,
  worst: TriangleAlert,
}

const term = 'text-xs leading-5 text-muted'
const value = 'rounded px-1.5 py-0.5 font-mono text-xs break-words box-decoration-clone'

/** A model where there is little room. */
type NameOf = (modelId: string) => string

/** Cards are narrow, and the leaderboard above them has the whole names. */
const MAX_NAME_LENGTH = 28

function Answer({
  answer: { text, isError, models },
  isAlone,
  nameOf,
}: {
  answer: ShownFailure['got'][number]
  isAlone: boolean
  nameOf: NameOf
}) {
  return (
    <div className="flex min-w-0 items-baseline gap-1.5" title={text}>
      <span className={classes(value, 'truncate', isError ? 'bg-danger-soft text-danger' : 'bg-fail-2 text-fail-ink')}>
        {text === '' ? '(empty)' : text}
      </span>
      {!isAlone && (
        <span className="max-w-1/2 shrink-0 truncate text-xs text-muted" title={nameAnswerers(models)}>
          {nameAnswerers(models.map((model) => ({ ...model, modelId: nameOf(model.modelId) })))}
        </span>
      )}
    </div>
  )
}

interface CardProps {
  selection: string
  failure: ShownFailure
  isSplit: boolean
  nameOf: NameOf
}

function FailureCard({ selection, failure, isSplit, nameOf }: CardProps) {
  const { kind, caseId, question, expected, got, others, passed, runs, modelId } = failure
  const isAlone = failure.models === 1
  // The title says so, if it is one model or none.
  const isPassedNews = passed.length > (kind === 'only-one-passed' ? 1 : 0)
  const Icon = isSplit ? GitFork : icons[kind]
  return (
    <Panel className="flex min-w-0 flex-col gap-1.5 px-4 py-3">
      <article aria-label={`${describeFailureKind(failure)}: ${caseId}`} className="flex min-w-0 flex-col gap-1.5">
        <h3 className="flex min-w-0 items-center gap-2 font-semibold">
          <Icon size={16} aria-hidden className="shrink-0 text-fail-text" />
          <span className="min-w-0 truncate" title={describeFailureKind(failure)}>
            {describeFailureKind({ ...failure, ...(modelId !== undefined && { modelId: nameOf(modelId) }) })}
          </span>
        </h3>
        <p className="line-clamp-1 text-[13px] leading-[18px] break-all text-muted" title={question}>
          <Link
            to={viewAddress(selection, 'cases', { case: caseId, state: 'failed' })}
            className="text-accent-ink hover:underline"
          >
            {caseId}
          </Link>{' '}
          {question !== caseId && question}
        </p>
        <dl className="grid grid-cols-[4.5rem_minmax(0,1fr)] gap-y-1">
          {expected !== undefined && (
            <>
              <dt className={term}>Expected</dt>
              <dd className="line-clamp-1 min-w-0 break-all">
                <span className={classes(value, 'bg-sunken')}>{expected}</span>
              </dd>
            </>
          )}
          {got.length > 0 && (
            <>
              <dt className={term}>Got</dt>
              <dd className="flex min-w-0 flex-col gap-1">
                {got.slice(0, 2).map((answer) => (
                  <Answer key={`${answer.isError} ${answer.text}`} answer={answer} isAlone={isAlone} nameOf={nameOf} />
                ))}
                {got.length + others > 2 && (
                  <span className="text-xs text-muted">{formatCount(got.length + others - 2)} more</span>
                )}
              </dd>
            </>
          )}
          {isPassedNews && <dt className={term}>Passed</dt>}
          {isPassedNews && (
            <dd className="line-clamp-1 min-w-0 text-xs leading-5 break-all" title={namePassed(passed, runs)}>
              {namePassed(passed.map(nameOf), runs)}
            </dd>
          )}
        </dl>
      </article>
    </Panel>
  )
}

function Cards({ selection, view, nameOf }: { selection: string; view: FailuresView; nameOf: NameOf }) {
  const { failures, isSplit } = view
  return (
    <div className="grid gap-4 lg:grid-cols-3">
      {failures.map((failure) => (
        <FailureCard
          key={failure.caseId}
          selection={selection}
          failure={failure}
          isSplit={isSplit && failure.kind === 'only-one-passed'}
          nameOf={nameOf}
        />
      ))}
    </div>
  )
}

/** Where the cards will be, so that nothing moves when they come. */
export function FailurePlaces({ note }: { note: string }) {
  return (
    <Section title="Most telling failures" aside={<span className="text-xs">{note}</span>}>
      <div aria-hidden className="grid gap-4 lg:grid-cols-3">
        {[0, 1, 2].map((card) => (
          <Panel key={card} className="flex h-44 flex-col gap-3 p-4">
            {['w-1/2', 'w-5/6', 'mt-4 w-2/5', 'w-3/5'].map((width) => (
              <span key={width} className={classes('h-3 rounded bg-sunken', width)} />
            ))}
          </Panel>
        ))}
      </div>
    </Section>
  )
}

/** Three cases that say most about the models. */
export function TellingFailures({
  selection,
  group,
  models,
}: {
  selection: string
  group: string | undefined
  /** All of the result, so that no two are called the same. */
  models: readonly string[]
}) {
  const failures = useQuery({
    queryKey: ['results', selection, 'failures', group],
    queryFn: () => readReply(api.overview[':selection'].failures.$get({ param: { selection }, query: { group } })),
    staleTime: 30_000,
  })
  if (failures.isPending) return <FailurePlaces note="" />
  return (
    <Loaded query={failures} what="the failures" rows={3}>
      {(view) => {
        if (view.failures.length === 0) return <p className="text-muted">Every scored answer passed.</p>
        const { title, all } = headFailures(view)
        return (
          <Section
            title={title}
            end={
              <Link
                to={viewAddress(selection, 'cases', {
                  group,
                  state: view.isSplit ? 'disagree' : 'failed',
                  sort: 'worst',
                })}
                className="text-[13px] text-accent-ink hover:underline"
              >
                {all} →
              </Link>
            }
          >
            <Cards selection={selection} view={view} nameOf={nameBriefly(models, MAX_NAME_LENGTH)} />
          </Section>
        )
      }}
    </Loaded>
  )
}
