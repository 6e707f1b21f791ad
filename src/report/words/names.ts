/** The first `maxLength` characters, on one line; never splits a surrogate pair. */
export function excerpt(text: string, maxLength: number): string {
  const line = text
    .slice(0, maxLength * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  if (characters.length <= maxLength && text.length <= maxLength * 4) return line
  return `${characters.slice(0, maxLength).join('')}…`
}

/** Shortens a name in the middle, where long names differ least. */
export function shortenName(name: string, maxLength: number): string {
  const characters = [...name]
  if (characters.length <= maxLength) return name
  const tail = Math.floor((maxLength - 1) / 2)
  return `${characters.slice(0, maxLength - 1 - tail).join('')}…${characters.slice(characters.length - tail).join('')}`
}

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function join(words: readonly string[], last: string): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** `a, b and c` */
export function joinWords(words: readonly string[]): string {
  return join(words, 'and')
}

/** `a, b or c` */
export function joinOr(words: readonly string[]): string {
  return join(words, 'or')
}
