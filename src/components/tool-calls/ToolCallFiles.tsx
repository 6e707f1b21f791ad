import { RunnersOnly } from '../access/for-runners.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Trash2 } from 'lucide-react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { Link, navigate } from '../router.tsx'
import { Button, IconButton } from '../ui/Button.tsx'
import { formatBytes } from '../../report/words/index.ts'
import { formatLocalTime } from '../ui/local-time.ts'
import { FailureNotice, Loading } from '../ui/Notice.tsx'
import { Page, Section, TablePanel } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'
import { addToolCallFile } from './add-file.ts'
import { DropZone } from './DropZone.tsx'

/** Results files of tool-calling agents. */
export function ToolCallFiles() {
  const queries = useQueryClient()
  const files = useQuery({ queryKey: ['toolCallFiles'], queryFn: () => readReply(api.toolCalls.$get()) })
  const add = useMutation({
    mutationFn: ({ file, salvage }: { file: File; salvage: boolean }) =>
      addToolCallFile(file, salvage ? { salvage: '1' } : {}),
    onSuccess: (file) => {
      void queries.invalidateQueries({ queryKey: ['toolCallFiles'] })
      navigate(`/tool-calls/${encodeURIComponent(file.id)}`)
    },
  })
  const remove = useMutation({
    mutationFn: (id: string) => readReply(api.toolCalls[':id'].$delete({ param: { id } })),
    onSuccess: () => {
      toast('Deleted Benchmaker’s copy of the file.')
      void queries.invalidateQueries({ queryKey: ['toolCallFiles'] })
    },
  })
  return (
    <Page
      title="Tool Calls"
      subtitle="How close an agent came: partial credit for calls to the right tool with some wrong arguments."
    >
      <DropZone
        onFile={(file) => add.mutate({ file, salvage: false })}
        isBusy={add.isPending}
        busyText="Reading and scoring the file…"
      />
      {add.error && (
        <FailureNotice
          title="The file was not added"
          failure={add.error}
          action={
            add.variables.salvage || !/cut off/.test(add.error.message) ? undefined : (
              <Button onClick={() => add.mutate({ file: add.variables.file, salvage: true })}>
                Use the complete records
              </Button>
            )
          }
        />
      )}
      {remove.error && <FailureNotice failure={remove.error} />}
      <Section title="Files">
        {files.isPending && <Loading label="Loading files…" rows={3} />}
        {files.error && (
          <FailureNotice
            title="The list could not be loaded"
            failure={files.error}
            action={<Button onClick={() => void files.refetch()}>Try again</Button>}
          />
        )}
        {files.data?.length === 0 && (
          <p className="text-muted">
            No files yet. <RunnersOnly>Files you add appear here.</RunnersOnly>
          </p>
        )}
        {files.data && files.data.length > 0 && (
          <TablePanel label="Files">
            <table className="w-full">
              <thead className="text-left text-xs text-muted">
                <tr className="border-b border-line">
                  <th className="px-3 py-2 font-medium">File</th>
                  <th className="px-3 py-2 font-medium max-sm:hidden">Format</th>
                  <th className="px-3 py-2 text-right font-medium">Size</th>
                  <th className="px-3 py-2 font-medium max-lg:hidden">Added</th>
                  <th className="w-10">
                    <span className="sr-only">Delete</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {files.data.map(({ id, name, format, size, addedAt }) => (
                  <tr key={id} className="border-b border-line last:border-0 hover:bg-hover">
                    <td className="max-w-80 px-3 py-2 break-words">
                      <Link
                        to={`/tool-calls/${encodeURIComponent(id)}`}
                        className="font-medium text-accent-ink hover:underline"
                      >
                        {name}
                      </Link>
                    </td>
                    <td className="px-3 py-2 whitespace-nowrap max-sm:hidden">{format}</td>
                    <td className="px-3 py-2 text-right whitespace-nowrap">{formatBytes(size)}</td>
                    <td className="px-3 py-2 whitespace-nowrap max-lg:hidden">{formatLocalTime(addedAt)}</td>
                    <td className="px-1">
                      <RunnersOnly>
                        <IconButton label={`Delete ${name}`} onClick={() => remove.mutate(id)}>
                          <Trash2 size={15} aria-hidden />
                        </IconButton>
                      </RunnersOnly>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </TablePanel>
        )}
      </Section>
    </Page>
  )
}
