import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { useState } from 'react'
import type { Table } from '../../../report/tables/table.ts'
import { RunnersOnly } from '../../access/for-runners.tsx'
import { Link, navigate } from '../../router.tsx'
import { Button, IconButton } from '../Button.tsx'
import { Dialog } from '../Dialog.tsx'
import { formatLocalTime } from '../local-time.ts'
import { FailureNotice } from '../Notice.tsx'
import { DataTable } from '../table/DataTable.tsx'

interface AddedFile {
  id: string
  name: string
  addedAt: number
}

interface AddedFilesProps<Row extends AddedFile> {
  label: string
  columns: Table<Row>
  rows: readonly Row[]
  addressOf: (id: string) => string
  remove: (id: string) => Promise<unknown>
  /** What is loaded again when one is gone. */
  queryKey: string
}

/** Files that people added: a row opens its file, and deleting asks. */
export function AddedFiles<Row extends AddedFile>({
  label,
  columns,
  rows,
  addressOf,
  remove,
  queryKey,
}: AddedFilesProps<Row>) {
  const queries = useQueryClient()
  const [asked, setAsked] = useState<Row>()
  const deletion = useMutation({
    mutationFn: (id: string) => remove(id),
    onSuccess: () => {
      setAsked(undefined)
      return queries.invalidateQueries({ queryKey: [queryKey] })
    },
  })
  const drawName = ({ id, name }: Row) => (
    <Link to={addressOf(id)} data-row className="break-words text-accent-ink hover:underline">
      {name}
    </Link>
  )
  return (
    <>
      <DataTable
        label={label}
        columns={columns}
        rows={rows}
        keyOf={({ id }) => id}
        onOpen={({ id }) => navigate(addressOf(id))}
        draw={{ name: drawName, file: drawName, added: ({ addedAt }) => formatLocalTime(addedAt) }}
        actions={{
          label: 'Delete',
          draw: (row) => (
            <RunnersOnly>
              <IconButton label={`Delete ${row.name}`} onClick={() => setAsked(row)}>
                <Trash2 size={15} aria-hidden />
              </IconButton>
            </RunnersOnly>
          ),
        }}
      />
      {asked && (
        <Dialog
          title={`Delete ${asked.name}?`}
          description="It will be removed from Benchmaker. The file that you added it from stays."
          isOpen
          onClose={() => setAsked(undefined)}
          actions={
            <>
              <Button onClick={() => setAsked(undefined)}>Cancel</Button>
              <Button kind="danger" disabled={deletion.isPending} onClick={() => deletion.mutate(asked.id)}>
                Delete
              </Button>
            </>
          }
        >
          <FailureNotice failure={deletion.error} title="It was not deleted" />
        </Dialog>
      )}
    </>
  )
}
