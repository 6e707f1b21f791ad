import { runOptions } from '../../../contract/index.ts'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { Link } from '../../router.tsx'
import { Badge } from '../../ui/Badge.tsx'
import { SelectField, SelectOptions } from '../../ui/form/Field.tsx'
import { formatCount } from '../../../report/words/index.ts'
import { Section } from '../../ui/Page.tsx'
import { describeCases } from '../../../report/words/cases.ts'
import { OptionFields } from './OptionFields.tsx'
import { useArena } from '../use-arena.ts'

interface SuiteChoiceProps {
  suites: SuiteSummary[]
  chosen: SuiteSummary | undefined
  onChoose: (id: string) => void
}

/** The suite to run, or a part of it. */
export function SuiteChoice({ suites, chosen, onChoose }: SuiteChoiceProps) {
  const arena = useArena((state) => state)
  return (
    <Section
      title="Suite"
      aside={
        chosen && (
          <Link to={`/suites/${encodeURIComponent(chosen.id)}`} className="underline decoration-dotted hover:text-ink">
            Edit this suite
          </Link>
        )
      }
    >
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 lg:grid-cols-[minmax(0,2fr)_minmax(0,1fr)_minmax(0,1fr)]">
        <SelectField
          label="Suite to run"
          className="col-span-2 lg:col-span-1"
          value={chosen?.id ?? ''}
          onChange={onChoose}
        >
          {!chosen && <option value="">Choose a suite</option>}
          <SelectOptions
            of={suites.map((suite) => [suite.id, `${suite.name} (${formatCount(suite.cases, 'case')})`])}
          />
        </SelectField>
        <OptionFields group="Cases" options={runOptions} state={arena} />
      </div>
      {chosen && (
        <div className="flex flex-wrap items-center gap-x-2 gap-y-1 text-muted">
          <span>{describeCases(chosen)}</span>
          {chosen.needsJudge && <Badge>needs a judge</Badge>}
        </div>
      )}
    </Section>
  )
}
