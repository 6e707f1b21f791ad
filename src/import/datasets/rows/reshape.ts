import { isRecord } from '../../../contract/index.ts'

type Fields = Record<string, unknown>

const isText = (value: unknown): value is string => typeof value === 'string'

/** `{ passage: { text, questions } }` (MultiRC) and `{ qa: { question, answer } }` (FinQA): the inner fields are the row's. */
function liftFields(values: Fields): Fields {
  const { passage, qa } = values
  // ReCoRD has the questions beside the passage.
  if (isRecord(passage) && isText(passage['text']) && Array.isArray(values['qas']))
    return { ...values, passage: passage['text'] }
  if (isRecord(passage) && isText(passage['text']) && Array.isArray(passage['questions']))
    return { ...values, ...passage, passage: passage['text'], text: undefined }
  if (isRecord(qa) && isText(qa['question'])) return { ...values, ...qa, qa: undefined }
  return values
}

const ASKED = ['inputs', 'input', 'item']
const EXPECTED = [
  'outputs',
  'output',
  'expectations',
  'expected',
  'expectedOutput',
  'expected_output',
  'reference_outputs',
]

/**
 * `{ inputs: { question }, outputs: { answer } }`, as tools for evaluation keep rows (LangSmith, Langfuse, MLflow, OpenAI's
 * items). A field alone has the name of what it is in.
 */
function liftParts(values: Fields): Fields {
  const asked = ASKED.find((name) => isRecord(values[name]))
  if (asked === undefined || 'instruction' in values) return values
  const expected = EXPECTED.find((name) => isRecord(values[name]))
  return { ...values, [asked]: undefined, ...nameAlone(values[asked], 'question'), ...liftExpected(values, expected) }
}

/** How verl keeps what a reward is given for. */
function liftReward(values: Fields): Fields {
  const { reward_model: reward } = values
  return isRecord(reward) && 'ground_truth' in reward ? { ...values, ground_truth: reward['ground_truth'] } : values
}

function liftExpected(values: Fields, name: string | undefined): Fields {
  return name === undefined ? {} : { [name]: undefined, ...nameAlone(values[name], 'answer') }
}

function nameAlone(part: unknown, name: string): Fields {
  if (!isRecord(part)) return {}
  const [only, ...others] = Object.keys(part)
  return only !== undefined && others.length === 0 && isText(part[only]) ? { [name]: part[only] } : part
}

/** DROP as simple-evals has it: the question ends the context, and accepted answers stand between bars. */
function splitReferences(values: Fields): Fields {
  const { ref_text: references, context } = values
  if (!isText(references) || !isText(context)) return values
  const [, passage = '', question = context] = /^(.*)\bQuestion:\s*(.*?)(?:\s*Answer:\s*)?$/s.exec(context) ?? []
  return { ...values, ref_text: undefined, context: passage, question, answers: references.split('|') }
}

const PLACEHOLDER = /\{(\w+)\}/g

/** `{ instruction: 'Question: {text} …', inputs: { text } }`, as MERA writes tasks: the instruction, filled. */
function fillInstruction(values: Fields): Fields {
  const { instruction, inputs } = values
  if (!isText(instruction)) return values
  const given = isText(inputs) ? { inputs } : inputs
  if (!isRecord(given)) return values
  const names = [...instruction.matchAll(PLACEHOLDER)].map((match) => match[1]!)
  if (names.length === 0 || !names.every((name) => Object.hasOwn(given, name))) return values
  const filled = instruction.replaceAll(PLACEHOLDER, (_, name: string) => String(given[name]))
  const { instruction: _, inputs: __, ...others } = values
  const meta = isRecord(values['meta']) ? values['meta'] : {}
  const options = Object.fromEntries(Object.entries(given).filter(([name]) => /^(?:option|choice)/i.test(name)))
  return { ...others, ...options, ...meta, meta: undefined, question: filled }
}

/** In templates of word problems the numbers stand in a column of their own: `Mary has number0 apples`. */
function fillNumbers(values: Fields): Fields {
  const numbers = values['Numbers'] ?? values['numbers']
  if (!isText(numbers)) return values
  const given = numbers.trim().split(/[\s,]+/)
  const fill = (text: string) => text.replaceAll(/\bnumber(\d)\b/g, (whole, at: string) => given[Number(at)] ?? whole)
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => [
      name,
      isText(value) && /^(?:question|body)$/i.test(name) ? fill(value) : value,
    ]),
  )
}

/** Fields in deeper places than usual, brought to the row. */
export function reshapeRow(values: Fields): Fields {
  return splitReferences(fillNumbers(fillInstruction(liftReward(liftParts(liftFields(values))))))
}

/** DREAM: `[[lines], [questions], id]` is a dialogue with its questions. */
export function nameParts(item: unknown): Fields | undefined {
  if (!Array.isArray(item) || item.length !== 3) return undefined
  const [lines, questions, id] = item as unknown[]
  if (!Array.isArray(lines) || !lines.every(isText) || !Array.isArray(questions)) return undefined
  return questions.every((question) => isRecord(question)) && isText(id)
    ? { id, passage: lines.join('\n'), questions }
    : undefined
}

/** Says what the whole task is, beside the list of its rows: BIG-bench's prefix, Natural Instructions' definition. */
export function findTask(document: Fields): string | undefined {
  const task = document['task_prefix'] ?? document['Definition']
  const text = Array.isArray(task) ? task.filter(isText).join('\n') : task
  return isText(text) && text.trim() !== '' ? text.trim() : undefined
}

/** The words of labels that a file describes: `features: [{ name, type: { names } }]`, as the dataset viewer has it. */
export function findLabelNames(document: Fields): Map<string, readonly string[]> {
  const features = Array.isArray(document['features']) ? (document['features'] as unknown[]) : []
  return new Map(
    features.flatMap((feature) => {
      if (!isRecord(feature) || !isText(feature['name']) || !isRecord(feature['type'])) return []
      const { names } = feature['type']
      return Array.isArray(names) && names.every(isText) ? [[feature['name'], names] as const] : []
    }),
  )
}

/** Numbers that stand for words become the words. */
export function nameLabels(values: Fields, names: ReadonlyMap<string, readonly string[]>): Fields {
  if (names.size === 0) return values
  return Object.fromEntries(
    Object.entries(values).map(([name, value]) => {
      const words = names.get(name)
      const place = typeof value === 'number' || (isText(value) && /^\d+$/.test(value)) ? Number(value) : undefined
      return [name, words === undefined || place === undefined ? value : (words[place] ?? null)]
    }),
  )
}
