import { useMutation, useQueryClient } from '@tanstack/react-query'
import { formatCount } from '../../../report/words/index.ts'
import type { SuiteSummary } from '../../../server/suites/suite-summaries.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { Button } from '../../ui/Button.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { toast } from '../../ui/toast.ts'
import { exportAddress } from './export-formats.ts'

/** What is lost with them, and what stays. */
function describeLoss(suites: readonly SuiteSummary[]): string {
  const sum = (of: (suite: SuiteSummary) => number) => suites.reduce((total, suite) => total + of(suite), 0)
  const runs = sum((suite) => suite.runs)
  const [who, theirs, have] =
    suites.length === 1 ? ['The suite', 'Its', 'It has'] : ['The suites', 'Their', 'They have']
  const history = suites.length === 1 ? 'its history' : 'their histories'
  return `${who} and ${history} (${formatCount(
    sum(({ version }) => version),
    'version',
  )}) will be permanently deleted. ${
    runs === 0
      ? `${have} no runs.`
      : `${theirs} ${formatCount(runs, 'run')} will be kept: each has its own copy of the suite.`
  }`
}

/** Confirms the deletion of one suite or of several. */
export function DeleteSuitesDialog({ suites, onClose }: { suites: readonly SuiteSummary[]; onClose: () => void }) {
  const queries = useQueryClient()
  const [first] = suites
  const isOne = suites.length === 1
  const named = isOne ? first!.name : formatCount(suites.length, 'suite')
  const deletion = useMutation({
    mutationFn: async () => {
      for (const { id } of suites) await readReply(api.suites[':id'].$delete({ param: { id } }))
    },
    onSuccess: () => {
      toast(`Deleted ${named}.`)
      onClose()
    },
    onSettled: () => queries.invalidateQueries({ queryKey: ['suites'] }),
  })
  return (
    <Dialog
      title={`Delete ${named}?`}
      description={describeLoss(suites)}
      isOpen
      onClose={onClose}
      actions={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="danger" disabled={deletion.isPending} onClick={() => deletion.mutate()}>
            {isOne ? 'Delete suite' : `Delete ${named}`}
          </Button>
        </>
      }
    >
      {deletion.error ? (
        <FailureNotice
          failure={deletion.error}
          title={isOne ? 'The suite was not deleted' : 'Some suites were not deleted'}
        />
      ) : isOne ? (
        <a className="underline decoration-dotted" href={exportAddress(first!.id, 'yaml')} download="">
          Export it as YAML first
        </a>
      ) : (
        <ul className="list-disc pl-5 break-words">
          {suites.map(({ id, name }) => (
            <li key={id}>{name}</li>
          ))}
        </ul>
      )}
    </Dialog>
  )
}
