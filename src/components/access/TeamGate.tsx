import { useEffect, useState, type ReactNode } from 'react'
import { FailureNotice } from '../ui/Notice.tsx'
import { usePath } from '../router.tsx'
import { AcceptInvitation } from './AcceptInvitation.tsx'
import { isTeamServer, useSession } from './session.ts'
import { SignIn } from './SignIn.tsx'

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
