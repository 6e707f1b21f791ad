import type { Problem } from '../../contract/index.ts'
import { useEffect, useState } from 'react'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useSettled } from '../ui/use-settled.ts'
import { readCases, type Fields } from './suite-draft.ts'

interface CheckState {
  problems: Problem[]
  warnings: Problem[]
  /** Of which state of the suite this is said. */
  of?: Fields
  failure?: unknown
}

const nothing: CheckState = { problems: [], warnings: [] }

/** The server's check of the suite as it is typed, after each pause. */
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
      (check) => isLatest && setState({ ...check, of: settled }),
      (failure: unknown) => isLatest && setState((before) => ({ ...before, failure })),
    )
    return () => {
      isLatest = false
    }
  }, [settled, isEnabled])
  // Problems are named by the number of their case: after one came or went they would stand beside the wrong one.
  const fits = state.of === undefined || readCases(state.of).length === readCases(suite).length
  return {
    ...(fits ? state : nothing),
    isCurrent: state.of === suite,
    show: (problems) => setState({ problems, warnings: [], of: suite }),
  }
}
