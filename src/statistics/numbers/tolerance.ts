/** Scores closer than this are the same score: 0.1 + 0.2 and 0.3 must not count as variation. */
export const sameScoreTolerance = 1e-12
