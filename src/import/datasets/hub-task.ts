import { parse } from 'yaml'
import { z } from 'zod'
import { escapePattern, InputError } from '../../contract/index.ts'
import { listAnswers } from './parts/answers.ts'
import { LETTERS } from './parts/options.ts'
import { mixOptions } from './parts/shuffle.ts'
import type { DatasetCase, Recipe } from './recipe.ts'
import { ANSWER_WITH_LETTER, makeChoiceCase } from './recipes/multiple-choice.ts'
import { looseName, toStructure, toText, type Row } from './rows/row.ts'

/*
 * The `eval.yaml` of a benchmark on Hugging Face: https://huggingface.co/docs/hub/eval-results (hub-docs,
 * docs/hub/eval-results.md). Its tasks for Inspect are read as Inspect reads them: inspect_ai/_eval/task/hf.py.
 */

const stepSchema = z.object({ name: z.string(), args: z.record(z.string(), z.unknown()).nullish() })

const fieldsSchema = z.object({
  input: z.string(),
  /** A column, or `literal:X`. */
  target: z.string(),
  /** A column with a list, or a column for each. */
  choices: z.union([z.string(), z.array(z.string()).min(2)]).nullish(),
  input_image: z.string().nullish(),
})

const taskSchema = z.object({
  id: z.string().nullish(),
  config: z.string().nullish(),
  split: z.string().default('test'),
  field_spec: fieldsSchema.nullish(),
  shuffle_choices: z.boolean().nullish(),
  epochs: z.number().int().min(1).default(1),
  solvers: z.array(stepSchema).nullish(),
  scorers: z.array(stepSchema).nullish(),
})

const fileSchema = z.object({ tasks: z.array(taskSchema).min(1) })

export type HubTask = z.output<typeof taskSchema>

/** The tasks of an `eval.yaml`; undefined if it is none. */
export function parseHubTasks(text: string): HubTask[] | undefined {
  try {
    return fileSchema.safeParse(parse(text)).data?.tasks
  } catch {
    return undefined
  }
}

type Step = z.output<typeof stepSchema>

const argument = (step: Step | undefined, name: string): string | undefined => toText(step?.args?.[name])

/** Python's format strings: `{prompt}` is filled, `{{` and `}}` are braces. */
function fillBraces(template: string, prompt: string): string {
  return template.replaceAll(/\{\{|\}\}|\{prompt\}/g, (found) => (found === '{prompt}' ? prompt : found[0]!))
}

function readColumn(row: Row, name: string): unknown {
  const value = row.get(looseName(name))
  if (value === undefined) throw new InputError(`has no ${name}, which its eval.yaml names`)
  return value
}

/** How the scorers of Inspect judge an answer, in ours. */
function scoreBy({ name, args }: Step, targets: readonly string[]): DatasetCase | undefined {
  const [expectedOutput, ...others] = targets
  const accepted = others.length > 0 && { accepted: others }
  const anyOf = `(?:${targets.map(escapePattern).join('|')})`
  switch (name) {
    case 'exact':
      return { scoringMethod: 'text-overlap', metric: 'normalized-match', expectedOutput, ...accepted }
    case 'f1':
      return { scoringMethod: 'text-overlap', metric: 'f1', expectedOutput, ...accepted }
    case 'includes':
      if (targets.length === 1 && args?.['ignore_case'] !== false) return { scoringMethod: 'boolean', expectedOutput }
      return { scoringMethod: 'regex-match', expectedOutput: `/${anyOf}/${args?.['ignore_case'] === false ? '' : 'i'}` }
    case 'match': {
      if (args?.['numeric'] === true) return { scoringMethod: 'math', expectedOutput }
      const marks = String.raw`[\s\p{P}]*`
      const place = toText(args?.['location']) ?? 'end'
      const [before, after] = [
        place === 'begin' || place === 'exact' ? `^${marks}` : '',
        place === 'end' || place === 'exact' ? `${marks}$` : '',
      ]
      return {
        scoringMethod: 'regex-match',
        expectedOutput: `/${before}${anyOf}${after}/${args?.['ignore_case'] === false ? 'u' : 'iu'}`,
      }
    }
    case 'answer':
      return { scoringMethod: 'regex-match', expectedOutput: String.raw`/ANSWER\s*:\s*${anyOf}(?![\p{L}\p{N}])/iu` }
    case 'model_graded_qa':
    case 'model_graded_fact':
      return { scoringMethod: 'llm-judge', expectedOutput }
    default:
      return undefined
  }
}

