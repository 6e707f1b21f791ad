import { Loaded } from '../ui/Loaded.tsx'
import { Pager } from '../ui/table/Pager.tsx'
import { useQuery, keepPreviousData, useQueryClient } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply, apiAddress } from '../api-request.ts'
import { Link } from '../router.tsx'
import { Page, Panel, Section, TablePanel } from '../ui/Page.tsx'
import { People } from './People.tsx'
import { useState } from 'react'
import { formatCost, formatCount } from '../../report/words/index.ts'
import type { TeamView } from '../../server/access/team-routes.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { useKeptText } from '../ui/use-kept.ts'
import { BudgetField } from './BudgetField.tsx'
import { useSaveTeam } from './use-save-team.ts'
import { classes } from '../ui/classes.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { roles, type Role } from '../../contract/index.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { OnceShown } from './OnceShown.tsx'
import { roleNames } from './role-words.ts'

function InviteForm() {
  const queries = useQueryClient()
  const [login, setLogin] = useKeptText('invite')
  const [role, setRole] = useState<Role>('runner')
  const invite = useSingleMutation({
    mutationFn: () => readReply(api.team.invitations.$post({ json: { login, role } })),
    onSuccess: () => {
      setLogin('')
      void queries.invalidateQueries({ queryKey: ['team'] })
      void queries.invalidateQueries({ queryKey: ['team-log'] })
    },
  })
  const [invited, setInvited] = useState('')
  return (
    <>
      <Form
        className="flex flex-wrap items-end gap-3"
        onSubmit={() => {
          setInvited(login.trim())
          invite.mutate()
        }}
      >
        <TextField
          label="E-mail address or name"
          className="flex-1 basis-56"
          required
          value={login}
          onChange={setLogin}
        />
        <SelectField
          label="Role"
          className="w-28"
          value={role}
          onChange={(value) => setRole(roles.find((one) => one === value) ?? role)}
        >
          <SelectOptions of={roles.map((one) => [one, roleNames[one]])} />
        </SelectField>
        <Button kind="primary" type="submit" disabled={invite.isPending}>
          {invite.isPending ? 'Inviting…' : 'Invite'}
        </Button>
      </Form>
      <FailureNotice title="Not invited" failure={invite.error} />
      {invite.data && (
        <OnceShown
          title={`Send this link to ${invited}`}
          secret={invite.data.link}
          what="link"
          note="It works once, for a week, and is not shown again."
        />
      )}
    </>
  )
}

