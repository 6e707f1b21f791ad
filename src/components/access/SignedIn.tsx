import { useMutation, useQueryClient } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { formatCost } from '../../report/words/index.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link } from '../router.tsx'
import { IconButton } from '../ui/Button.tsx'
import { toast } from '../ui/toast.ts'
import { roleNames } from './role-words.ts'
import { startSession, useSession } from './session.ts'

/** Who is signed in, and what is left of the person's budget; nothing on a server for one person. */
export function SignedIn() {
  const queries = useQueryClient()
  const { data } = useSession()
  const signOut = useMutation({
    mutationFn: () => readReply(api.auth['sign-out'].$post()),
    onSuccess: (session) => startSession(queries, session),
    onError: (error) => toast(`Not signed out: ${error.message}`),
  })
  if (!data?.person) return null
  const { name, role } = data.person
  return (
    <div className="flex items-center gap-1 border-t border-line pt-2 text-ink">
      <div className="min-w-0 flex-1">
        <Link
          to="/account"
          className="block truncate text-[13px] font-medium underline decoration-dotted"
          title={`Your account: ${data.person.login}`}
        >
          {name}
        </Link>
        <div className="text-xs text-muted">
          {roleNames[role]}
          {data.budget && ` · ${formatCost(data.budget.left)} left`}
        </div>
      </div>
      <IconButton label="Sign out" disabled={signOut.isPending} onClick={() => signOut.mutate()}>
        <LogOut size={15} aria-hidden />
      </IconButton>
    </div>
  )
}
