/** The type of a script that need not be there when the page is first painted: the bootstrap loads it afterwards. */
export const LATE_SCRIPT = 'preview/late'
