import { formatCount } from './numbers.ts'
import { escapePattern, type RunLabel } from '../../contract/index.ts'

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

/** Where there is little room: without vendors and shortened, as far as no two models are then called the same. */
export function nameBriefly(modelIds: readonly string[], maxLength: number): (modelId: string) => string {
  const bare = (modelId: string) => (modelId.startsWith('demo/') ? modelId : modelId.replace(/^.*\/(?=.)/s, ''))
  const namings = [(id: string) => shortenName(bare(id), maxLength), bare, (id: string) => id]
  return namings.find((nameOf) => new Set(modelIds.map(nameOf)).size === new Set(modelIds).size)!
}

/** A sentence with the names that `nameOf` gives its models. */
export function renameModels(text: string, modelIds: readonly string[], nameOf: (modelId: string) => string): string {
  // The longest first: one id may begin with another.
  const renamed = modelIds.filter((id) => nameOf(id) !== id).toSorted((a, b) => b.length - a.length)
  const pattern = renamed.map((id) => escapePattern(id)).join('|')
  return pattern === '' ? text : text.replaceAll(new RegExp(pattern, 'g'), (id) => nameOf(id))
}

/** A model in a list as long as its pages can be voted on. */
export const unnamedModel = (place: number): string => `unnamed model ${place}`

export function capitalise(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1)
}

function joinUntil(words: readonly string[], last: string): string {
  if (words.length < 2) return words.join('')
  return `${words.slice(0, -1).join(', ')} ${last} ${words.at(-1)}`
}

/** `a, b and c` */
export function joinWords(words: readonly string[]): string {
  return joinUntil(words, 'and')
}

/** `a, b or c` */
export function joinOr(words: readonly string[]): string {
  return joinUntil(words, 'or')
}

/** `a, b and 4 others`: more names than `max` are counted. */
export function joinNames(names: readonly string[], max = 3): string {
  if (names.length <= max) return joinWords(names)
  const named = names.slice(0, max - 1)
  return joinWords([...named, formatCount(names.length - named.length, 'other')])
}

/** Names a case without a prompt of its own by its variables: `language: French, input: Hello`. */
export function describeVariables(vars: unknown): string {
  if (typeof vars !== 'object' || vars === null) return ''
  return Object.entries(vars)
    .map(([name, value]) => `${name}: ${String(value)}`)
    .join(', ')
}

/** A safe file name from the model's name and the file's: no folders or special characters. */
export function fileNameFor(modelId: string, name: string): string {
  const clean = (text: string) =>
    text
      .replaceAll(/[^\w.-]+/g, '-')
      .replaceAll(/\.{2,}/g, '.')
      .replaceAll(/^[-.]+|[-.]+$/g, '')
      .slice(-80)
  return [clean(modelId), clean(name)].filter((part) => part !== '').join('-') || 'page'
}

/** Name, tags and note of the runs, for the head of a report; empty if they have none. */
export function listLabels(runs: readonly { label?: RunLabel }[]): [title: string, text: string][] {
  const joinOnce = (texts: (string | undefined)[], separator: string) =>
    [...new Set(texts.filter((text) => text !== undefined))].join(separator)
  const found: [string, string][] = [
    [
      'Name',
      joinOnce(
        runs.map(({ label }) => label?.name),
        '; ',
      ),
    ],
    [
      'Tags',
      joinOnce(
        runs.flatMap(({ label }) => label?.tags ?? []),
        ', ',
      ),
    ],
    [
      'Note',
      joinOnce(
        runs.map(({ label }) => label?.note),
        '\n\n',
      ),
    ],
  ]
  return found.filter(([, text]) => text !== '')
}

/** `Baseline #prod #v2` */
export function nameWithTags({ name, tags = [] }: RunLabel = {}): string {
  return [...(name === undefined ? [] : [name]), ...tags.map((tag) => `#${tag}`)].join(' ')
}