const SCORERS = 'exact, f1, includes, match, answer, choice, model_graded_qa and model_graded_fact'

/** Solvers that change what is asked in a way that is not known here. */
const UNKNOWN_SOLVERS = new Set(['chain_of_thought', 'use_tools', 'self_critique', 'user_message'])

function listNotes({ solvers, scorers, epochs }: HubTask): string[] {
  const left = (solvers ?? []).filter(({ name }) => UNKNOWN_SOLVERS.has(name)).map(({ name }) => name)
  const model = argument(scorers?.[0], 'model')
  return [
    ...(left.length > 0 ? [`asked without ${left.join(' and ')}, which its eval.yaml names`] : []),
    ...((scorers?.length ?? 0) > 1 ? [`scored by ${scorers![0]!.name} alone, the first of its scorers`] : []),
    ...(model === undefined ? [] : [`its judge is ${model}: --judge ${model}`]),
    ...(epochs > 1 ? [`asks each question ${epochs} times: --repeat ${epochs}`] : []),
  ]
}

/** A recipe for the rows of a task, and what of the task it does not follow; undefined unless the task names its columns. */
export function makeTaskRecipe(task: HubTask): { recipe: Recipe; notes: string[] } | undefined {
  const { field_spec: fields, solvers, scorers } = task
  const [scorer] = scorers ?? []
  if (!fields || !scorer) return undefined
  const isChoice = scorer.name === 'choice' && fields.choices != null
  if (!isChoice && scoreBy(scorer, ['']) === undefined)
    throw new InputError(
      `its eval.yaml scores by ${scorer.name}; known are ${SCORERS}. Read its columns with --recipe guess`,
    )
  const find = (name: string) => solvers?.find((step) => step.name === name)
  const template = argument(find('prompt_template'), 'template')
  const system = argument(find('system_message'), 'template')
  const systemPrompt = [system, isChoice ? ANSWER_WITH_LETTER : undefined]
    .filter((text) => text !== undefined)
    .join('\n\n')

  const readChoices = (row: Row): string[] => {
    const { choices } = fields
    const values: unknown =
      typeof choices === 'string'
        ? toStructure(readColumn(row, choices))
        : choices?.map((name) => readColumn(row, name))
    const texts = Array.isArray(values) ? values.map(toText) : []
    if (texts.length < 2 || texts.includes(undefined)) throw new InputError('has no list of choices')
    return texts.filter((text) => text !== undefined)
  }
  /** A number counts from A, as in Inspect. */
  const readTarget = (row: Row): string[] => {
    if (fields.target.startsWith('literal:')) return [fields.target.slice('literal:'.length)]
    const value = readColumn(row, fields.target)
    if (isChoice && (typeof value === 'number' || typeof value === 'bigint'))
      return [LETTERS[Number(value)] ?? String(value)]
    // A text is one target, also one that looks like a list.
    return typeof value === 'string' ? [value.trim()].filter(Boolean) : listAnswers(value)
  }
  const recipe: Recipe = {
    name: 'eval.yaml',
    reads: `the task ${task.id ?? 'of its eval.yaml'}`,
    ...(systemPrompt !== '' && { systemPrompt }),
    recognises: () => true,
    toCase(row) {
      if (fields.input_image != null && row.has(looseName(fields.input_image)))
        throw new InputError(`needs its ${fields.input_image}, which cannot be read from a dataset`)
      const input = readColumn(row, fields.input)
      const asked = typeof input === 'string' && input.trim() !== '' ? input : toText(input)
      if (asked === undefined) throw new InputError(`has no text in ${fields.input}`)
      const question = template === undefined ? asked : fillBraces(template, asked)
      const targets = readTarget(row)
      if (targets.length === 0) throw new InputError(`has no ${fields.target}`)
      if (!isChoice) return { prompt: question, ...scoreBy(scorer, targets) }
      const texts = readChoices(row)
      const place = LETTERS.indexOf(targets[0]!.toUpperCase())
      const right = targets[0]!.length === 1 && place >= 0 ? texts[place] : undefined
      if (right === undefined)
        throw new InputError(`its ${fields.target} is ${targets[0]}, which is none of its choices`)
      if (!task.shuffle_choices)
        return makeChoiceCase({ question }, { texts, source: 'eval.yaml' }, targets[0]!.toUpperCase())
      const mixed = mixOptions(
        right,
        texts.filter((text) => text !== right),
      )
      return makeChoiceCase({ question }, { texts: mixed.texts, source: 'eval.yaml' }, mixed.letter)
    },
  }
  return { recipe, notes: listNotes(task) }
}
