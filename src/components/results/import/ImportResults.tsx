import { useQueryClient, useQueries, type UseQueryResult } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ImportReply, ImportPreview } from '../../../server/imports/routes.ts'
import { formatCount } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { navigate } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { listChosen } from '../../ui/files/dropped-files.ts'
import type { GivenFile } from '../../ui/files/given-file.ts'
import { toast } from '../../ui/toast.ts'
import { compareAddress, resultsAddress } from '../addresses.ts'
import {
  joinSummaries,
  makeImportBody,
  makeImportQuery,
  noChoices,
  type ImportChoices,
  columnLabels,
  describeFile,
  describeMeans,
  needsScale,
  type FileToImport,
} from './import-choices.ts'
import { Checkbox, SelectField, SelectOptions, TextField } from '../../ui/form/Field.tsx'
import { useSettled } from '../../ui/use-settled.ts'

type FilePreview = Pick<UseQueryResult<ImportPreview>, 'data' | 'error' | 'isPending' | 'isFetching'>

const UPLOAD = { headers: { 'content-type': 'application/octet-stream' } }

/** What each file would become with what was chosen for it; read again after a pause in typing. */
function usePreviews(
  files: readonly FileToImport[],
  choices: Readonly<Record<number, ImportChoices>>,
): readonly FilePreview[] {
  const settled = useSettled(choices, 400)
  return useQueries({
    queries: files.map((given, index) => {
      const { file, summary } = given
      const chosen = settled[index] ?? noChoices
      return {
        queryKey: [
          'import-preview',
          file.name,
          file.size,
          file.lastModified,
          summary?.name,
          summary?.lastModified,
          chosen,
        ],
        queryFn: (): Promise<ImportPreview> =>
          readReply(
            api.imports.preview.$post(
              { query: makeImportQuery(file.name, chosen, summary) },
              { init: { body: makeImportBody(given), ...UPLOAD } },
            ),
          ),
        placeholderData: (before: ImportPreview | undefined) => before,
        retry: false,
        staleTime: Infinity,
      }
    }),
  })
}

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
          onChange={(value) => onChange({ metric: value, min: '', max: '' })}
        >
          {preview.results === null && choices.metric === '' && <option value="">Choose one</option>}
          <SelectOptions of={usable.map(({ name, description }) => [name, `${name}: ${description}`])} />
        </SelectField>
      )}
      {isScaled && (
        <>
          <TextField
            label="Value that becomes 0"
            className="w-40"
            inputMode="decimal"
            value={choices.min}
            onChange={(text) => onChange({ min: text })}
          />
          <TextField
            label="Value that becomes 100"
            className="w-40"
            inputMode="decimal"
            value={choices.max}
            onChange={(text) => onChange({ max: text })}
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
            onChange={(value) => onChange({ columns: { ...choices.columns, [field]: value } })}
          >
            <option value="">No column</option>
            <SelectOptions of={columns.names} />
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
function ImportedFileRow({ name, summary, reading, choices, onChange }: RowProps) {
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
          onChange={(text) => onChange({ model: text })}
        />
      )}
    </li>
  )
}

/** Where to go once the files are imported: the results of one, the comparison of two, else the list. */
function goToImported(imported: readonly ImportReply[]): void {
  const [first, second, ...others] = [...new Set(imported.map(({ selection }) => selection))]
  const known = imported.filter(({ isNew }) => !isNew).length
  toast(
    known === imported.length
      ? `${known === 1 ? 'This file was' : 'These files were'} imported before; nothing was stored again.`
      : `Imported ${formatCount(imported.length - known, 'file')}.`,
  )
  if (first === undefined || others.length > 0) return
  navigate(second === undefined ? resultsAddress(first) : compareAddress(first, second))
}

function isUsable(preview: FilePreview | undefined): boolean {
  return preview?.data?.results != null && !preview.error && preview.data.problem === null
}

function nameImport(usable: number, all: number): string {
  if (usable === 2) return 'Import and compare'
  if (usable === all || usable === 0) return `Import ${all === 0 ? '' : formatCount(all, 'file')}`.trim()
  return `Import ${usable} of ${formatCount(all, 'file')}`
}

interface ImportResultsProps {
  /** Dropped on the page. */
  files: readonly GivenFile[]
  onClose: () => void
}

/** Imports results of other tools: shows what each file is and how its scores are read before anything is stored. */
export function ImportResults({ files: dropped, onClose }: ImportResultsProps) {
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const [files, setFiles] = useState(() => joinSummaries(dropped))
  const [choices, setChoices] = useState<Readonly<Record<number, ImportChoices>>>({})
  const previews = usePreviews(files, choices)
  const isReading = previews.some(({ isFetching }) => isFetching)
  const usable = files.flatMap((given, index) => (isUsable(previews[index]) ? [{ given, index }] : []))
  const importing = useSingleMutation({
    mutationFn: async () => {
      const imported: ImportReply[] = []
      for (const { given, index } of usable)
        imported.push(
          await readReply(
            api.imports.$post(
              { query: makeImportQuery(given.file.name, choices[index] ?? noChoices, given.summary) },
              { init: { body: makeImportBody(given), ...UPLOAD } },
            ),
          ),
        )
      return imported
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: ['runs'] }),
    onSuccess: (imported) => {
      onClose()
      goToImported(imported)
    },
  })
  return (
    <Dialog
      title="Import results"
      description="Results of Inspect, promptfoo, lm-evaluation-harness or OpenAI evals, or a table with one row per answer. Nothing is stored yet."
      width="wide"
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={() => input.current?.click()}>
            {files.length === 0 ? 'Choose files' : 'Choose other files'}
          </Button>
          <Button
            kind="primary"
            disabled={usable.length === 0 || isReading || importing.isPending}
            onClick={() => importing.mutate()}
          >
            {importing.isPending ? 'Importing…' : isReading ? 'Reading…' : nameImport(usable.length, files.length)}
          </Button>
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <FailureNotice failure={importing.error} title="Not every file was imported" />
        {files.length === 0 ? (
          <p className="text-muted">Choose one file, or two to compare them. They stay on this machine.</p>
        ) : (
          <ul className="divide-y divide-line rounded-md border border-line" aria-label="Files">
            {files.map(({ path, summary }, index) => (
              <ImportedFileRow
                key={path}
                name={path}
                summary={summary?.name}
                reading={previews[index]!}
                choices={choices[index] ?? noChoices}
                onChange={(change) =>
                  setChoices((before) => ({ ...before, [index]: { ...noChoices, ...before[index], ...change } }))
                }
              />
            ))}
          </ul>
        )}
        <input
          ref={input}
          type="file"
          multiple
          aria-label="Results files"
          className="hidden"
          onChange={(event) => {
            setFiles(joinSummaries(listChosen(event.target.files)))
            setChoices({})
            event.target.value = ''
          }}
        />
      </div>
    </Dialog>
  )
}
