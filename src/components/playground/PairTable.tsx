import type { PlaygroundOutcome } from '../../server/playground/outcome.ts'
import { cellStates, formatCount, formatDifference, formatScore } from '../../report/words/index.ts'
import { classes } from '../ui/classes.ts'
import { Section, TablePanel } from '../ui/Page.tsx'

type Side = PlaygroundOutcome['pairs'][number]['before']

function describeSide({ state, score, passed }: Side): string {
  if (state !== 'scored') return cellStates[state].word
  return `${formatScore(score)}${passed === undefined ? '' : passed ? ' ✓' : ' ✗'}`
}

const cell = 'px-1.5 py-1.5 sm:px-3 text-right whitespace-nowrap tabular-nums'

/** The cases that were asked again, largest changes first. Choosing one shows its answers. */
export function PairTable({
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
      <TablePanel label="Cases before and after">
        <table className="w-full text-[13px]">
          <thead>
            <tr className="border-b border-line bg-sunken text-xs text-muted">
              <th scope="col" className="px-2 py-1.5 text-left font-normal sm:px-3">
                Case
              </th>
              <th scope="col" className={classes(cell, 'font-normal')}>
                Before
              </th>
              <th scope="col" className={classes(cell, 'font-normal')}>
                After
              </th>
              <th scope="col" className={classes(cell, 'font-normal')}>
                Change
              </th>
            </tr>
          </thead>
          <tbody>
            {pairs.map(({ testCaseId, title, before, after, difference }) => (
              <tr
                key={testCaseId}
                className={classes(
                  'border-b border-line last:border-b-0',
                  testCaseId === shownCase && 'bg-accent-soft',
                )}
              >
                <td className="w-full max-w-0 min-w-28 px-2 py-1.5 sm:px-3">
                  <button
                    type="button"
                    aria-pressed={testCaseId === shownCase}
                    title={`${testCaseId}: ${title}`}
                    onClick={() => onShow(testCaseId)}
                    className="block w-full truncate text-left hover:underline"
                  >
                    {testCaseId} <span className="text-muted">{title}</span>
                  </button>
                </td>
                <td className={cell}>{describeSide(before)}</td>
                <td className={cell}>{after.state === 'pending' ? '…' : describeSide(after)}</td>
                <td className={cell}>{formatDifference(difference)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePanel>
    </Section>
  )
}
