/** Scores closer than this are equal: 0.1 + 0.2 and 0.3 must not count as variation. */
export const sameScoreTolerance = 1e-12
