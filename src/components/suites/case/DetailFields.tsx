import { z } from 'zod'
import { isRecord } from '../../../contract/index.ts'
import { TextField } from '../../ui/form/Field.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { listOf, setIn, setMetadata, textOf, type Fields } from '../suite-draft.ts'
import { describeDefaultMark } from './scoring-shape.ts'
import { NumberField, PointsField, TagField } from './ValueFields.tsx'
import { VariableFields } from './VariableFields.tsx'

interface DetailFieldsProps {
  testCase: Fields
  /** The pass mark of the suite. */
  suitePassAt: unknown
  errorAt: (field: string) => string | undefined
  /** Fields of the case that no form shows. */
  others: readonly string[]
  onChange: (change: (testCase: Fields) => Fields) => void
}

const FIELDS = ['weight', 'passAt', 'metadata.tags', 'cluster', 'metadata.category', 'metadata.difficulty', 'vars']

/** What is set, beside the heading: the fields are closed for most cases. */
function describeSet(testCase: Fields, metadata: Fields): string {
  const { weight, passAt, cluster, vars } = testCase
  const tags = listOf(metadata['tags']).map(textOf)
  const named = (name: string, value: unknown) =>
    value === undefined || value === '' ? [] : `${name} ${String(value)}`
  return [
    textOf(metadata['category']),
    textOf(metadata['difficulty']),
    ...tags,
    ...[named('cluster', cluster), named('weight', weight)].flat(),
    ...(passAt === undefined ? [] : ['own passing score']),
    ...(isRecord(vars) ? Object.keys(vars).map((name) => `{{${name}}}`) : []),
  ]
    .filter((text) => text !== '')
    .join(' · ')
}

/** What most cases leave as it is. Open once, it stays open from case to case. */
export function DetailFields({ testCase, suitePassAt, errorAt, others, onChange }: DetailFieldsProps) {
  const [isOpen, setOpen] = useKept('case-details', z.boolean(), false)
  const metadata = isRecord(testCase['metadata']) ? testCase['metadata'] : {}
  const setText = (name: string) => (text: string) => onChange((before) => setMetadata(before, name, text || undefined))
  const set = describeSet(testCase, metadata)
  return (
    <details
      className="border-t border-line pt-3"
      open={isOpen || FIELDS.some((field) => errorAt(field) !== undefined)}
      onToggle={({ currentTarget }) => currentTarget.open !== isOpen && setOpen(currentTarget.open)}
    >
      <summary className="py-1">
        <h2 className="inline text-[15px] font-semibold">Details</h2>
        {set !== '' && <span className="ml-2 break-words text-muted">{set}</span>}
      </summary>
      <section aria-label="Details" className="flex flex-col gap-3 pt-2">
        <div className="grid gap-3 sm:grid-cols-2">
          <NumberField
            label="Weight"
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
            label="Cluster"
            hint="The same for variants of one question"
            error={errorAt('cluster')}
            value={textOf(testCase['cluster'])}
            onChange={(text) => onChange((before) => setIn(before, ['cluster'], text || undefined))}
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
            Fields that this form does not show: <code className="break-all">{others.join(', ')}</code>. You can edit
            them under Source.
          </p>
        )}
      </section>
    </details>
  )
}
