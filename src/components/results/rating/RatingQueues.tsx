import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { Button } from '../../ui/Button.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { Section } from '../../ui/Page.tsx'
import { QueueList } from './QueueSetup.tsx'

/** Every rating queue, for the screen of judges. */
export function RatingQueues() {
  const queues = useQuery({ queryKey: ['ratingQueues'], queryFn: () => readReply(api.ratings.$get({ query: {} })) })
  if (queues.error)
    return (
      <FailureNotice
        title="The rating queues could not be loaded"
        failure={queues.error}
        action={<Button onClick={() => void queues.refetch()}>Try again</Button>}
      />
    )
  if (!queues.data) return null
  return (
    <Section
      title="People’s ratings"
      aside="A judge’s scores, corrected by what people gave a random sample of answers"
    >
      {queues.data.length > 0 ? (
        <QueueList queues={queues.data} withTitles />
      ) : (
        <p className="text-muted">
          Nobody has rated yet. Open the{' '}
          <Link to="/results" className="text-accent-ink underline">
            results of a run
          </Link>{' '}
          and choose Rate answers.
        </p>
      )}
    </Section>
  )
}
