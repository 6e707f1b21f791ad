import { useQueryClient } from '@tanstack/react-query'
import { useRef, useState } from 'react'
import type { ImportReply } from '../../../server/imports/routes.ts'
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
import { joinSummaries, makeImportBody, makeImportQuery, noChoices, type ImportChoices } from './import-choices.ts'
import { ImportedFileRow } from './ImportedFileRow.tsx'
import { UPLOAD, usePreviews, type FilePreview } from './use-previews.ts'

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
