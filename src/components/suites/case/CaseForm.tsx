import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { TextField } from '../../ui/Field.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { PromptFields } from './PromptFields.tsx'
import { sentence, type ProblemLookup } from '../problem-places.ts'
import { describeDefaultMark, otherFields, shownFields } from './scoring-shape.ts'
import { ScoringFields } from './ScoringFields.tsx'
import { isFields, setIn, setMetadata, textOf, type Fields } from '../suite-draft.ts'
import { NumberField, PointsField, TagField } from './ValueFields.tsx'
import { VariableFields } from './VariableFields.tsx'

interface CaseFormProps {
  testCase: Fields
  index: number
  scorers: ScorerInfo[]
  problems: ProblemLookup
  /** The pass mark of the suite. */
  suitePassAt: unknown
  onChange: (change: (testCase: Fields) => Fields) => void
}

/** The form of one test case. */
export function CaseForm({ testCase, index, scorers, problems, suitePassAt, onChange }: CaseFormProps) {
  const errorAt = (field: string) => problems.at(index, field)
  const metadata = isFields(testCase['metadata']) ? testCase['metadata'] : {}
  const unplaced = problems.outside(index, shownFields(testCase, scorers))
  const others = otherFields(testCase, scorers)
  const setText = (name: string) => (event: { target: { value: string } }) =>
    onChange((before) => setMetadata(before, name, event.target.value || undefined))
  return (
    <form aria-label="Test case" className="flex min-w-0 flex-col gap-4" onSubmit={(event) => event.preventDefault()}>
      {unplaced.length > 0 && (
        <Notice kind="error">
          {unplaced.map(({ path, message }) => (
            <div key={`${path.join('.')}: ${message}`}>{sentence(message)}</div>
          ))}
        </Notice>
      )}
      <TextField
        label="Id"
        hint="Identifies the case in results"
        error={errorAt('id')}
        value={textOf(testCase['id'])}
        onChange={(event) => onChange((before) => ({ ...before, id: event.target.value }))}
      />
      <section aria-label="Prompt and turns" className="flex flex-col gap-3">
        <PromptFields {...{ testCase, errorAt, onChange }} />
      </section>
      <section aria-label="Scoring" className="flex flex-col gap-3 border-t border-line pt-4">
        <h2 className="text-[15px] font-semibold">Scoring</h2>
        <ScoringFields fields={testCase} {...{ scorers, errorAt, onChange }} />
      </section>
      <section aria-label="Details" className="flex flex-col gap-3 border-t border-line pt-4">
        <h2 className="text-[15px] font-semibold">Details</h2>
        <div className="grid gap-3 sm:grid-cols-2">
          <NumberField
            label="Weight"
            hint="How much the case counts"
            placeholder="1"
            error={errorAt('weight')}
            value={testCase['weight']}
            onChange={(value) => onChange((before) => setIn(before, ['weight'], value))}
          />
          <PointsField
            label="Passing score"
            hint="0–100"
            placeholder={describeDefaultMark(testCase, suitePassAt)}
            error={errorAt('passAt')}
            value={testCase['passAt']}
            onChange={(value) => onChange((before) => setIn(before, ['passAt'], value))}
          />
          <TagField
            label="Tags"
            hint="Separated by commas"
            error={errorAt('metadata.tags')}
            value={metadata['tags']}
            onChange={(value) => onChange((before) => setMetadata(before, 'tags', value))}
          />
          <TextField
            label="Category"
            error={errorAt('metadata.category')}
            value={textOf(metadata['category'])}
            onChange={setText('category')}
          />
          <TextField
            label="Difficulty"
            error={errorAt('metadata.difficulty')}
            value={textOf(metadata['difficulty'])}
            onChange={setText('difficulty')}
          />
        </div>
        <VariableFields
          value={testCase['vars']}
          error={errorAt('vars')}
          onChange={(value) => onChange((before) => setIn(before, ['vars'], value))}
        />
        {others.length > 0 && (
          <p className="text-xs text-muted">
            Unknown fields, kept but not used: <code className="break-all">{others.join(', ')}</code>. You can edit them
            under Source.
          </p>
        )}
      </section>
    </form>
  )
}
