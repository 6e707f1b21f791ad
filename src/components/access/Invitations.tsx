import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { roles, type Role } from '../../contract/index.ts'
import type { TeamView } from '../../server/access/team-routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, TextField } from '../ui/Field.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Panel, Section } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'
import { roleNames } from './role-words.ts'
import { useSaveTeam } from './use-save-team.ts'

function NewLink({ link, login }: { link: string; login: string }) {
  return (
    <Notice
      title={`Send this link to ${login}`}
      action={
        <Button
          onClick={() =>
            void navigator.clipboard.writeText(link).then(
              () => toast('Copied the link.'),
              () => toast('The browser does not allow copying; select the link instead.'),
            )
          }
        >
          Copy
        </Button>
      }
    >
      <code className="text-xs break-all">{link}</code>
      <div className="text-muted">It works once, for a week, and is not shown again.</div>
    </Notice>
  )
}

function InviteForm() {
  const queries = useQueryClient()
  const [login, setLogin] = useState('')
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
      <form
        className="flex flex-wrap items-end gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          setInvited(login.trim())
          invite.mutate()
        }}
      >
        <TextField
          label="E-mail address or name"
          className="flex-1 basis-56"
          required
          value={login}
          onChange={(event) => setLogin(event.target.value)}
        />
        <SelectField
          label="Role"
          className="w-28"
          value={role}
          onChange={(event) => setRole(roles.find((one) => one === event.target.value) ?? role)}
        >
          {roles.map((one) => (
            <option key={one} value={one}>
              {roleNames[one]}
            </option>
          ))}
        </SelectField>
        <Button kind="primary" type="submit" disabled={invite.isPending}>
          {invite.isPending ? 'Inviting…' : 'Invite'}
        </Button>
      </form>
      <FailureNotice title="Not invited" failure={invite.error} />
      {invite.data && <NewLink link={invite.data.link} login={invited} />}
    </>
  )
}

/** Links that were not used yet, and a form for another. */
export function Invitations({ team }: { team: TeamView }) {
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
