/** The parts of a judge's prompt, found by fences (`<<<RESPONSE mark>>>` to `<<<END RESPONSE mark>>>`) or headings. */
export interface JudgedParts {
  task: string
  response: string
  reference: string
}

const NAMES: [part: keyof JudgedParts, pattern: string][] = [
  ['task', 'task|question|prompt'],
  ['response', 'response|answer|candidate|submission'],
  ['reference', 'reference|expected(?: output| answer)?|gold'],
]

/** A line with a part's name and a mark (`<<<RESPONSE k3x9>>>`) opens it; the next line with that mark closes it. */
export function findFenced(lines: string[], pattern: string): string | undefined {
  const opening = new RegExp(`^[<=~\\[-]{2,}\\s*(?:begin )?(?:${pattern})\\W+([\\w-]+)\\W*$`, 'i')
  const start = lines.findIndex((line) => opening.test(line))
  const mark = lines[start]?.match(opening)?.[1]
  if (mark === undefined) return undefined
  const length = lines.slice(start + 1).findIndex((line) => line.includes(mark))
  return lines.slice(start + 1, length < 0 ? undefined : start + 1 + length).join('\n')
}

/** `## Response`, `**Response:** …` or `Response: …`, up to the next such line. */
function findHeaded(lines: string[], pattern: string): string | undefined {
  const heading = (names: string): RegExp => new RegExp(`^[#*<\\s]*(?:the )?(?:${names})\\s*(?:$|[:>*]+(.*)$)`, 'i')
  const anyHeading = heading(NAMES.map(([, names]) => names).join('|'))
  const start = lines.findIndex((line) => heading(pattern).test(line))
  if (start < 0) return undefined
  const length = lines.slice(start + 1).findIndex((line) => anyHeading.test(line))
  const rest = lines.slice(start + 1, length < 0 ? undefined : start + 1 + length)
  return [lines[start]!.match(heading(pattern))?.[1] ?? '', ...rest].join('\n')
}

export function readParts(prompt: string): JudgedParts {
  const lines = prompt.split('\n')
  const parts: JudgedParts = { task: '', response: '', reference: '' }
  for (const [part, pattern] of NAMES)
    parts[part] = (findFenced(lines, pattern) ?? findHeaded(lines, pattern) ?? '').trim()
  return parts
}
