/** What a part of a path names. */
export type PathRole = 'any' | 'task' | 'trial' | 'model'

export interface PathPart {
  text: string
  /** Where it starts in the path. */
  at: number
  /** False for what stands between names: slashes, and the ending. */
  isName: boolean
}

const ENDING = /\.(?:jsonl?|ndjson|traj|eval)(?:\.gz)?$/i

/** Splits a path into the parts that can name something: folders and the file, at `__` and before a last number too. */
export function splitPath(path: string): PathPart[] {
  const ending = ENDING.exec(path)?.[0] ?? ''
  const parts: PathPart[] = []
  let at = 0
  const add = (text: string, isName: boolean) => {
    if (text !== '') parts.push({ text, at, isName })
    at += text.length
  }
  const names = path.slice(0, path.length - ending.length).split('/')
  for (const [index, name] of names.entries()) {
    if (index > 0) add('/', false)
    const [, first = name, mark = '', last = ''] = /^(.+?)(__|[-_.](?=\d+$))(.+)$/.exec(name) ?? []
    add(first, true)
    add(mark, false)
    add(last, true)
  }
  add(ending, false)
  return parts
}

/** The pattern that these parts make; empty if none names the task. */
export function pointAt(parts: readonly PathPart[], roles: readonly PathRole[]): string {
  if (!roles.includes('task')) return ''
  const first = roles.findIndex((role) => role !== 'any')
  const start = parts.findLastIndex(({ text }, index) => index < first && text === '/') + 1
  return parts
    .slice(start)
    .map(({ text, isName }, index) => {
      const role = roles[start + index]!
      if (!isName) return text
      return role === 'any' ? '*' : `{${role}}`
    })
    .join('')
}
