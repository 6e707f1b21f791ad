import { ApiFailure } from '../api-request.ts'

/** The problems that the server found, one by one, or what the failure itself says. */
export function explainFailure(failure: Error | null): string[] {
  if (failure === null) return []
  return failure instanceof ApiFailure && failure.problems.length > 0
    ? failure.problems.map(({ message }) => message)
    : [failure.message]
}
