import type { ResultsView } from '../../server/results/results-view.ts'
import { describeCache, describeLeaderboard, describeMissing } from '../../report/words/index.ts'
import { describeIntervals } from '../../report/words/method.ts'
import { Board } from './Leaderboard.tsx'
import { Folded } from '../ui/Folded.tsx'
import { Section } from '../ui/Page.tsx'
import { GroupWords } from './Verdicts.tsx'
import { isLive } from './verdicts.ts'

function MissingList({ view }: { view: ResultsView }) {
  if (view.missing.length === 0) return null
  return (
    <div>
      <h3 className="text-[13px] font-medium">Cells without a score are not in any mean</h3>
      <ul className="list-disc pl-5 text-[13px]">
        {view.missing.map((missing) => (
          <li key={missing.modelId} className="break-words">
            {missing.modelId}: {describeMissing(missing)}.
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The leaderboard with every figure, how to read it, and which cells are in no mean. */
export function AllFigures({ view }: { view: ResultsView }) {
  return (
    <Section title="All figures" id="figures">
      <Board view={view} hidden={[]} />
      {describeLeaderboard(view).map((note) => (
        <p key={note} className="text-[13px] break-words">
          {note}
        </p>
      ))}
      <Folded title="How to read this table">
        <GroupWords groups={view.groups} comparisons={view.comparisons} rows={view.rows} />
        <p className="max-w-4xl text-[13px] text-muted">
          “2–3” is 2nd or 3rd: the data cannot say which. Interval: {describeIntervals(view.rows) || 'none yet'}. Passed
          counts the answers that reach the pass mark of their case; the pass rate weighs the cases and has a
          Clopper-Pearson interval. Latency is the median. Unscored: answers without a score. {describeCache(view.rows)}
        </p>
        {!isLive(view) && <MissingList view={view} />}
      </Folded>
    </Section>
  )
}
