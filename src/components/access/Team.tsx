import { Loaded } from '../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link } from '../router.tsx'
import { Page } from '../ui/Page.tsx'
import { Invitations } from './Invitations.tsx'
import { People } from './People.tsx'
import { Projects } from './Projects.tsx'
import { TeamLog } from './TeamLog.tsx'

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
