import { both, Loaded } from '../../ui/Loaded.tsx'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link, type ScreenProps, useAddress } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { describeRunState, formatCount } from '../../../report/words/index.ts'
import { formatLocalTime } from '../../ui/local-time.ts'
import { EmptyState, FailureNotice } from '../../ui/Notice.tsx'
import { Page } from '../../ui/Page.tsx'
import { Tabs } from '../../ui/Tabs.tsx'
import { toast } from '../../ui/toast.ts'
import { VersionView } from './VersionView.tsx'
import { textOf } from '../suite-draft.ts'
import type { ListedRun } from '../../../server/runs/listed-runs.ts'
import { resultsAddress } from '../../results/addresses.ts'
import { RunStateBadge } from '../../ui/RunStateBadge.tsx'
import { runTable } from '../../../report/tables/runs.ts'
import { DataTable } from '../../ui/table/DataTable.tsx'

const COLUMNS = new Set(['started', 'models', 'scored', 'missing', 'notRun', 'cost', 'state'])

/** The runs of the suite, newest first. */
function SuiteRuns({ runs }: { runs: ListedRun[] }) {
  return (
    <DataTable
      label="Runs of this suite"
      columns={runTable.filter(({ key }) => COLUMNS.has(key))}
      rows={runs.map((run) => ({ ...run, stateWord: describeRunState(run) }))}
      keyOf={({ id }) => id}
      draw={{
        started: (run) => (
          <Link
            to={resultsAddress(run.id)}
            className="inline-block leading-6 whitespace-nowrap underline decoration-dotted"
          >
            {formatLocalTime(run.startedAt)}
          </Link>
        ),
        models: ({ models }) => (
          <div className="max-w-72 truncate" title={models.join(', ')}>
            {models.join(', ')}
          </div>
        ),
        state: (run) => <RunStateBadge run={run} />,
      }}
    />
  )
}

interface VersionsProps {
  id: string
  versions: { version: number; savedAt: number }[]
}

/** Shows a version, compares it with another, or restores it. */
function Versions({ id, versions }: VersionsProps) {
  const [address, setAddress] = useAddress()
  const queries = useQueryClient()
  const newest = versions[0]?.version ?? 0
  const readVersion = (name: string) => versions.find(({ version }) => String(version) === address.get(name))?.version
  const shown = readVersion('version') ?? newest
  // Defaults to the previous version, so that the last save is shown. `from=0` shows the version alone.
  const from =
    readVersion('from') ??
    (address.get('from') === '0' ? undefined : versions.find(({ version }) => version < shown)?.version)
  const restore = useSingleMutation({
    mutationFn: async () => {
      const query = { version: String(shown) }
      const { suite } = await readReply(api.suites[':id'].$get({ param: { id }, query }))
      return readReply(api.suites[':id'].$put({ param: { id }, json: { suite, after: newest } }))
    },
    onSuccess: ({ version }) => {
      void queries.invalidateQueries({ queryKey: ['suiteHistory', id] })
      void queries.invalidateQueries({ queryKey: ['suites'] })
      setAddress({ version: undefined, from: undefined })
      toast(`Restored version ${shown} as version ${version}.`)
    },
  })
  const options = (
    <SelectOptions
      of={versions.map(({ version, savedAt }) => [version, `Version ${version} · ${formatLocalTime(savedAt)}`])}
    />
  )
  return (
    <div className="flex flex-col gap-3">
      {restore.error && (
        <FailureNotice failure={restore.error} title="The version was not restored. Nothing was changed." />
      )}
      <div className="flex flex-wrap items-end gap-3">
        <SelectField
          label="Show"
          className="w-80 max-w-full"
          value={shown}
          onChange={(value) => setAddress({ version: value })}
        >
          {options}
        </SelectField>
        <SelectField
          label="Compare with"
          className="w-80 max-w-full"
          value={from ?? 0}
          onChange={(value) => setAddress({ from: value })}
        >
          <option value={0}>Nothing (show the full version)</option>
          {options}
        </SelectField>
        <RunnersOnly>
          <Button
            disabled={shown === newest || restore.isPending}
            title={shown === newest ? 'This is the newest version' : undefined}
            onClick={() => restore.mutate()}
          >
            {restore.isPending ? 'Restoring…' : `Restore version ${shown}`}
          </Button>
        </RunnersOnly>
      </div>
      <VersionView id={id} shown={shown} from={from} />
    </div>
  )
}

/** `/suites/:id/history`: the versions of the suite and its runs. */
export function SuiteHistory({ params }: ScreenProps) {
  const id = params['id'] ?? ''
  const [address, setAddress] = useAddress()
  const suite = useQuery({
    queryKey: ['suite', id],
    queryFn: () => readReply(api.suites[':id'].$get({ param: { id }, query: {} })),
  })
  const history = useQuery({
    queryKey: ['suiteHistory', id],
    queryFn: () => readReply(api.suites[':id'].history.$get({ param: { id } })),
  })
  const name = textOf(suite.data?.suite['name'])
  const { versions = [], runs = [] } = history.data ?? {}
  const tabs = [
    { id: 'versions', label: `Versions (${versions.length})`, content: <Versions id={id} versions={versions} /> },
    {
      id: 'runs',
      label: `Runs (${runs.length})`,
      content:
        runs.length === 0 ? (
          <EmptyState
            title="This suite has not been run yet."
            action={
              <Link to={`/arena?suite=${encodeURIComponent(id)}`} className={buttonClass()}>
                Run it
              </Link>
            }
          />
        ) : (
          <SuiteRuns runs={runs} />
        ),
    },
  ]
  return (
    <Page
      title={name === '' ? 'History' : `History of ${name}`}
      subtitle={
        history.data &&
        `${formatCount(versions.length, 'version')}, ${formatCount(runs.length, 'run')}. Every run stores its own copy of the suite.`
      }
      actions={
        <Link to={`/suites/${encodeURIComponent(id)}`} className={buttonClass('primary')}>
          Edit suite
        </Link>
      }
    >
      <Loaded query={both(suite, history)} what="the history" back={{ to: '/suites', label: 'All suites' }}>
        {() => (
          <Tabs
            label="History views"
            tabs={tabs}
            value={address.get('tab') === 'runs' ? 'runs' : 'versions'}
            onChange={(tab) => setAddress({ tab: tab === 'runs' ? tab : undefined })}
          />
        )}
      </Loaded>
    </Page>
  )
}
