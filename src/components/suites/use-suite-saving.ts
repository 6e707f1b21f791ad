import type { Problem } from '../../contract/index.ts'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { ApiFailure, readReply } from '../api-request.ts'
import { navigate } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { toast } from '../ui/toast.ts'
import { type Fields, readCases } from './suite-draft.ts'
import { NEW_SUITE, type SuiteDraft } from './use-suite-draft.ts'
import { useSettled } from '../ui/use-settled.ts'

interface CheckState {
  problems: Problem[]
  warnings: Problem[]
  /** The suite that was checked. */
  checked?: Fields
  failure?: unknown
}

const nothing: CheckState = { problems: [], warnings: [] }

/** Checks the suite on the server after each pause in typing. */
export function useSuiteCheck(
  suite: Fields,
  isEnabled: boolean,
): CheckState & { isCurrent: boolean; show: (problems: Problem[]) => void } {
  const [state, setState] = useState(nothing)
  const settled = useSettled(suite, 350)
  useEffect(() => {
    if (!isEnabled) return
    let isLatest = true
    readReply(api.suites.check.$post({ json: { suite: settled } })).then(
      (check) => isLatest && setState({ ...check, checked: settled }),
      (failure: unknown) => isLatest && setState((before) => ({ ...before, failure })),
    )
    return () => {
      isLatest = false
    }
  }, [settled, isEnabled])
  // Problems refer to cases by index: after adding or removing a case they would show up at the wrong one.
  const isUsable = state.checked === undefined || readCases(state.checked).length === readCases(suite).length
  return {
    ...(isUsable ? state : nothing),
    isCurrent: state.checked === suite,
    show: (problems) => setState({ problems, warnings: [], checked: suite }),
  }
}

interface Saving {
  isSaving: boolean
  failure: unknown
  isConflict: boolean
  /** The server found problems, which are shown at their fields. */
  isRefused: boolean
  save: (options?: { isOverwrite?: boolean; then?: (id: string) => void }) => void
  loadTheirs: () => void
  closeConflict: () => void
}

interface SavingOptions {
  id: string
  draft: SuiteDraft
  /** The current suite, including pending text of the source tab. Throws if that is invalid. */
  readCurrent: () => Promise<Fields>
  onProblems: (problems: Problem[]) => void
}

/** Saves the suite; never overwrites a newer version unless the user confirms it. */
export function useSuiteSaving({ id, draft, readCurrent, onProblems }: SavingOptions): Saving {
  const queries = useQueryClient()
  const [isConflict, setConflict] = useState(false)
  const refreshLists = () => {
    void queries.invalidateQueries({ queryKey: ['suites'] })
    void queries.invalidateQueries({ queryKey: ['suiteHistory', id] })
  }
  const saving = useSingleMutation({
    mutationFn: async ({ isOverwrite }: { isOverwrite: boolean; then: ((id: string) => void) | undefined }) => {
      const suite = await readCurrent()
      return {
        suite,
        document: await (id === NEW_SUITE
          ? readReply(api.suites.$post({ json: { suite: suite } }))
          : readReply(
              api.suites[':id'].$put({ param: { id }, json: { suite, after: isOverwrite ? undefined : draft.after } }),
            )),
      }
    },
    onSuccess: ({ suite, document }, { then }) => {
      refreshLists()
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
      toast(`Loaded version ${document.version}.`)
    },
  })
  return {
    isSaving: saving.isPending || theirs.isPending,
    failure: (isConflict ? undefined : saving.error) ?? theirs.error ?? undefined,
    isConflict,
    isRefused: saving.error instanceof ApiFailure && saving.error.problems.length > 0,
    save: ({ isOverwrite = false, then } = {}) => saving.mutate({ isOverwrite, then }),
    loadTheirs: () => theirs.mutate(),
    closeConflict: () => {
      setConflict(false)
      saving.reset()
    },
  }
}
