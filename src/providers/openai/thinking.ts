interface Parts {
  reasoning: string
  response: string
}

const OPENING = /^\s*<(think|thinking)>/

/** Takes apart what servers without a field for reasoning send as one text: `<think>…</think>` and the answer. */
export function splitThinking(text: string): Parts {
  const [opening, name] = OPENING.exec(text.slice(0, 1000)) ?? ['', 'think']
  const closing = `</${name}>`
  const end = text.indexOf(opening === '' ? `\n${closing}` : closing)
  const cut = (from: number, to: number): Parts => ({
    reasoning: text.slice(opening.length, from).trim(),
    response: text.slice(to).trimStart(),
  })
  // An answer that spent all its tokens thinking.
  if (end === -1) return opening === '' ? { reasoning: '', response: text } : cut(text.length, text.length)
  if (opening !== '') return cut(end, end + closing.length)
  // Templates of chats may have written the opening mark, so that the answer has only the closing one, on its own line.
  const after = end + 1 + closing.length
  const isMark = /^[ \t]*(?:\n|$)/.test(text.slice(after, after + 100)) && text.lastIndexOf('<think>', end) === -1
  return isMark ? cut(end, after) : { reasoning: '', response: text }
}

/** The reasoning in a field of its own, and what was in the text. */
export function joinReasoning(...parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join('\n')
}
