import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { isAtLeast, roles, tokenLife, type Role } from '../../contract/index.ts'
import type { AccountView } from '../../server/access/account-routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { formatLocalTime } from '../ui/local-time.ts'
import { FailureNotice } from '../ui/Notice.tsx'
import { Page, Panel, Section } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'
import { useKeptText } from '../ui/use-kept.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { OnceShown } from './OnceShown.tsx'
import { roleNames } from './role-words.ts'
import { SESSION_KEY, useSession } from './session.ts'

const ACCOUNT_KEY = ['account']

function TokenForm({ ownRole }: { ownRole: Role }) {
  const queries = useQueryClient()
  const [name, setName] = useKeptText('api-token')
  const [role, setRole] = useState<Role>(isAtLeast(ownRole, 'runner') ? 'runner' : 'viewer')
  const [days, setDays] = useState(String(tokenLife.default))
  const create = useSingleMutation({
    mutationFn: () => readReply(api.account.tokens.$post({ json: { name, role, days: Number(days) } })),
    onSuccess: ({ tokens }) => {
      setName('')
      queries.setQueryData(ACCOUNT_KEY, { tokens })
    },
  })
  return (
    <>
      <Form className="flex flex-wrap items-end gap-3" onSubmit={() => create.mutate()}>
        <TextField label="Name" className="flex-1 basis-56" required value={name} onChange={setName} />
        <SelectField
          label="Role"
          className="w-28"
          value={role}
          onChange={(value) => setRole(roles.find((one) => one === value) ?? role)}
        >
          <SelectOptions of={roles.filter((one) => isAtLeast(ownRole, one)).map((one) => [one, roleNames[one]])} />
        </SelectField>
        <TextField
          label="Days"
          className="w-20"
          type="number"
          min={1}
          max={tokenLife.max}
          required
          value={days}
          onChange={setDays}
        />
        <Button kind="primary" type="submit" disabled={create.isPending}>
          Create token
        </Button>
      </Form>
      <FailureNotice title="Not created" failure={create.error} />
      {create.data && (
        <OnceShown
          title="Copy the token now"
          secret={create.data.token}
          what="token"
          note="It is not shown again. Send it as Authorization: Bearer TOKEN."
        />
      )}
    </>
  )
}

function TokenList({ tokens }: AccountView) {
  const queries = useQueryClient()
  const revoke = useMutation({
    mutationFn: ({ id }: { id: string; name: string }) =>
      readReply(api.account.tokens[':id'].$delete({ param: { id } })),
    onSuccess: (account, { name }) => {
      queries.setQueryData(ACCOUNT_KEY, account)
      toast(`The token ${name} no longer works.`)
    },
    onError: (error) => toast(`Not revoked: ${error.message}`),
  })
  return (
    <Panel>
      <ul className="divide-y divide-line">
        {tokens.map(({ id, name, role, endsAt, isOver, usedAt }) => (
          <li key={id} className="flex flex-wrap items-center gap-x-3 gap-y-1 px-3 py-2">
            <span className="min-w-0 flex-1 basis-40 break-words">{name}</span>
            <span className="text-muted">{roleNames[role]}</span>
            <span className="text-muted">{isOver ? 'expired' : `until ${formatLocalTime(endsAt)}`}</span>
            <span className="text-muted">
              {usedAt === undefined ? 'never used' : `last used ${formatLocalTime(usedAt)}`}
            </span>
            <Button
              kind="quiet"
              aria-label={`Revoke ${name}`}
              disabled={revoke.isPending}
              onClick={() => revoke.mutate({ id, name })}
            >
              Revoke
            </Button>
          </li>
        ))}
      </ul>
    </Panel>
  )
}

/** A person's own tokens and sessions; only on a team server. */
export function AccountScreen() {
  const queries = useQueryClient()
  const { data: session } = useSession()
  const account = useQuery({ queryKey: ACCOUNT_KEY, queryFn: () => readReply(api.account.$get()) })
  const endSessions = useMutation({
    mutationFn: () => readReply(api.account['end-sessions'].$post()),
    onSuccess: () => void queries.invalidateQueries({ queryKey: SESSION_KEY }),
    onError: (error) => toast(`Not signed out: ${error.message}`),
  })
  return (
    <Page title="Your account">
      <div className="flex max-w-5xl min-w-0 flex-col gap-8">
        <Section title="Sessions" aside="Every browser in which you are signed in.">
          <Button className="w-fit" disabled={endSessions.isPending} onClick={() => endSessions.mutate()}>
            Sign out everywhere
          </Button>
        </Section>
        <Section title="API tokens" aside="For CI: a token acts as you, with at most your role.">
          {session?.person && <TokenForm ownRole={session.person.role} />}
          <Loaded
            query={account}
            what="your tokens"
            rows={2}
            isEmpty={({ tokens }) => tokens.length === 0}
            empty={<p className="text-muted">No tokens yet.</p>}
          >
            {({ tokens }) => <TokenList tokens={tokens} />}
          </Loaded>
        </Section>
      </div>
    </Page>
  )
}
