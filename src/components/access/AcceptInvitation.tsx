import { Loaded } from '../ui/Loaded.tsx'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { passwordLimits } from '../../contract/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { navigate } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import { describeRole } from './role-words.ts'
import { startSession } from './session.ts'

/** The secret is in the fragment of the address, which is not sent to the server. */
const readToken = () => window.location.hash.slice(1)

function AccountForm({ token, login }: { token: string; login: string }) {
  const queries = useQueryClient()
  const [name, setName] = useState('')
  const [password, setPassword] = useState('')
  const accept = useSingleMutation({
    mutationFn: () => readReply(api.auth.accept.$post({ json: { token, name, password } })),
    onSuccess: (session) => {
      startSession(queries, session)
      navigate('/', { replace: true })
    },
  })
  const isShort = password !== '' && password.length < passwordLimits.min
  return (
    <form
      className="flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault()
        accept.mutate()
      }}
    >
      <TextField label="Sign in as" value={login} readOnly autoComplete="username" />
      <TextField
        label="Your name"
        hint="Others see it beside the runs that you start."
        autoComplete="name"
        required
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Password"
        type="password"
        autoComplete="new-password"
        hint={`At least ${passwordLimits.min} characters.`}
        error={isShort ? `${passwordLimits.min - password.length} more to go` : undefined}
        required
        minLength={passwordLimits.min}
        value={password}
        onChange={(event) => setPassword(event.target.value)}
      />
      <FailureNotice title="The account was not created" failure={accept.error} />
      <Button kind="primary" type="submit" disabled={accept.isPending}>
        {accept.isPending ? 'Creating the account…' : 'Create account'}
      </Button>
    </form>
  )
}

/** A person sets a password with the link of an invitation. */
export function AcceptInvitation() {
  const [token] = useState(readToken)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: () => readReply(api.auth.invitation.$post({ json: { token } })),
    staleTime: Infinity,
  })
  return (
    <EntryFrame title="Welcome to the team">
      <Loaded query={invitation} what="the invitation" rows={2}>
        {({ role, login }) => (
          <>
            <p className="text-muted">You are invited {describeRole(role)}. Choose a password.</p>
            <AccountForm token={token} login={login} />
          </>
        )}
      </Loaded>
    </EntryFrame>
  )
}
