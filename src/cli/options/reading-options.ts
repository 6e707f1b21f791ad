import { InvalidArgumentError } from 'commander'

/** How a suite file is read: the same for every command that reads one. */
export interface ReadingOptions {
  allowFiles?: string[]
  allowCode?: boolean
  map?: Record<string, string>
}

/** Parses `prompt=question,expectedOutput=answer`; a repeated flag adds to it. */
export function readColumnMap(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  const entries = text.split(',').map((pair): [string, string] => {
    const at = pair.indexOf('=')
    const [field, column] = [pair.slice(0, at).trim(), pair.slice(at + 1).trim()]
    if (at < 1 || field === '' || column === '')
      throw new InvalidArgumentError('It must be field=column, as in prompt=question,expectedOutput=answer.')
    return [field, column]
  })
  const fields = [...Object.keys(earlier), ...entries.map(([field]) => field)]
  const twice = fields.find((field, index) => fields.indexOf(field) !== index)
  if (twice !== undefined) throw new InvalidArgumentError(`It names two columns for ${twice}.`)
  return { ...earlier, ...Object.fromEntries(entries) }
}
