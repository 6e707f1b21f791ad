const OPENED = /^\s*<(think|thinking|reasoning|thought)>[\s\S]*?(?:<\/\1>|$)/i
const LAST_CLOSED = /^[\s\S]*(?:<\/(?:think|thinking|reasoning|thought)>|◁\/think▷)/i

/** A fence, or markup at the start of a line. */
const HAS_CODE = /^[ \t]*(?:`{3}|~{3}|<[!a-z])/im

/**
 * Removes a reasoning model's thoughts, closed or not. Some servers cut off the opening tag: then everything up to the last closing one
 * is thought, unless no code comes after it.
 */
export function removeThoughts(answer: string): string {
  const rest = answer.replace(OPENED, '')
  const answered = rest.replace(LAST_CLOSED, '')
  return HAS_CODE.test(answered) ? answered : rest
}
