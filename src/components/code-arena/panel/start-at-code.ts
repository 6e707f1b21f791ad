/** An answer as it arrives, without what the model says before its code, which may be its name. */
export function startAtCode(text: string): string {
  const start = text.search(/```|<(?:!doctype|html|svg|template|script)/i)
  return start === -1 ? '' : text.slice(start)
}
