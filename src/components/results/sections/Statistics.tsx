import {
  BY_HISTORY_TITLE,
  describeByHistory,
  describeHosts,
  describeWordings,
  HOSTS_TITLE,
  WORDINGS_TITLE,
} from '../../../report/words/index.ts'
import type { ResultsView } from '../../../server/results/results-view.ts'
import { Folded } from '../../ui/Folded.tsx'
import { Panel, Section } from '../../ui/Page.tsx'
import { ExpandablePair } from '../compare/PairPanel.tsx'
import { Groups } from '../Groups.tsx'
import { AllFigures } from '../AllFigures.tsx'
import { NotWorse } from '../NotWorse.tsx'
import { People } from '../rating/People.tsx'
import { SmallestDifference } from '../SmallestDifference.tsx'
import { Verdicts } from '../Verdicts.tsx'
import { Agreement } from './Agreement.tsx'
import { Judging } from './Judging.tsx'
import { Method } from './Method.tsx'
import { MultiRun } from './MultiRun.tsx'

interface StatisticsProps {
  selection: string
  view: ResultsView
}

/** The runs or their suite say which difference does not matter. */
function hasMargin({ comparisons }: ResultsView): boolean {
  return comparisons.some(({ comparison }) => comparison.paired?.equivalence)
}

/** Every comparison in words, and the difference that does not matter. */
function Pairs({ selection, view }: StatisticsProps) {
  const models = view.rows.map(({ modelId }) => modelId)
  if (models.length < 2) return null
  return (
    <Section title="Pairs" id="pair">
      <Panel className="flex flex-col gap-3 p-4">
        <Verdicts view={view} />
        {view.comparisons.length > 0 && (
          <div className="flex flex-wrap items-start gap-4">
            <SmallestDifference />
            {!view.group && <NotWorse selection={selection} models={models} margin={hasMargin(view)} />}
          </div>
        )}
        {view.runs.length <= 1 && !view.group && (
          <ExpandablePair selection={selection} models={models} isSeries={false} />
        )}
      </Panel>
    </Section>
  )
}

/** Sentences of the report under their title. */
function Answers({ title, id, sentences }: { title: string; id?: string; sentences: string[] }) {
  if (sentences.length === 0) return null
  return (
    <Section title={title} {...(id !== undefined && { id })}>
      <ul className="flex max-w-4xl list-disc flex-col gap-1 pl-5">
        {sentences.map((text) => (
          <li key={text} className="break-words">
            {text}
          </li>
        ))}
      </ul>
    </Section>
  )
}

/** What the verdict rests on and what weakens it: on the overview there is room for the most serious only. */
function Notes({ view }: { view: ResultsView }) {
  const { caveats, conditions, gains = '' } = view.verdictCard
  const notes = [
    ...conditions,
    ...caveats.flatMap(({ kind, text }) => (kind === 'scoring' ? [] : text)),
    // Of one run without a judge, it is what anyone knows.
    ...(gains === '' || (view.runs.length === 1 && view.runs[0]?.judgeModel === undefined) ? [] : [gains]),
  ]
  return <Answers title="What the verdict rests on" id="notes" sentences={notes} />
}

/** Everything that is calculated, and how: runs, pairs, groups, judges, method. */
export function Statistics({ selection, view }: StatisticsProps) {
  const isSeries = view.runs.length > 1
  return (
    <>
      {isSeries ? <MultiRun selection={selection} view={view} /> : <AllFigures view={view} />}
      <Pairs selection={selection} view={view} />
      <Answers title={BY_HISTORY_TITLE} sentences={describeByHistory(view.byHistory)} />
      <Answers title={WORDINGS_TITLE} sentences={describeWordings(view.wordings)} />
      <Answers title={HOSTS_TITLE} sentences={describeHosts(view.hosts)} />
      <Groups selection={selection} view={view} />
      {view.agreement && <Agreement agreement={view.agreement} />}
      {view.people && <People selection={selection} people={view.people} />}
      <Judging selection={selection} view={view} />
      <Notes view={view} />
      {isSeries && (
        // Most of them are in the table of the runs.
        <Folded title="All figures">
          <AllFigures view={view} />
        </Folded>
      )}
      <Method view={view} />
    </>
  )
}
