import { visit } from 'jsonc-parser'

/**
 * The offset at which a text stops being JSON; its length if it ends too early. The engine's own message does not always say.
 * `undefined` if there is no error, or if the nesting would overflow the parser's stack.
 */
export function findJsonError(text: string): number | undefined {
  let first: number | undefined
  try {
    visit(text, { onError: (_code, offset) => (first ??= offset) }, { disallowComments: true })
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
  }
  return first
}
