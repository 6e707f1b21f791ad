import { roles, type Role } from '../../contract/index.ts'
import { formatCost } from '../../report/words/index.ts'
import type { TeamView } from '../../server/access/team-routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, SelectOptions } from '../ui/form/Field.tsx'
import { Section, TablePanel } from '../ui/Page.tsx'
import { BudgetField } from './BudgetField.tsx'
import { roleNames } from './role-words.ts'
import { useSession } from './session.ts'
import { useSaveTeam } from './use-save-team.ts'

type Person = TeamView['people'][number]

function PersonRow({ person, isSelf }: { person: Person; isSelf: boolean }) {
  const { id, name, login, role, isDisabled, signsInBy, spent, monthly } = person
  const change = useSaveTeam(
    (json: { role?: Role; isDisabled?: boolean }) => readReply(api.team.people[':id'].$put({ param: { id }, json })),
    (json) =>
      json.role !== undefined
        ? `${name} is now ${roleNames[json.role].toLowerCase()}, and must sign in again.`
        : json.isDisabled
          ? `${name} can no longer sign in.`
          : `${name} can sign in again.`,
  )
  return (
    <tr className="border-t border-line">
      <td className="px-3 py-2">
        <div className={isDisabled ? 'text-muted line-through' : 'font-medium'}>
          {name}
          {isSelf && <span className="font-normal text-muted"> (you)</span>}
        </div>
        <div className="text-xs text-muted">
          {login} · {signsInBy === 'openid' ? 'OpenID' : 'password'}
        </div>
      </td>
      <td className="px-3 py-2">
        <SelectField
          label={`Role of ${name}`}
          isLabelHidden
          className="w-28"
          value={role}
          disabled={change.isPending || isDisabled}
          onChange={(value) => change.mutate({ role: roles.find((one) => one === value) ?? role })}
        >
          <SelectOptions of={roles.map((one) => [one, roleNames[one]])} />
        </SelectField>
      </td>
      <td className="px-3 py-2 text-right tabular-nums">{formatCost(spent)}</td>
      <td className="px-3 py-2">
        <BudgetField owner={{ kind: 'person', id }} name={name} monthly={monthly} />
      </td>
      <td className="px-3 py-2 text-right">
        {!isSelf && (
          <Button
            kind={isDisabled ? 'plain' : 'danger'}
            disabled={change.isPending}
            onClick={() => change.mutate({ isDisabled: !isDisabled })}
          >
            {isDisabled ? 'Enable' : 'Disable'}
          </Button>
        )}
      </td>
    </tr>
  )
}

/** Everybody with an account. */
export function People({ team }: { team: TeamView }) {
  const session = useSession()
  return (
    <Section title="People">
      <TablePanel label="People">
        <table className="w-full min-w-[640px] text-left">
          <thead className="text-xs text-muted">
            <tr>
              <th className="px-3 py-2 font-medium">Name</th>
              <th className="px-3 py-2 font-medium">Role</th>
              <th className="px-3 py-2 text-right font-medium">Spent this month</th>
              <th className="px-3 py-2 font-medium">Monthly budget, $</th>
              <th className="px-3 py-2">
                <span className="sr-only">Actions</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {team.people.map((person) => (
              <PersonRow key={person.id} person={person} isSelf={person.id === session.data?.person?.id} />
            ))}
          </tbody>
        </table>
      </TablePanel>
    </Section>
  )
}
