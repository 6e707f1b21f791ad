import { useMutation, useQueryClient } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { formatCount } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'

interface DeleteRunsDialogProps {
  title: string
  ids: readonly string[]
  isOpen: boolean
  onClose: () => void
  /** What will be lost. */
  children: ReactNode
}

/** Confirms the deletion of a run, or of all runs of a series. */
export function DeleteRunsDialog({ title, ids, isOpen, onClose, children }: DeleteRunsDialogProps) {
  const queries = useQueryClient()
  const remove = useMutation({
    mutationFn: async () => {
      for (const id of ids) await readReply(api.runs[':id'].$delete({ param: { id } }))
    },
    onSuccess: () => {
      toast(`Deleted ${formatCount(ids.length, 'run')}.`)
      onClose()
    },
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: ['code-arena'] })
      return queries.invalidateQueries({ queryKey: ['runs'] })
    },
  })
  return (
    <Dialog
      title={title}
      isOpen={isOpen}
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={remove.isPending} onClick={() => remove.mutate()}>
            {remove.isPending ? 'Deleting…' : 'Delete'}
          </Button>
        </>
      }
    >
      <p className="break-words">{children}</p>
      <FailureNotice
        failure={remove.error}
        title={ids.length === 1 ? 'The run could not be deleted' : 'Some runs could not be deleted'}
      />
    </Dialog>
  )
}
