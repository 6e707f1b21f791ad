import type { Problem } from '../../contract/index.ts'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useSettled } from '../ui/use-settled.ts'
import { readCases, type Fields } from './suite-draft.ts'

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
