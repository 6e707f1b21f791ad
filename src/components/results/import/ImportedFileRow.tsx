import type { ImportPreview } from '../../../server/imports/routes.ts'
import { Checkbox, SelectField, TextField } from '../../ui/Field.tsx'
import { columnLabels, describeFile, describeMeans, needsScale, type ImportChoices } from './import-choices.ts'
import type { FilePreview } from './use-previews.ts'

interface FieldsProps {
  preview: ImportPreview
  choices: ImportChoices
  onChange: (change: Partial<ImportChoices>) => void
}

function MetricFields({ preview, choices, onChange }: FieldsProps) {
  const usable = preview.metrics.filter(({ state }) => state !== 'unusable')
  const isScaled = needsScale(preview, choices) || choices.min !== '' || choices.max !== ''
  return (
    <div className="flex flex-wrap items-end gap-3">
      {usable.length > 1 && (
        <SelectField
          label="Metric that counts"
          className="w-72 max-w-full"
          value={choices.metric || (preview.results?.metric ?? '')}
          onChange={(event) => onChange({ metric: event.target.value, min: '', max: '' })}
        >
          {preview.results === null && choices.metric === '' && <option value="">Choose one</option>}
          {usable.map(({ name, description }) => (
            <option key={name} value={name}>
              {name}: {description}
            </option>
          ))}
        </SelectField>
      )}
      {isScaled && (
        <>
          <TextField
            label="Value that becomes 0"
            className="w-40"
            inputMode="decimal"
            value={choices.min}
            onChange={(event) => onChange({ min: event.target.value })}
          />
          <TextField
            label="Value that becomes 100"
            className="w-40"
            inputMode="decimal"
            value={choices.max}
            onChange={(event) => onChange({ max: event.target.value })}
          />
        </>
      )}
      {(isScaled || choices.isLowerBetter || preview.results?.assumedDirection === 'higher') && (
        <Checkbox
          label="Lower is better"
          className="h-8"
          checked={choices.isLowerBetter}
          onChange={(event) => onChange({ isLowerBetter: event.target.checked })}
        />
      )}
    </div>
  )
}

function ColumnFields({ preview: { columns }, choices, onChange }: FieldsProps) {
  if (!columns) return null
  return (
    <details
      className="flex flex-col gap-2"
      open={columns.map['id'] === undefined || columns.map['score'] === undefined}
    >
      <summary className="cursor-pointer text-muted">What the columns hold</summary>
      <div className="mt-2 grid gap-3 sm:grid-cols-3">
        {columnLabels.map(([field, label]) => (
          <SelectField
            key={field}
            label={label}
            value={choices.columns[field] ?? columns.map[field] ?? ''}
            onChange={(event) => onChange({ columns: { ...choices.columns, [field]: event.target.value } })}
          >
            <option value="">No column</option>
            {columns.names.map((name) => (
              <option key={name}>{name}</option>
            ))}
          </SelectField>
        ))}
      </div>
    </details>
  )
}

interface RowProps {
  /** With the folders that were dropped. */
  name: string
  /** The file beside it that is read with it. */
  summary: string | undefined
  reading: FilePreview
  choices: ImportChoices
  onChange: (change: Partial<ImportChoices>) => void
}

/** One file: what it is, what its scores become, and what can be chosen about it. */
export function ImportedFileRow({ name, summary, reading, choices, onChange }: RowProps) {
  const { data: preview, error, isPending, isFetching } = reading
  const results = preview?.results
  return (
    <li className="flex flex-col gap-2 px-3 py-3">
      <div className="font-medium break-words">{name}</div>
      {summary !== undefined && <div className="break-words text-muted">with {summary}</div>}
      {isPending && <div className="text-muted">Reading…</div>}
      {error && <div className="whitespace-pre-line text-danger">{error.message}</div>}
      {results && !error && (
        <div className={isFetching ? 'opacity-60' : ''}>
          <div className="break-words text-muted">{describeFile(results)}</div>
          <div className="break-words">{describeMeans(results)}</div>
          <div className="break-words text-muted">Scores: {results.scores}</div>
          {results.warnings.map((warning) => (
            <div key={warning} className="break-words text-muted">
              {warning}
            </div>
          ))}
        </div>
      )}
      {preview && preview.problem !== null && <div className="break-words text-danger">{preview.problem}</div>}
      {preview && <MetricFields {...{ preview, choices, onChange }} />}
      {preview && <ColumnFields {...{ preview, choices, onChange }} />}
      {(results?.isModelUnnamed === true || choices.model !== '') && (
        <TextField
          label="Model, which the file does not name"
          className="w-72 max-w-full"
          placeholder={results?.models[0]?.modelId ?? ''}
          value={choices.model}
          onChange={(event) => onChange({ model: event.target.value })}
        />
      )}
    </li>
  )
}
