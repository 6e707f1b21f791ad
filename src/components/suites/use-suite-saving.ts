import type { Problem } from '../../contract/index.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { navigate } from '../router.tsx'
import { toast } from '../ui/toast.ts'
import type { Fields } from './suite-draft.ts'
import { NEW_SUITE, type SuiteDraft } from './use-suite-draft.ts'

interface Saving {
  isSaving: boolean
  failure: unknown
  isConflict: boolean
  /** For problems that are named beside their fields. */
  isRefused: boolean
  save: (options?: { over?: boolean; then?: (id: string) => void }) => void
  takeTheirs: () => void
  closeConflict: () => void
}

interface SavingOptions {
  id: string
  draft: SuiteDraft
  /** The suite as it is now, text of the source tab included; a refusal is thrown. */
  readCurrent: () => Promise<Fields>
  onProblems: (problems: Problem[]) => void
}

/** Saves on demand; a newer version elsewhere is never overwritten without being asked. */
export function useSuiteSaving({ id, draft, readCurrent, onProblems }: SavingOptions): Saving {
  const queries = useQueryClient()
  const [isConflict, setConflict] = useState(false)
  const forget = () => {
    void queries.invalidateQueries({ queryKey: ['suites'] })
    void queries.invalidateQueries({ queryKey: ['suiteHistory', id] })
  }
  const saving = useMutation({
    mutationFn: async ({ over }: { over: boolean; then: ((id: string) => void) | undefined }) => {
      const suite = await readCurrent()
      return {
        suite,
        document: await (id === NEW_SUITE
          ? readReply(api.suites.$post({ json: { suite: suite } }))
          : readReply(
              api.suites[':id'].$put({ param: { id }, json: { suite, after: over ? undefined : draft.after } }),
            )),
      }
    },
    onSuccess: ({ suite, document }, { then }) => {
      forget()
      setConflict(false)
      toast(`Saved as version ${document.version}.`)
      if (id === NEW_SUITE) draft.abandon()
      else draft.settle({ suite, version: document.version })
      if (then) then(document.id)
      else if (id === NEW_SUITE)
        navigate(`/suites/${encodeURIComponent(document.id)}${window.location.search}`, { replace: true })
    },
    onError: (failure) => {
      if (!(failure instanceof ApiFailure)) return
      if (failure.status === 409) setConflict(true)
      else if (failure.problems.length > 0) onProblems(failure.problems)
    },
  })
  const theirs = useMutation({
    mutationFn: () => readReply(api.suites[':id'].$get({ param: { id }, query: {} })),
    onSuccess: (document) => {
      draft.replace(document)
      saving.reset()
      setConflict(false)
      toast(`Now at version ${document.version}.`)
    },
  })
  return {
    isSaving: saving.isPending || theirs.isPending,
    failure: (isConflict ? undefined : saving.error) ?? theirs.error ?? undefined,
    isConflict,
    isRefused: saving.error instanceof ApiFailure && saving.error.problems.length > 0,
    save: ({ over = false, then } = {}) => {
      if (!saving.isPending) saving.mutate({ over, then })
    },
    takeTheirs: () => theirs.mutate(),
    closeConflict: () => {
      setConflict(false)
      saving.reset()
    },
  }
}
