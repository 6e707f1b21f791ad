import { InvalidArgumentError, type Command } from 'commander'
import type { ResultsChoices } from '../../import/index.ts'

/** How a suite file is read: the same for every command that reads one. */
export interface ReadingOptions {
  allowFiles?: string[]
  allowCode?: boolean
  allowCommands?: boolean
  map?: Record<string, string>
  recipe?: string
}

/** Parses `prompt=question,expectedOutput=answer`; a repeated flag adds to it. */
export function readColumnMap(text: string, earlier: Record<string, string> = {}): Record<string, string> {
  // A template may have commas: another field begins only where a name and = follow.
  const pairs = text.includes('{{') ? text.split(/,(?=\s*[\p{L}_][\p{L}\p{N}_.]*=)/u) : text.split(',')
  const entries = pairs.map((pair): [string, string] => {
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

/** How results of other tools are read: the same in `import` and `compare`. */
export type ResultsOptions = ResultsChoices

/** Parses `0:10`. */
function readScale(text: string): { min: number; max: number } {
  const [min, max, ...rest] = text.split(':').map((part) => (part.trim() === '' ? Number.NaN : Number(part)))
  if (
    min === undefined ||
    max === undefined ||
    rest.length > 0 ||
    !Number.isFinite(min) ||
    !Number.isFinite(max) ||
    min >= max
  )
    throw new InvalidArgumentError('It must be MIN:MAX with MIN below MAX, as in 0:10.')
  return { min, max }
}

export function addResultsOptions(command: Command): Command {
  return command
    .option(
      '--metric <name>',
      'which metric of a results file counts\nWithout it: the one that says whether an answer is right.',
    )
    .option('--scale <min:max>', 'the values that become 0 and 100 (default: 0:1)', readScale)
    .option('--lower-is-better', 'small values of the metric are good ones')
    .option('--model <name>', 'the model of a results file that does not name it')
    .option(
      '--columns <field=col,…>',
      'columns of a table with one row per answer\nOf a CSV, JSONL or Parquet file: id=…,score=…, also model, epoch, prompt, answer, expected, error, cost.',
      readColumnMap,
    )
    .option('--split-prompts', 'compare prompts of a promptfoo file: model@prompt')
}

/** The choices among the options of a command. */
export function choicesOf({
  metric,
  scale,
  lowerIsBetter,
  model,
  columns,
  splitPrompts,
}: ResultsOptions): ResultsChoices {
  return {
    ...(metric !== undefined && { metric }),
    ...(scale !== undefined && { scale }),
    ...(lowerIsBetter !== undefined && { lowerIsBetter }),
    ...(model !== undefined && { model }),
    ...(columns !== undefined && { columns }),
    ...(splitPrompts !== undefined && { splitPrompts }),
  }
}
