import { useQuery, type QueryClient } from '@tanstack/react-query'
import { isAtLeast, type Role } from '../../contract/index.ts'
import type { SessionView } from '../../server/access/sign-in-routes.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { keepSessionKey } from '../session-key.ts'

/** The server marks its page: without the mark, one person uses it and may do everything. */
export const isTeamServer = document.querySelector('meta[name="benchmaker-team"]') !== null

export const SESSION_KEY = ['session']

/**
 * After signing in or out: what was loaded before was another person's. Not with `clear`, after which those who use the
 * session would not learn of the new one.
 */
export function startSession(queries: QueryClient, { key, ...session }: SessionView & { key?: string }): void {
  if (key !== undefined) keepSessionKey(key)
  queries.removeQueries({ predicate: ({ queryKey }) => queryKey[0] !== SESSION_KEY[0] })
  queries.setQueryData(SESSION_KEY, session)
}

/** Who is signed in; asked only on a team server. */
export function useSession() {
  return useQuery({
    queryKey: SESSION_KEY,
    queryFn: (): Promise<SessionView> => readReply(api.auth.session.$get()),
    enabled: isTeamServer,
    staleTime: 60_000,
  })
}

/** True if the person may do what needs this role. */
export function useMay(role: Role): boolean {
  const { data } = useSession()
  if (!isTeamServer) return true
  return data?.person ? isAtLeast(data.person.role, role) : false
}