/** Links that were not used yet, and a form for another. */
function Invitations({ team }: { team: TeamView }) {
  const withdraw = useSaveTeam(
    ({ id }: { id: string; login: string }) => readReply(api.team.invitations[':id'].$delete({ param: { id } })),
    ({ login }) => `The invitation of ${login} no longer works.`,
  )
  return (
    <Section title="Invitations" aside="A link makes one account.">
      <InviteForm />
      {team.invitations.length > 0 && (
        <Panel>
          <ul className="divide-y divide-line">
            {team.invitations.map(({ id, login, role, endsAt, isOver }) => (
              <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <span className="min-w-0 flex-1 basis-40 break-words">{login}</span>
                <span className="text-muted">{roleNames[role]}</span>
                <span className="text-muted">{isOver ? 'expired' : `until ${formatLocalTime(endsAt)}`}</span>
                <Button kind="quiet" disabled={withdraw.isPending} onClick={() => withdraw.mutate({ id, login })}>
                  Withdraw
                </Button>
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  )
}

const PAGE = 50

/** Who did what, last first; entries are only ever added. */
function TeamLog() {
  const [search, setSearch] = useState('')
  const [offset, setOffset] = useState(0)
  const log = useQuery({
    queryKey: ['team-log', search, offset],
    queryFn: () => readReply(api.team.log.$get({ query: { search, offset: String(offset), limit: String(PAGE) } })),
    placeholderData: keepPreviousData,
  })
  const { total = 0 } = log.data ?? {}
  return (
    <Section title="Log" aside={log.data && formatCount(total, 'entry', 'entries')}>
      <div className="flex flex-wrap items-end gap-3">
        <TextField
          label="Search the log"
          type="search"
          placeholder="A person, an action or a run"
          className="flex-1 basis-56"
          value={search}
          onChange={(text) => {
            setSearch(text)
            setOffset(0)
          }}
        />
        <a
          className={buttonClass()}
          href={apiAddress(api.team.log.csv.$path({ query: { search } }))}
          download="benchmaker-log.csv"
        >
          Export as CSV
        </a>
      </div>
      <Loaded
        query={log}
        what="the log"
        rows={4}
        isEmpty={(page) => page.entries.length === 0}
        empty={<p className="text-muted">Nothing found.</p>}
      >
        {({ entries }) => (
          <TablePanel label="Log">
            <table className="w-full text-left">
              <thead className="text-xs text-muted">
                <tr>
                  {['Time', 'Person', 'Action', 'What'].map((title) => (
                    <th key={title} className={classes('px-3 py-2 font-medium', title === 'Person' && 'max-sm:hidden')}>
                      {title}
                    </th>
                  ))}
                </tr>
              </thead>
              <tbody>
                {entries.map(({ at, person, action, object, detail }, index) => (
                  <tr key={`${total - offset - index}`} className="border-t border-line align-top">
                    <td className="px-3 py-1.5 text-muted tabular-nums sm:whitespace-nowrap">
                      {formatLocalTime(at)}
                      <span className="block text-ink sm:hidden">{person?.name}</span>
                    </td>
                    <td className="px-3 py-1.5 max-sm:hidden">
                      {person?.name ?? <span className="text-muted">–</span>}
                    </td>
                    <td className="px-3 py-1.5">{action}</td>
                    <td className="px-3 py-1.5 wrap-anywhere">{[object, detail].filter(Boolean).join(', ')}</td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TablePanel>
        )}
      </Loaded>
      {total > PAGE && (
        <Pager
          offset={offset}
          count={log.data?.entries.length ?? 0}
          size={PAGE}
          total={total}
          isByTime
          onOffset={setOffset}
        />
      )}
    </Section>
  )
}

function AddProject() {
  const [name, setName] = useKeptText('project')
  const [amount, setAmount] = useKeptText('project-budget')
  const add = useSaveTeam(
    () => readReply(api.team.budgets.$put({ json: { owner: { kind: 'project', id: name }, monthly: Number(amount) } })),
    () => `${name} may spend $${amount} a month.`,
  )
  return (
    <Form
      className="flex flex-wrap items-end gap-3"
      onSubmit={() => {
        add.mutate(undefined, {
          onSuccess: () => {
            setName('')
            setAmount('')
          },
        })
      }}
    >
      <TextField label="Project" className="flex-1 basis-56" required value={name} onChange={setName} />
      <TextField
        label="Monthly budget, $"
        className="w-32"
        type="number"
        min={0}
        step="any"
        required
        value={amount}
        onChange={setAmount}
      />
      <Button type="submit" disabled={add.isPending}>
        Set budget
      </Button>
    </Form>
  )
}

/** Projects that pay for runs: named when a run is started. */
function Projects({ team }: { team: TeamView }) {
  return (
    <Section title="Projects" aside="A run names the project that pays for it.">
      <AddProject />
      {team.projects.length > 0 && (
        <Panel>
          <ul className="divide-y divide-line">
            {team.projects.map(({ name, spent, monthly }) => (
              <li key={name} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
                <span className="min-w-0 flex-1 basis-40 break-words">{name}</span>
                <span className="text-muted tabular-nums">{formatCost(spent)} this month</span>
                <BudgetField owner={{ kind: 'project', id: name }} name={name} monthly={monthly} />
              </li>
            ))}
          </ul>
        </Panel>
      )}
    </Section>
  )
}

/** People, invitations, budgets and the log, for admins of a team server. */
export function Team() {
  const team = useQuery({ queryKey: ['team'], queryFn: () => readReply(api.team.$get()) })
  return (
    <Page
      title="Team"
      subtitle={
        <>
          Under{' '}
          <Link to="/settings" className="underline decoration-dotted hover:text-ink">
            Settings
          </Link>
          . Months are calendar months, UTC.
        </>
      }
    >
      <div className="flex max-w-5xl min-w-0 flex-col gap-8">
        <Loaded query={team} what="the team">
          {(loaded) => (
            <>
              <People team={loaded} />
              <Invitations team={loaded} />
              <Projects team={loaded} />
              <TeamLog />
            </>
          )}
        </Loaded>
      </div>
    </Page>
  )
}
