import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { TextField } from '../ui/Field.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { EntryFrame } from './EntryFrame.tsx'
import { startSession } from './session.ts'

/** Where the provider sends the person back to: the screen that was asked for. */
function openIdAddress(): string {
  const { pathname, search } = window.location
  return `/auth/openid?return=${encodeURIComponent(`${pathname}${search}`)}`
}

/** Signing in with a password, or at the team's OpenID provider. The screen that was asked for follows. */
export function SignIn({ openId }: { openId: string | null }) {
  const queries = useQueryClient()
  const [login, setLogin] = useState('')
  const [password, setPassword] = useState('')
  const signIn = useMutation({
    mutationFn: () => readReply(api.auth['sign-in'].$post({ json: { login, password } })),
    onSuccess: (session) => startSession(queries, session),
  })
  return (
    <EntryFrame title="Sign in">
      {openId !== null && (
        <>
          <a className={buttonClass('primary')} href={openIdAddress()}>
            Continue with {openId}
          </a>
          <div className="text-center text-xs text-muted">or with a password</div>
        </>
      )}
      <form
        className="flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault()
          signIn.mutate()
        }}
      >
        <TextField
          label="E-mail address or name"
          autoComplete="username"
          autoCapitalize="none"
          required
          value={login}
          onChange={(event) => setLogin(event.target.value)}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={(event) => setPassword(event.target.value)}
        />
        <FailureNotice title="Not signed in" failure={signIn.error} />
        <Button kind={openId === null ? 'primary' : 'plain'} type="submit" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </form>
      <p className="text-xs text-muted">No account, or forgot the password? Ask an admin for an invitation.</p>
    </EntryFrame>
  )
}
