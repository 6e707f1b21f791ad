/** The playground of one stored answer. */
export function playgroundAddress(runId: string, answer: { case: string; model: string }): string {
  return `/playground/${encodeURIComponent(runId)}?${new URLSearchParams(answer)}`
}
