/** Judges give whole grades from 0 to 10, so that their scores come in steps of 0.1. */
export const gradeStep = 0.1
