import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { GroupsView } from '../../server/results/groups-view.ts'
import type { ResultsView } from '../../server/results/results-view.ts'
import {
  describeGroupSize,
  describeInterval,
  formatCount,
  formatPassed,
  formatScore,
} from '../../report/words/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { CutName } from '../ui/names/ModelName.tsx'
import { SelectField } from '../ui/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import { scoreStyle } from '../ui/charts/score-colour.ts'
import { groupingWords, listGroupings, readGrouping, type Grouping } from './groupings.ts'
import { TableHead } from '../ui/TableHead.tsx'

interface GroupsProps {
  selection: string
  view: ResultsView
}

/** Which cases everything on the page is about, if not all. */
export function GroupNotice({ view }: { view: ResultsView }) {
  const [, changeQuery] = useAddress()
  const { group, suite, caseCount } = view
  if (!group) return null
  return (
    <Notice
      kind={'info'}
      title={`Only the ${groupingWords[group.by].one} “${group.value}”: ${describeGroupSize(caseCount, suite?.cases ?? caseCount)}`}
      action={<Button onClick={() => changeQuery({ group: undefined, row: undefined })}>Show all cases</Button>}
    >
      The verdict, the leaderboard and the cases below are those of this group. Retry, Resume and Run again are for the
      whole run.
    </Notice>
  )
}

function GroupTable({
  groups,
  models,
  chosen,
  onChoose,
}: {
  groups: GroupsView['groups']
  models: string[]
  chosen: string | undefined
  onChoose: (value: string) => void
}) {
  return (
    <Panel>
      <div
        className="scroll-fade overflow-x-auto rounded-lg"
        tabIndex={0}
        role="group"
        aria-label="Scores by group, scrolls sideways"
      >
        <table className="w-full text-[13px]">
          <TableHead
            columns={[
              { title: 'Group', className: 'sticky left-0 z-1 bg-surface px-3 py-1.5 text-left' },
              { title: 'Cases', className: 'px-2 text-right' },
              ...models.map((model) => ({
                key: model,
                title: <CutName name={model} className="justify-end text-right" />,
                className: 'max-w-40 min-w-24 px-2',
              })),
            ]}
          />
          <tbody>
            {groups.map(({ value, cases, isSmall, scores }) => {
              const scoreOf = new Map(scores.map((score) => [score.modelId, score]))
              return (
                <tr key={value} className="border-t border-line">
                  <th
                    scope="row"
                    className="sticky left-0 z-1 max-w-28 bg-surface px-3 text-left font-medium sm:max-w-48"
                  >
                    <button
                      type="button"
                      aria-pressed={chosen === value}
                      onClick={() => onChoose(value)}
                      className={classes(
                        'max-w-full py-1.5 text-left hover:underline',
                        chosen === value && 'text-accent-ink underline',
                      )}
                      title={`Show the leaderboard of ${value}`}
                    >
                      <span className="block truncate">{value}</span>
                    </button>
                  </th>
                  <td className="px-2 text-right whitespace-nowrap tabular-nums">
                    {formatCount(cases)}
                    {isSmall && <span className="text-xs text-warning"> small</span>}
                  </td>
                  {models.map((model) => {
                    const score = scoreOf.get(model)
                    return (
                      <td
                        key={model}
                        className="px-2 text-right whitespace-nowrap tabular-nums"
                        style={scoreStyle(score?.mean)}
                        title={score && `95 % CI ${describeInterval(score)}; ${formatPassed(score)} passed`}
                      >
                        {score ? (
                          <>
                            <span className="font-medium">{formatScore(score.mean)}</span>{' '}
                            <span className="text-[11px] max-sm:hidden">{formatPassed(score)}</span>
                          </>
                        ) : (
                          '–'
                        )}
                      </td>
                    )
                  })}
                </tr>
              )
            })}
          </tbody>
        </table>
      </div>
    </Panel>
  )
}

/** The leaderboard broken down by category, tag or difficulty; a click on a group shows its own leaderboard. */
export function Groups({ selection, view }: GroupsProps) {
  const [address, changeQuery] = useAddress()
  const available = listGroupings(view.suite)
  const by = readGrouping(address.get('by'), available)
  const groups = useQuery({
    queryKey: ['results', selection, 'groups', by],
    queryFn: () =>
      readReply(api.results[':selection'].groups.$get({ param: { selection }, query: { by: by as Grouping } })),
    enabled: by !== undefined,
  })
  if (available.length === 0) return null
  const { leftOut = 0, ungrouped = 0 } = groups.data ?? {}
  const notes = [
    leftOut > 0 && `${formatCount(leftOut, 'smaller group')} not shown`,
    ungrouped > 0 && by && `${formatCount(ungrouped, 'case')} without a ${groupingWords[by].one}`,
  ].filter((note) => note !== false)
  return (
    <Section
      title="By group"
      id="groups"
      aside={
        <SelectField
          label="Group by"
          isLabelHidden
          className="w-48 max-w-full"
          value={by ?? ''}
          onChange={(event) => changeQuery({ by: event.target.value })}
        >
          <option value="">Not grouped</option>
          {available.map((name) => (
            <option key={name} value={name}>
              {groupingWords[name].title}
            </option>
          ))}
        </SelectField>
      }
    >
      {by && (
        <Loaded query={groups} what="the groups" rows={3}>
          {(loaded) => (
            <>
              <GroupTable
                groups={loaded.groups}
                models={view.rows.map(({ modelId }) => modelId)}
                chosen={view.group?.by === by ? view.group.value : undefined}
                onChoose={(value) => {
                  changeQuery({ group: `${by}:${value}`, row: undefined })
                  window.scrollTo(0, 0)
                }}
              />
              <p className="text-xs text-muted">
                Mean score and passed answers. Choose a group for its own leaderboard, with intervals and ranks.
                {notes.length > 0 && ` ${notes.join('; ')}.`}
              </p>
            </>
          )}
        </Loaded>
      )}
    </Section>
  )
}
