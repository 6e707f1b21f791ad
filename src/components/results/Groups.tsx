import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import type { GroupedStandings } from '../../report/model/standings/grouped-standings.ts'
import { groupTable, scoreInGroup } from '../../report/tables/groups.ts'
import type { ResultsView } from '../../server/results/results-view.ts'
import {
  describeGroups,
  describeGroupScore,
  describeGroupSize,
  explainGroups,
  formatCount,
  formatPassed,
  formatScore,
  groupingWords,
  isSmallGroup,
  type Grouping,
} from '../../report/words/index.ts'
import { formatCases } from '../../report/words/verdicts/verdicts.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useAddress } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'
import { DataTable } from '../ui/table/DataTable.tsx'
import { SelectField, SelectOptions } from '../ui/form/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { scoreStyle } from '../ui/charts/score-colour.ts'
import { listGroupings, readGrouping } from './groupings.ts'
import { readSmallestDifference } from './SmallestDifference.tsx'

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
      title={`Only the ${groupingWords[group.by].one} “${group.value}”: ${describeGroupSize(view, suite?.cases ?? caseCount)}`}
      action={<Button onClick={() => changeQuery({ group: undefined, row: undefined })}>Show all cases</Button>}
    >
      The verdict, the leaderboard and the cases below are those of this group. Retry, Resume and Run again are for the
      whole run.
    </Notice>
  )
}

function GroupTable({
  grouped: { by, groups },
  models,
  chosen,
  onChoose,
}: {
  grouped: GroupedStandings
  models: string[]
  chosen: string | undefined
  onChoose: (value: string) => void
}) {
  return (
    <DataTable
      label="Scores by group"
      columns={groupTable(by, models, groups)}
      rows={groups}
      keyOf={({ value }) => value}
      draw={{
        group: ({ value }) => (
          <button
            type="button"
            aria-pressed={chosen === value}
            onClick={() => onChoose(value)}
            className={classes('max-w-full text-left hover:underline', chosen === value && 'text-accent-ink underline')}
            title={`Show the leaderboard of ${value}`}
          >
            <span className="block truncate">{value}</span>
          </button>
        ),
        cases: (group) => (
          <>
            {formatCases({ n: group.cases, clusters: group.clusters })}
            {isSmallGroup(group) && <span className="text-xs text-warning"> small</span>}
          </>
        ),
      }}
      models={{
        draw(group, modelId) {
          const row = scoreInGroup(group, modelId)
          return (
            row?.score && (
              <>
                <span className="font-medium">{formatScore(row.score.mean)}</span>
                {row.pooled && ` · ${formatScore(row.pooled.estimate)}`}{' '}
                <span className="text-[11px] max-sm:hidden">{formatPassed(row.score)}</span>
              </>
            )
          )
        },
        hint(group, modelId) {
          const { score, pooled } = scoreInGroup(group, modelId) ?? {}
          return score && describeGroupScore(score, pooled)
        },
        style: (group, modelId) => scoreStyle(scoreInGroup(group, modelId)?.score?.mean),
      }}
    />
  )
}

/** The leaderboard broken down by category, tag or difficulty; a click on a group shows its own leaderboard. */
export function Groups({ selection, view }: GroupsProps) {
  const [address, changeQuery] = useAddress()
  const available = listGroupings(view.suite)
  const by = readGrouping(address.get('by'), available)
  const smallestDifference = readSmallestDifference(address)
  const groups = useQuery({
    queryKey: ['results', selection, 'groups', by, smallestDifference],
    queryFn: () =>
      readReply(
        api.results[':selection'].groups.$get({
          param: { selection },
          query: { by: by as Grouping, smallestDifference },
        }),
      ),
    placeholderData: (before, query) =>
      query?.queryKey[1] === selection && query.queryKey[3] === by ? before : undefined,
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
          onChange={(value) => changeQuery({ by: value })}
        >
          <option value="">Not grouped</option>
          <SelectOptions of={available.map((name) => [name, groupingWords[name].title])} />
        </SelectField>
      }
    >
      {by && (
        <Loaded query={groups} what="the groups" rows={3}>
          {(loaded) => (
            <>
              <p className="break-words">{describeGroups(loaded)}</p>
              <GroupTable
                grouped={loaded}
                models={view.rows.map(({ modelId }) => modelId)}
                chosen={view.group?.by === by ? view.group.value : undefined}
                onChoose={(value) => {
                  changeQuery({ group: `${by}:${value}`, row: undefined })
                  window.scrollTo(0, 0)
                }}
              />
              <p className="text-xs text-muted">
                Mean score and passed answers. {explainGroups(loaded).join(' ')} Choose a group for its own leaderboard,
                with intervals and ranks.
                {notes.length > 0 && ` ${notes.join('; ')}.`}
              </p>
            </>
          )}
        </Loaded>
      )}
    </Section>
  )
}
