import { ApiFailure } from '../api-request.ts'

/** The problems listed by the server, or else the message of the failure. */
export function explainFailure(failure: Error | null): string[] {
  if (failure === null) return []
  return failure instanceof ApiFailure && failure.problems.length > 0
    ? failure.problems.map(({ message }) => message)
    : [failure.message]
}
