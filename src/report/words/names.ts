/** The first so many characters, whole ones only, on one line. */
export function excerpt(text: string, longest: number): string {
  const line = text
    .slice(0, longest * 4)
    .replaceAll(/\s+/g, ' ')
    .trim()
  const characters = [...line]
  return characters.length <= longest && text.length <= longest * 4 ? line : `${characters.slice(0, longest).join('')}…`
}

/** Cut in the middle, where long names differ least. */
export function shortenName(name: string, longest: number): string {
  const characters = [...name]
  if (characters.length <= longest) return name
  const tail = Math.floor((longest - 1) / 2)
  return `${characters.slice(0, longest - 1 - tail).join('')}…${characters.slice(characters.length - tail).join('')}`
}

/** `a, b and c` */
export function joinWords(words: readonly string[]): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`
}
