export const EXIT_GATE_FAILED = 1
/** Bad usage or bad input: nothing was done. Also used when the output cannot be written. */
export const EXIT_BAD_INPUT = 2
/** Done, but some cells have no score. */
export const EXIT_MISSING = 3
export const EXIT_CANCELLED = 130
