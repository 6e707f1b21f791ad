import { Logo } from '../ui/Page.tsx'
import { useEffect, useState, type ReactNode } from 'react'
import { FailureNotice } from '../ui/Notice.tsx'
import { usePath, navigate } from '../router.tsx'
import { isTeamServer, useSession, startSession } from './session.ts'
import { useMutation, useQueryClient, useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { passwordLimits } from '../../contract/index.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { roleWords } from './role-words.ts'

/** The frame of the screens before the app: signing in, and accepting an invitation. */
function EntryFrame({ title, children }: { title: string; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Benchmaker`
  }, [title])
  return (
    <main className="mx-auto flex min-h-dvh w-full max-w-sm flex-col justify-center gap-4 p-4">
      <div className="flex items-center gap-2 font-semibold">
        <Logo />
        Benchmaker
      </div>
      <div className="flex flex-col gap-4 rounded-lg border border-line bg-surface p-5">
        <h1 className="text-xl leading-7 font-semibold">{title}</h1>
        {children}
      </div>
    </main>
  )
}

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
    <Form className="flex flex-col gap-3" onSubmit={() => accept.mutate()}>
      <TextField label="Sign in as" value={login} readOnly autoComplete="username" />
      <TextField
        label="Your name"
        hint="Others see it beside the runs that you start."
        autoComplete="name"
        required
        value={name}
        onChange={setName}
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
        onChange={setPassword}
      />
      <FailureNotice title="The account was not created" failure={accept.error} />
      <Button kind="primary" type="submit" disabled={accept.isPending}>
        {accept.isPending ? 'Creating the account…' : 'Create account'}
      </Button>
    </Form>
  )
}

/** A person sets a password with the link of an invitation. */
function AcceptInvitation() {
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
            <p className="text-muted">You are invited {roleWords[role]}. Choose a password.</p>
            <AccountForm token={token} login={login} />
          </>
        )}
      </Loaded>
    </EntryFrame>
  )
}

/** Where the provider sends the person back to: the screen that was asked for. */
function openIdAddress(): string {
  const { pathname, search } = window.location
  return `/auth/openid?return=${encodeURIComponent(`${pathname}${search}`)}`
}

/** Signing in with a password, or at the team's OpenID provider. The screen that was asked for follows. */
function SignIn({ openId }: { openId: string | null }) {
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
      <Form className="flex flex-col gap-3" onSubmit={() => signIn.mutate()}>
        <TextField
          label="E-mail address or name"
          autoComplete="username"
          autoCapitalize="none"
          required
          value={login}
          onChange={setLogin}
        />
        <TextField
          label="Password"
          type="password"
          autoComplete="current-password"
          required
          value={password}
          onChange={setPassword}
        />
        <FailureNotice title="Not signed in" failure={signIn.error} />
        <Button kind={openId === null ? 'primary' : 'plain'} type="submit" disabled={signIn.isPending}>
          {signIn.isPending ? 'Signing in…' : 'Sign in'}
        </Button>
      </Form>
      <p className="text-xs text-muted">No account, or forgot the password? Ask an admin for an invitation.</p>
    </EntryFrame>
  )
}

/** On a team server, asks who is there before it shows anything. */
export function TeamGate({ children }: { children: ReactNode }) {
  const path = usePath()
  const session = useSession()
  const [isSlow, setSlow] = useState(false)
  useEffect(() => {
    const timer = window.setTimeout(() => setSlow(true), 500)
    return () => window.clearTimeout(timer)
  }, [])
  if (!isTeamServer) return children
  if (path === '/invitation') return <AcceptInvitation />
  if (session.error)
    return (
      <main className="mx-auto max-w-md p-8 pt-24">
        <FailureNotice title="The server does not answer" failure={session.error} onRetry={session.refetch} />
      </main>
    )
  if (!session.data) return isSlow ? <main className="p-8 text-muted">Loading…</main> : null
  return session.data.person ? children : <SignIn openId={session.data.openId} />
}
