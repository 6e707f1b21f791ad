import { Loaded } from '../../ui/Loaded.tsx'
import type { ServedPair, RunsComparison } from '../../../server/results/compare/compare-view.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { ArrowLeftRight } from 'lucide-react'
import { useEffect, useState } from 'react'
import { api } from '../../api.ts'
import { useNamesShown } from '../../code-arena/vote/voter.ts'
import { readReply } from '../../api-request.ts'
import { Link, useAddress } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { Checkbox, SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { describeRunState, formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { EmptyState, FailureNotice, Notice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { resultsAddress } from '../addresses.ts'
import { CompareExportMenu } from '../ExportMenu.tsx'
import { readSmallestDifference, SmallestDifference } from '../SmallestDifference.tsx'
import { groupRuns } from '../runs/run-groups.ts'
import { choosePair, readCompareQuery } from './compare-address.ts'
import { ComparedPair } from './ComparedPair.tsx'
import { type Choice, findPrevious, listChoices } from './list-choices.ts'
import { PairTable } from './PairTable.tsx'
import { intervalOf } from '../../../report/words/verdicts/pairs/gap.ts'
import { describeLeftOutModels } from '../../../report/words/verdicts/pairs/changes.ts'

interface SideChooserProps {
  name: string
  run: string
  model: string
  /** The run of the other side: runs of the same suite are listed first. */
  other: string
  choices: Choice[]
  /** True until the choices are loaded. */
  isLoading: boolean
  /** The models of the run, once it is loaded. */
  models: string[] | undefined
  areModelsShown: boolean
  onRun: (selection: string) => void
  onModel: (modelId: string) => void
}

function ChoiceOptions({ choices }: { choices: Choice[] }) {
  return <SelectOptions of={choices.map(({ selection, label }) => [selection, label])} />
}

/** Chooses a run or series and, if wanted, one of its models. */
function SideChooser({
  name,
  run,
  model,
  other,
  choices,
  isLoading,
  models,
  areModelsShown,
  onRun,
  onModel,
}: SideChooserProps) {
  const chosen = choices.find(({ selection }) => selection === run)
  const suiteName = choices.find(({ selection }) => selection === other)?.suiteName
  const [same, different] = [
    choices.filter((choice) => choice.suiteName === suiteName),
    choices.filter((choice) => choice.suiteName !== suiteName),
  ]
  const offered = [...new Set([...(models ?? chosen?.models ?? []), ...(model === '' ? [] : [model])])]
  return (
    <div className={classes('grid min-w-0 gap-2', areModelsShown && 'sm:grid-cols-[3fr_2fr]')}>
      <SelectField label={name} value={run} onChange={onRun}>
        <option value="">Choose a run or series…</option>
        {run !== '' && !chosen && <option value={run}>{isLoading ? 'Loading…' : run}</option>}
        {suiteName === undefined ? (
          <ChoiceOptions choices={choices} />
        ) : (
          <>
            <optgroup label="The same suite">
              <ChoiceOptions choices={same} />
            </optgroup>
            {different.length > 0 && (
              <optgroup label="Other suites">
                <ChoiceOptions choices={different} />
              </optgroup>
            )}
          </>
        )}
      </SelectField>
      {areModelsShown && (
        <SelectField label={`Model of ${name.at(-2)}`} value={model} onChange={onModel}>
          <option value="">All models</option>
          <SelectOptions of={offered} />
        </SelectField>
      )}
    </div>
  )
}

function SideLine({ name, side, selection }: { name: string; side: RunsComparison['a']; selection: string }) {
  return (
    <span>
      {name}:{' '}
      <Link to={resultsAddress(selection)} className="break-words text-accent-ink underline">
        {side.title}
      </Link>
      , {formatLocalTime(side.startedAt)}
      {side.runIds.length > 1 && `, ${formatCount(side.runIds.length, 'run')}`}
      {side.state !== 'done' && `, ${describeRunState(side)}`}.{' '}
    </span>
  )
}

/** The largest end of all intervals, so that the pairs share one axis. */
function reachOf(pairs: readonly ServedPair[]): number {
  return (
    Math.max(
      0.05,
      ...pairs.flatMap(({ comparison }) => (comparison?.paired ? intervalOf(comparison.paired).map(Math.abs) : [])),
    ) * 1.1
  )
}

function Comparison({ comparison, isCurrent }: { comparison: RunsComparison; isCurrent: boolean }) {
  const [address, changeQuery] = useAddress()
  const { a, b, modelA, modelB, changed } = readCompareQuery(address)
  const { pairs, pairsLeftOut, changedCases } = comparison
  const notes = [
    ...comparison.notes,
    ...(modelA === '' && modelB === '' ? describeLeftOutModels(comparison) : []),
    ...(pairsLeftOut > 0
      ? [`${formatCount(pairsLeftOut, 'more pair')} would take too long together: choose a model to see them.`]
      : []),
  ]
  const pair = choosePair(pairs, address)
  const reach = reachOf(pairs)
  return (
    <>
      <p className="text-muted">
        <SideLine name="A" side={comparison.a} selection={a} />
        <SideLine name="B" side={comparison.b} selection={b} />
        Differences are B − A, over the cases that both have.
      </p>
      {(notes.length > 0 || changedCases > 0) && (
        <Notice>
          {notes.map((note) => (
            <p key={note}>{note}</p>
          ))}
          {changedCases > 0 && (
            <Checkbox
              label="Compare changed cases too"
              checked={changed === 'include'}
              onChange={({ target }) => changeQuery({ changed: target.checked ? 'include' : undefined })}
            />
          )}
        </Notice>
      )}
      {!pair && (
        <EmptyState title="A and B are the same run.">
          Choose a different model on each side to compare two of its models.
        </EmptyState>
      )}
      {pairs.length > 1 && <PairTable comparison={comparison} chosen={pair} reach={reach} />}
      {pair && <ComparedPair comparison={comparison} pair={pair} reach={reach} isCurrent={isCurrent} />}
    </>
  )
}

/** Compares models of two runs or series: what is better in B than in A, and what is worse. */
export function CompareRuns() {
  const [address, changeQuery] = useAddress()
  const { a, b, modelA, modelB, changed } = readCompareQuery(address)
  const smallestDifference = readSmallestDifference(address)
  const runs = useQuery({
    queryKey: ['runs', 'recent'],
    queryFn: () => readReply(api.runs.$get({ query: { limit: '200' } })),
  })
  const isReady = a !== '' && b !== ''
  const comparison = useQuery({
    queryKey: ['compareRuns', a, b, modelA, modelB, changed, smallestDifference],
    queryFn: () => readReply(api.compare.$get({ query: { a, b, modelA, modelB, changed, smallestDifference } })),
    enabled: isReady,
    placeholderData: keepPreviousData,
  })
  const groups = groupRuns(runs.data?.runs ?? [])
  const choices = listChoices(groups)
  const previous = a === '' && b !== '' ? findPrevious(groups, b) : undefined
  useEffect(() => {
    if (previous !== undefined) changeQuery({ a: previous })
  }, [previous, changeQuery])
  /** Another run has other models and cases. */
  const fresh = { pa: undefined, pb: undefined, offset: undefined }
  const shown = isReady ? comparison.data : undefined
  const [areModelsWanted, setModelsWanted] = useState(false)
  const areModelsShown = isReady && (areModelsWanted || modelA !== '' || modelB !== '')
  const hasNoRuns = runs.data?.runs.length === 0 && a === '' && b === ''
  useNamesShown(shown?.a.kind, shown?.a.runIds)
  useNamesShown(shown?.b.kind, shown?.b.runIds)
  return (
    <Page
      title="Compare"
      subtitle="Any models of any two runs of a suite, case by case."
      {...(shown &&
        !comparison.isError && {
          actions: (
            <CompareExportMenu
              a={a}
              b={b}
              modelA={modelA}
              modelB={modelB}
              changed={changed}
              smallestDifference={smallestDifference}
            />
          ),
        })}
    >
      {!hasNoRuns && (
        <div className="grid items-end gap-x-2 gap-y-3 xl:grid-cols-[minmax(0,1fr)_auto_minmax(0,1fr)]">
          <SideChooser
            name="Before (A)"
            run={a}
            model={modelA}
            other={b}
            choices={choices}
            isLoading={runs.isPending}
            models={shown?.a.models}
            areModelsShown={areModelsShown}
            onRun={(selection) => changeQuery({ a: selection, ma: undefined, ...fresh })}
            onModel={(model) => changeQuery({ ma: model, ...fresh })}
          />
          <div className="flex flex-wrap gap-2">
            <Button
              kind="quiet"
              className="w-fit"
              disabled={a === '' && b === ''}
              onClick={() =>
                changeQuery({
                  a: b,
                  b: a,
                  ma: modelB,
                  mb: modelA,
                  pa: address.get('pb') ?? undefined,
                  pb: address.get('pa') ?? undefined,
                  offset: undefined,
                })
              }
            >
              <ArrowLeftRight size={14} aria-hidden /> Swap
            </Button>
            {isReady && !areModelsShown && (
              <Button kind="quiet" className="w-fit" onClick={() => setModelsWanted(true)}>
                Choose models
              </Button>
            )}
          </div>
          <SideChooser
            name="After (B)"
            run={b}
            model={modelB}
            other={a}
            choices={choices}
            isLoading={runs.isPending}
            models={shown?.b.models}
            areModelsShown={areModelsShown}
            onRun={(selection) => changeQuery({ b: selection, mb: undefined, ...fresh })}
            onModel={(model) => changeQuery({ mb: model, ...fresh })}
          />
        </div>
      )}{' '}
      <FailureNotice failure={runs.error} title="The list of runs could not be loaded" onRetry={runs.refetch} />
      {!isReady && (
        <EmptyState
          title={hasNoRuns ? 'There are no runs yet.' : 'Choose two runs or series above.'}
          {...(hasNoRuns && {
            action: (
              <Link to="/arena" className={buttonClass('primary')}>
                Go to the Arena
              </Link>
            ),
          })}
        >
          What got better and what got worse will appear here.
        </EmptyState>
      )}
      {isReady && (
        <Loaded query={comparison} what="the comparison">
          {(loaded) => (
            <div className={classes('flex min-w-0 flex-col gap-4', comparison.isPlaceholderData && 'opacity-60')}>
              <Comparison comparison={loaded} isCurrent={!comparison.isPlaceholderData} />
              <SmallestDifference />
            </div>
          )}
        </Loaded>
      )}
    </Page>
  )
}
