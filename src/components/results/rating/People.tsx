import type { ResultsView } from '../../../server/results/results-view.ts'
import { describePeople, hasRatedSample, PEOPLE_TITLE } from '../../../report/words/index.ts'
import { Link } from '../../router.tsx'
import { Section } from '../../ui/Page.tsx'
import { rateAddress } from '../addresses.ts'
import { EstimateTable } from './EstimateTable.tsx'

/** What people's ratings say about the models, the judge and the people. */
export function People({ selection, people }: { selection: string; people: NonNullable<ResultsView['people']> }) {
  return (
    <Section
      title={PEOPLE_TITLE}
      id="people"
      aside={
        <Link to={rateAddress(selection)} className="text-accent-ink hover:underline">
          Rate more answers
        </Link>
      }
    >
      {hasRatedSample(people) && (
        <>
          <p className="break-words text-muted">{describePeople(people)}</p>
          <EstimateTable label={PEOPLE_TITLE} models={people.models} />
        </>
      )}
      <ul className="flex flex-col gap-1 text-[13px]">
        {people.notes.map((note) => (
          <li key={note} className="break-words">
            {note}
          </li>
        ))}
      </ul>
    </Section>
  )
}
