interface CheckedParts {
  response: string
  /** One a line: `1. Names the new rent`. */
  criteria: string
}

/** The fraction of the text's words that are in the response. */
type MeasureOverlap = (text: string, response: string) => number

/** The simulated judge's verdicts: a criterion is met if the response has most of its words. Deterministic. */
export function judgeCriteria({ response, criteria }: CheckedParts, overlap: MeasureOverlap): string {
  const verdicts = criteria.split('\n').flatMap((line) => {
    const [, number, text = ''] = /^(\d+)\. (.*)$/.exec(line) ?? []
    if (number === undefined) return []
    const share = overlap(text, response)
    const verdict = share >= 0.5 ? 'met' : share >= 0.25 ? 'partly' : 'not met'
    const reason = `Simulated judge: ${Math.round(100 * share)} % of the criterion's words are in the response.`
    return [{ number: Number(number), reason, verdict }]
  })
  return JSON.stringify({ criteria: verdicts })
}
