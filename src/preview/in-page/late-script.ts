/** The type of a script that is not needed for the first paint: the bootstrap loads it afterwards. */
export const LATE_SCRIPT = 'preview/late'
