import { listMethodMarks } from '../../report/words/index.ts'
import { useJudgeSamples } from '../queries.ts'
import { Plus, Trash2 } from 'lucide-react'
import { isRecord } from '../../contract/index.ts'
import { Button, IconButton } from '../ui/Button.tsx'
import { SelectField, SelectOptions, TextArea, TextField } from '../ui/form/Field.tsx'
import { Notice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import { sentence, type ProblemLookup } from './problem-places.ts'
import { listOf, setIn, textOf, type Fields } from './suite-draft.ts'
import { PointsField } from './case/ValueFields.tsx'
import { VariantParameters } from './VariantParameters.tsx'

interface SuiteFieldsProps {
  suite: Fields
  problems: ProblemLookup
  onChange: (change: (suite: Fields) => Fields) => void
}

function VariantFields({
  variant,
  index,
  problems,
  onChange,
  onRemove,
}: {
  variant: Fields
  index: number
  problems: ProblemLookup
  onChange: (variant: Fields) => void
  onRemove: () => void
}) {
  const errorAt = (field: string) => problems.at(undefined, `variants.${index}.${field}`)
  const parameters = isRecord(variant['parameters']) ? variant['parameters'] : {}
  const setParameter = (name: string, value: unknown) => {
    const changed = setIn(variant, ['parameters', name], value)
    onChange(
      isRecord(changed['parameters']) && Object.keys(changed['parameters']).length === 0
        ? setIn(changed, ['parameters'], undefined)
        : changed,
    )
  }
  return (
    <div
      role="group"
      aria-label={`Variant ${index + 1}`}
      className="flex flex-col gap-3 rounded-md border border-line bg-surface p-3"
    >
      <div className="flex items-end gap-2">
        <TextField
          label="Variant name"
          className="flex-1"
          hint="Shown as model@name"
          error={errorAt('name')}
          value={textOf(variant['name'])}
          onChange={(text) => onChange({ ...variant, name: text })}
        />
        <IconButton label={`Remove variant ${index + 1}`} className="mb-5" onClick={onRemove}>
          <Trash2 size={16} aria-hidden />
        </IconButton>
      </div>
      {variant['messages'] === undefined ? (
        <TextArea
          label="Prompt of this variant"
          hint={
            <>
              If empty, the case’s. <code>{'{{prompt}}'}</code> is the case’s prompt, <code>{'{{name}}'}</code> its
              variable
            </>
          }
          rows={3}
          error={errorAt('prompt')}
          value={textOf(variant['prompt'])}
          onChange={(text) => onChange(setIn(variant, ['prompt'], text || undefined))}
        />
      ) : (
        <Notice kind={errorAt('messages') === undefined ? 'info' : 'error'}>
          {errorAt('messages') ?? 'This variant has several messages; edit them in the source.'}
        </Notice>
      )}
      <TextField
        label="Models of this variant"
        hint="If empty, all; separate several by commas"
        error={errorAt('models')}
        value={Array.isArray(variant['models']) ? variant['models'].map(textOf).join(', ') : textOf(variant['models'])}
        onChange={(text) => {
          const models = text.split(/,\s*/)
          onChange(setIn(variant, ['models'], text.trim() === '' ? undefined : models))
        }}
      />
      <TextArea
        label="System prompt of this variant"
        hint="If empty, the suite’s"
        rows={3}
        error={errorAt('systemPrompt')}
        value={textOf(variant['systemPrompt'])}
        onChange={(text) => onChange(setIn(variant, ['systemPrompt'], text || undefined))}
      />
      <VariantParameters
        parameters={parameters}
        errorAt={(name) => errorAt(`parameters.${name}`)}
        onChange={setParameter}
      />
    </div>
  )
}

const shown = new Set([
  'name',
  'description',
  'systemPrompt',
  'judgeSystemPrompt',
  'preset',
  'passAt',
  'clusterBy',
  'testCases',
])

/** The ready-made criteria of the suite's judges. */
function PresetField({ suite, problems, onChange }: SuiteFieldsProps) {
  const choices = useJudgeSamples()
  const presets = choices.data?.presets ?? []
  const chosen = textOf(suite['preset'])
  const found = presets.find(({ name }) => name === chosen)
  return (
    <SelectField
      label="Judge preset"
      className="max-w-md"
      hint={
        found
          ? `${found.summary}${found.needsContext ? ' Every case needs a context.' : ''}`
          : 'Ready-made criteria for cases scored by llm-judge that name none themselves'
      }
      error={problems.at(undefined, 'preset')}
      value={chosen}
      onChange={(value) => onChange((before) => setIn(before, ['preset'], value || undefined))}
    >
      <option value="">Default rubric</option>
      {chosen !== '' && !found && <option value={chosen}>{chosen}</option>}
      <SelectOptions of={presets.map(({ name, title }) => [name, title])} />
    </SelectField>
  )
}

/** The fields of the suite itself: name, prompts and variants. */
export function SuiteFields({ suite, problems, onChange }: SuiteFieldsProps) {
  const variants = listOf(suite['variants'])
  const setText = (name: string) => (text: string) => onChange((before) => setIn(before, [name], text || undefined))
  const unplaced = problems.outside(undefined, shown).filter(({ path }) => path[0] !== 'variants' || path.length < 3)
  return (
    <div className="flex max-w-4xl flex-col gap-6">
      {unplaced.length > 0 && (
        <Notice kind="error">
          {unplaced.map(({ path, message }) => (
            <div key={`${path.join('.')}${message}`}>
              {path.join('.')} {sentence(message)}
            </div>
          ))}
        </Notice>
      )}
      <div className="flex flex-col gap-3">
        <TextField
          label="Name"
          error={problems.at(undefined, 'name')}
          value={textOf(suite['name'])}
          onChange={(text) => onChange((before) => ({ ...before, name: text }))}
        />
        <TextArea
          label="Description"
          rows={2}
          error={problems.at(undefined, 'description')}
          value={textOf(suite['description'])}
          onChange={setText('description')}
        />
        <PointsField
          label="Passing score"
          hint={`0–100, for cases without their own. If empty: ${listMethodMarks()}`}
          className="max-w-md"
          placeholder="by method"
          error={problems.at(undefined, 'passAt')}
          value={suite['passAt']}
          onChange={(value) => onChange((before) => setIn(before, ['passAt'], value))}
        />
        <TextField
          label="Cluster cases by"
          hint="A field of the cases, their metadata or variables: cases with the same value count once"
          className="max-w-md"
          error={problems.at(undefined, 'clusterBy')}
          value={textOf(suite['clusterBy'])}
          onChange={setText('clusterBy')}
        />
      </div>
      <Section title="Prompts">
        <TextArea
          label="System prompt"
          hint="Sent before every case"
          rows={6}
          error={problems.at(undefined, 'systemPrompt')}
          value={textOf(suite['systemPrompt'])}
          onChange={setText('systemPrompt')}
        />
        <TextArea
          label="Judge prompt"
          hint="Added to the standard rubric for cases scored by llm-judge"
          rows={6}
          error={problems.at(undefined, 'judgeSystemPrompt')}
          value={textOf(suite['judgeSystemPrompt'])}
          onChange={setText('judgeSystemPrompt')}
        />
        <PresetField {...{ suite, problems, onChange }} />
      </Section>
      <Section
        title="Variants"
        aside="Every model runs with each variant, so that you can compare prompts the way you compare models."
      >
        {[...variants.entries()].map(([index, variant]) => (
          <VariantFields
            key={index}
            {...{ variant, index, problems }}
            onChange={(next) => onChange((before) => setIn(before, ['variants', index], next))}
            onRemove={() =>
              onChange((before) =>
                setIn(before, ['variants'], variants.length === 1 ? undefined : variants.toSpliced(index, 1)),
              )
            }
          />
        ))}
        <div>
          <Button
            onClick={() =>
              onChange((before) =>
                setIn(before, ['variants', variants.length], { name: `variant-${variants.length + 1}` }),
              )
            }
          >
            <Plus size={16} aria-hidden />
            Add variant
          </Button>
        </div>
      </Section>
    </div>
  )
}
