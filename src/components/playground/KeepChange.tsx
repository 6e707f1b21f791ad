import type { PlaygroundEdit, PlaygroundSave } from '../../contract/index.ts'
import type { PlaygroundStart } from '../../server/playground/start-view.ts'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { Link } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { Section } from '../ui/Page.tsx'
import type { Origin } from './use-experiment.ts'

type SaveAs = PlaygroundSave['as']

const done: Record<SaveAs, string> = {
  case: 'The case has a new version',
  variant: 'The variant is in the suite',
  copy: 'The copy is saved',
}

/** Keeps the change: in the case, as a variant, or in a copy of the suite. */
export function KeepChange({ origin, start, edit }: { origin: Origin; start: PlaygroundStart; edit: PlaygroundEdit }) {
  const queries = useQueryClient()
  const { saving } = start
  const [name, setName] = useState(saving.variantName)
  const save = useSingleMutation({
    mutationFn: ({ as }: { as: SaveAs }) =>
      readReply(
        api.playground[':runId'].save.$post({
          param: { runId: origin.runId },
          json: {
            testCaseId: origin.caseId,
            modelId: origin.contestant,
            edit,
            as,
            ...(as === 'variant' && { name }),
            ...(saving.version !== undefined && as !== 'copy' && { after: saving.version }),
          },
        }),
      ),
    onSuccess: () => {
      for (const key of ['suites', 'suiteHistory', 'suite', 'playgroundStart'])
        void queries.invalidateQueries({ queryKey: [key] })
    },
  })
  const isConflict = save.error instanceof ApiFailure && save.error.status === 409
  /** Saving again would fail until the suite has been looked at again. */
  const isBlocked = save.isPending || isConflict
  const isCaseEdited = edit.prompt !== undefined || edit.messages !== undefined || edit.vars !== undefined
  const isVariantEdited =
    edit.prompt !== undefined ||
    edit.messages !== undefined ||
    edit.systemPrompt !== undefined ||
    edit.parameters !== undefined
  const saved = save.data && save.variables ? { ...save.data, as: save.variables.as } : undefined
  const isNothing = !isCaseEdited && !isVariantEdited
  return (
    <Section title="Keep the change">
      {isNothing && (
        <p className="text-[13px] text-muted">
          Nothing is changed that a suite can hold: a prompt, variables, a system prompt or parameters.
        </p>
      )}
      {saving.problem !== undefined && !isNothing && (
        <>
          <p className="text-[13px] text-muted">
            {saving.problem} The change can be kept in a copy, with its variables filled in.
          </p>
          <div>
            <Button disabled={save.isPending} onClick={() => save.mutate({ as: 'copy' })}>
              Save a copy of the suite
            </Button>
          </div>
        </>
      )}
      {saving.problem === undefined && isCaseEdited && (
        <div className="flex flex-col gap-1">
          <div>
            <Button
              disabled={isBlocked || saving.caseProblem !== undefined}
              onClick={() => save.mutate({ as: 'case' })}
            >
              Save as new version of the case
            </Button>
          </div>
          <p className="text-xs text-muted">
            {saving.caseProblem ?? saving.caseWarning ?? 'Keeps the prompt and the variables of this case.'}
          </p>
        </div>
      )}
      {saving.problem === undefined && isVariantEdited && (
        <div className="flex flex-col gap-1">
          <div className="flex flex-wrap items-end gap-2">
            <TextField label="Name of the variant" className="w-40" value={name} onChange={setName} />
            <Button disabled={isBlocked || name.trim() === ''} onClick={() => save.mutate({ as: 'variant' })}>
              Save as variant
            </Button>
          </div>
          <p className="text-xs text-muted">
            Keeps the prompt, system prompt and parameters; the next run of the suite compares both.
          </p>
        </div>
      )}
      {saved && (
        <Notice>
          {done[saved.as]}: version {saved.version} of{' '}
          <Link to={`/suites/${encodeURIComponent(saved.id)}`} className="text-accent-ink underline">
            the suite
          </Link>
          .
        </Notice>
      )}
      <FailureNotice
        failure={save.error}
        title={isConflict ? 'The suite was saved in the meantime' : 'Not saved'}
        action={
          isConflict && (
            <Button
              onClick={() => void queries.invalidateQueries({ queryKey: ['playgroundStart'] }).then(() => save.reset())}
            >
              Look again
            </Button>
          )
        }
      />
    </Section>
  )
}
