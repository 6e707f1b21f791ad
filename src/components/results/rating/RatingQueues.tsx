import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Link } from '../../router.tsx'
import { Section } from '../../ui/Page.tsx'
import { QueueList } from './QueueSetup.tsx'

/** Every rating queue, for the screen of judges. */
export function RatingQueues() {
  const queues = useQuery({ queryKey: ['ratingQueues'], queryFn: () => readReply(api.ratings.$get({ query: {} })) })
  return (
    <Section title="Human ratings" aside="A judge’s scores, corrected by human ratings of a random sample">
      <Loaded
        query={queues}
        what="the rating queues"
        rows={2}
        empty={
          <p className="text-muted">
            Nobody has rated yet. Open the{' '}
            <Link to="/results" className="text-accent-ink underline">
              results of a run
            </Link>{' '}
            and choose Rate answers.
          </p>
        }
      >
        {(list) => <QueueList queues={list} withTitles />}
      </Loaded>
    </Section>
  )
}
