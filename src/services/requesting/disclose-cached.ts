import type { Judging } from '../../contract/index.ts'

/** For a grade that judges gave in an earlier run: whoever reads it is told when. */
export function discloseCached() {
  let oldest = Infinity
  return {
    /** Sends a request, and remembers the oldest reply that came from the cache. */
    watch:
      (callModel: Judging['callModel']): Judging['callModel'] =>
      async (request) => {
        const reply = await callModel(request)
        if (reply.cachedAt !== undefined) oldest = Math.min(oldest, reply.cachedAt)
        return reply
      },
    withAge<Grade extends { notes?: string }>(grade: Grade): Grade {
      if (oldest === Infinity) return grade
      const when = new Date(oldest).toISOString().slice(0, 16).replace('T', ' ')
      const note = `The grade is from the cache, given ${when} UTC.`
      return { ...grade, notes: grade.notes === undefined ? note : `${grade.notes}\n${note}` }
    },
  }
}
