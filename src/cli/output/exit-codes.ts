export const EXIT_GATE_FAILED = 1
/** Bad usage or bad input: nothing was done. Also when nothing can be printed. */
export const EXIT_BAD_INPUT = 2
export const EXIT_MISSING = 3
export const EXIT_CANCELLED = 130
