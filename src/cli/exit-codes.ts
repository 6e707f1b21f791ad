export const EXIT_GATE_FAILED = 1
export const EXIT_MISSING = 3
export const EXIT_CANCELLED = 130
