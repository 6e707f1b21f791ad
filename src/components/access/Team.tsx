import { useQuery } from '@tanstack/react-query'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
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
        {team.isPending && <Loading label="Loading the team…" />}
        {team.error && (
          <FailureNotice
            title="The team could not be loaded"
            failure={team.error}
            action={<Button onClick={() => void team.refetch()}>Try again</Button>}
          />
        )}
        {team.data && (
          <>
            <People team={team.data} />
            <Invitations team={team.data} />
            <Projects team={team.data} />
            <TeamLog />
          </>
        )}
      </div>
    </Page>
  )
}
