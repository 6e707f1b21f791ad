interface ComparedParts {
  first: string
  second: string
}

/** The simulated judge's choice: the better response by its grade, whichever comes first. Deterministic. */
export function judgePair({ first, second }: ComparedParts, grade: (response: string) => number): string {
  const [a, b] = [grade(first), grade(second)]
  const winner = a === b ? 'tie' : a > b ? 'first' : 'second'
  const points = (share: number) => Math.round(100 * share)
  return JSON.stringify({
    winner,
    reasoning: `Simulated judge: the first is worth ${points(a)}, the second ${points(b)}.`,
  })
}
