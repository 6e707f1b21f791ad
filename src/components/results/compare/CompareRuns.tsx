import type { RunsComparison } from '../../../server/results/compare/compare-view.ts'
import { keepPreviousData, useQuery as useServer } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, useQuery } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { SelectField } from '../../ui/Field.tsx'
import { formatCount, joinWords } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { EmptyState, FailureNotice, Loading, Notice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { resultsAddress } from '../addresses.ts'
import { ComparedModel } from './ComparedModel.tsx'
import { readSmallestDifference, SmallestDifference } from '../SmallestDifference.tsx'
import { groupOfRun, groupRuns, type RunGroup } from '../runs/run-groups.ts'

interface Choice {
  selection: string
  label: string
}

/** Everything that can be compared: series, their runs, and single runs. */
function listChoices(groups: RunGroup[]): Choice[] {
  return groups.flatMap((group) => {
    const label = `${formatLocalTime(group.startedAt)} · ${group.suiteName}`
    if (!group.isSeries) return [{ selection: group.selection, label }]
    const runs = group.runs.map((run, index) => ({
      selection: groupOfRun(run).selection,
      label: `${formatLocalTime(run.startedAt)} · run ${index + 1} of ${group.runs.length}, ${group.suiteName}`,
    }))
    return [
      {
        selection: group.selection,
        label: `${formatLocalTime(group.startedAt)} · series of ${group.runs.length}, ${group.suiteName}`,
      },
      ...runs,
    ]
  })
}

function Chooser({
  label,
  value,
  choices,
  onChange,
}: {
  label: string
  value: string
  choices: Choice[]
  onChange: (selection: string) => void
}) {
  const isListed = value === '' || choices.some(({ selection }) => selection === value)
  return (
    <SelectField
      label={label}
      className="w-full max-w-md sm:w-80"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      <option value="">Choose a run or series…</option>
      {!isListed && <option value={value}>{value}</option>}
      {choices.map(({ selection, label: text }) => (
        <option key={selection} value={selection}>
          {text}
        </option>
      ))}
    </SelectField>
  )
}

function OnlyInOne({ comparison: { onlyInA, onlyInB } }: { comparison: RunsComparison }) {
  const describe = (name: string, { models, cases }: RunsComparison['onlyInA']) => {
    const parts = [
      models.length > 0 && `${formatCount(models.length, 'model')} (${joinWords(models)})`,
      cases > 0 && formatCount(cases, 'case'),
    ].filter((part) => part !== false)
    return parts.length === 0 ? undefined : `Only in ${name}: ${joinWords(parts)}. They are not compared.`
  }
  const sentences = [describe('A', onlyInA), describe('B', onlyInB)].filter((sentence) => sentence !== undefined)
  if (sentences.length === 0) return null
  return (
    <Notice>
      {sentences.map((sentence) => (
        <p key={sentence} className="break-words">
          {sentence}
        </p>
      ))}
    </Notice>
  )
}

/** The largest end of all intervals, so that the models share one axis. */
function reachOf({ models }: RunsComparison): number {
  return (
    Math.max(0.05, ...models.flatMap(({ comparison }) => comparison?.paired?.confidence95.map(Math.abs) ?? [])) * 1.1
  )
}

function Comparison({ comparison, selections: [a, b] }: { comparison: RunsComparison; selections: [string, string] }) {
  return (
    <>
      <p className="text-muted">
        Before (A):{' '}
        <Link to={resultsAddress(a)} className="text-accent-ink underline">
          {comparison.a.title}
        </Link>
        , {formatLocalTime(comparison.a.startedAt)}, {formatCount(comparison.a.runs.length, 'run')}. After (B):{' '}
        <Link to={resultsAddress(b)} className="text-accent-ink underline">
          {comparison.b.title}
        </Link>
        , {formatLocalTime(comparison.b.startedAt)}, {formatCount(comparison.b.runs.length, 'run')}. Differences are B −
        A, paired over the cases that both have.
      </p>
      <OnlyInOne comparison={comparison} />
      {comparison.models.length === 0 && (
        <EmptyState title="A and B have no models in common.">
          You can compare models within one of them instead.
        </EmptyState>
      )}
      {comparison.models.map((model) => (
        <ComparedModel key={model.modelId} model={model} reach={reachOf(comparison)} before={a} after={b} />
      ))}
    </>
  )
}

/** Compares two runs or series of the same suite. */
export function CompareRuns() {
  const [address, changeQuery] = useQuery()
  const [a, b] = [address.get('a') ?? '', address.get('b') ?? '']
  const smallestDifference = readSmallestDifference(address)
  const runs = useServer({
    queryKey: ['runs', 'recent'],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '200' } })),
  })
  const isReady = a !== '' && b !== '' && a !== b
  const comparison = useServer({
    queryKey: ['compareRuns', a, b, smallestDifference],
    queryFn: () => readReply(api.compare.$get({ query: { a, b, smallestDifference } })),
    enabled: isReady,
    placeholderData: keepPreviousData,
  })
  const choices = listChoices(groupRuns(runs.data?.runs ?? []))
  return (
    <Page title="Compare runs" subtitle="The same models on the same cases, before and after.">
      <div className="flex flex-wrap items-end gap-2">
        <Chooser
          label="Before (A)"
          value={a}
          choices={choices}
          onChange={(selection) => changeQuery({ a: selection })}
        />
        <Button kind="quiet" disabled={a === '' && b === ''} onClick={() => changeQuery({ a: b, b: a })}>
          <ArrowLeftRight size={14} aria-hidden /> Swap
        </Button>
        <Chooser
          label="After (B)"
          value={b}
          choices={choices}
          onChange={(selection) => changeQuery({ b: selection })}
        />
        <SmallestDifference />
      </div>
      {runs.isError && (
        <FailureNotice
          failure={runs.error}
          title="The list of runs could not be loaded"
          action={<Button onClick={() => void runs.refetch()}>Try again</Button>}
        />
      )}
      {!isReady && (
        <EmptyState
          title={a !== '' && a === b ? 'A and B are the same.' : 'Choose two runs or series above.'}
          {...(runs.data &&
            choices.length < 2 && {
              action: (
                <Link to="/arena" className={buttonClass('primary')}>
                  Go to the Arena
                </Link>
              ),
            })}
        >
          {runs.data && choices.length < 2
            ? 'You need at least two runs.'
            : 'What improved and what got worse will appear here.'}
        </EmptyState>
      )}
      {isReady && comparison.isPending && <Loading label="Comparing…" />}
      {isReady && comparison.isError && (
        <FailureNotice
          failure={comparison.error}
          title="The runs could not be compared"
          action={<Button onClick={() => void comparison.refetch()}>Try again</Button>}
        />
      )}
      {isReady && comparison.data && (
        <div className={classes('flex min-w-0 flex-col gap-4', comparison.isPlaceholderData && 'opacity-60')}>
          <Comparison comparison={comparison.data} selections={[a, b]} />
        </div>
      )}
    </Page>
  )
}
