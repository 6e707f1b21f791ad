import { InputError, isJsonObject } from '../../../contract/index.ts'
import { parseLooseJson } from '../../text/loose-json.ts'
import { splitJson } from '../../text/split-json.ts'
import { field, idField, listField, numberField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { listTopKeys, readFirstRecord } from '../top-keys.ts'

/** What HELM measures of a request, and not of the answer. */
const BOOKKEEPING =
  /^(?:num_|inference_|training_|finish_reason_|batch_size$|prompt_truncated$|logprob|max_prob|predicted_index|estimated_|efficiency_)|_(?:tokens|runtime|cost)$/

/** Metrics that say whether an answer is right, the first of which a run has. */
const PREFERRED = [
  'exact_match',
  'quasi_exact_match',
  'math_equiv_chain_of_thought',
  'math_equiv',
  'final_number_exact_match',
  'exact_match_indicator',
  'chain_of_thought_correctness',
  'ifeval_strict_accuracy',
  'omni_math_accuracy',
  'wildbench_score_rescaled',
  'f1_score',
  'quasi_prefix_exact_match',
  'prefix_exact_match',
  'bleu_4',
  'rouge_l',
]

const SCORES = 'per_instance_stats.json'
const PREDICTIONS = 'display_predictions.json'
const STATE = 'scenario_state.json'

/** One answer of a run: an instance, a trial and a change of the input. */
interface Key {
  id: string
  trial: number
  perturbation: string | undefined
}

function readSampleKey(value: unknown, id: string | undefined, place: string): Key {
  if (id === undefined) throw new InputError(`${place}: has no instance_id`)
  const perturbation = field(value, 'perturbation')
  return {
    id,
    trial: numberField(value, 'train_trial_index') ?? 0,
    perturbation: isJsonObject(perturbation) ? (textField(perturbation, 'name') ?? 'perturbed') : undefined,
  }
}

function writeKey({ id, trial, perturbation = '' }: Key): string {
  return JSON.stringify([id, trial, perturbation])
}

type Answered = Pick<ForeignSample, 'prompt' | 'expected' | 'answer' | 'error' | 'latencyMs'>

/** What was asked and answered, by key. */
function readState(state: unknown, name: string): Map<string, Answered> {
  const found = new Map<string, Answered>()
  for (const [index, request] of (listField(state, 'request_states') ?? []).entries()) {
    const instance = field(request, 'instance')
    const key = writeKey({
      ...readSampleKey(request, idField(instance, 'id'), `${name}: request ${index + 1}`),
      ...readSampleKey(instance, idField(instance, 'id'), name),
      trial: numberField(request, 'train_trial_index') ?? 0,
    })
    const result = field(request, 'result')
    const completion = listField(result, 'completions')?.[0]
    const seconds = numberField(result, 'request_time')
    const hasFailed = field(result, 'success') === false
    const references = listField(instance, 'references') ?? []
    const right = references.filter((reference) => listField(reference, 'tags')?.includes('correct'))
    const texts = right.flatMap((reference) => textField(field(reference, 'output'), 'text') ?? [])
    // Each reference can be a request of its own: only one that stands for the instance has its answer.
    const isPart = numberField(request, 'reference_index') !== undefined
    const earlier = found.get(key)
    found.set(key, {
      prompt: textField(field(instance, 'input'), 'text') ?? earlier?.prompt,
      ...(texts.length > 0 && { expected: texts.join('\n') }),
      answer: isPart ? undefined : textField(completion, 'text'),
      error: hasFailed ? (textField(result, 'error') ?? 'the request failed') : earlier?.error,
      latencyMs: seconds === undefined ? undefined : seconds * 1000,
    })
  }
  return found
}

/** `instances.json`, which is beside the predictions. */
function readInstances(list: unknown): Map<string, Answered> {
  const found = new Map<string, Answered>()
  for (const instance of Array.isArray(list) ? list : []) {
    const id = idField(instance, 'id')
    if (id === undefined || isJsonObject(field(instance, 'perturbation'))) continue
    const right = (listField(instance, 'references') ?? []).filter((reference) =>
      listField(reference, 'tags')?.includes('correct'),
    )
    const texts = right.flatMap((reference) => textField(field(reference, 'output'), 'text') ?? [])
    const prompt = textField(field(instance, 'input'), 'text')
    found.set(id, { ...(prompt !== undefined && { prompt }), ...(texts.length > 0 && { expected: texts.join('\n') }) })
  }
  return found
}

/** The mean of a statistic; undefined where nothing was counted. */
function readStat(stat: unknown): unknown {
  const count = numberField(stat, 'count')
  if (count === 0) return undefined
  const sum = numberField(stat, 'sum')
  return numberField(stat, 'mean') ?? (sum !== undefined && count !== undefined ? sum / count : undefined)
}

interface Scored extends Answered {
  key: Key
  scores: Map<string, unknown>
  promptTokens?: number | undefined
  completionTokens?: number | undefined
  place: string
}

function withUsage(scored: Omit<Scored, 'scores'>, all: ReadonlyMap<string, unknown>): Scored {
  const number = (name: string) => {
    const value = all.get(name)
    return typeof value === 'number' ? value : undefined
  }
  return {
    ...scored,
    scores: new Map([...all].filter(([name]) => !BOOKKEEPING.test(name))),
    promptTokens: number('num_prompt_tokens'),
    completionTokens: number('num_completion_tokens') ?? number('num_output_tokens'),
  }
}

function readScored(record: Fields, place: string): Scored {
  const key = readSampleKey(record, idField(record, 'instance_id'), place)
  const listed = field(record, 'stats')
  // Predictions have the means by name.
  if (isJsonObject(listed)) {
    const text = textField(record, 'predicted_text')
    return withUsage({ key, place, ...(text !== undefined && { answer: text }) }, new Map(Object.entries(listed)))
  }
  const stats = Array.isArray(listed) ? listed : []
  return withUsage(
    { key, place },
    new Map(
      stats.flatMap((stat) => {
        const name = textField(field(stat, 'name'), 'name') ?? textField(stat, 'name')
        return name === undefined ? [] : [[name, readStat(stat)] as const]
      }),
    ),
  )
}

async function readRecords(file: ResultsFile): Promise<Scored[]> {
  const found: Scored[] = []
  const parts = splitJson(file.read(), { name: file.name, decide: (path) => (path.length === 0 ? 'enter' : 'take') })
  for await (const part of parts)
    if (part.kind === 'value' && isJsonObject(part.value))
      found.push(file.keep(readScored(part.value, `${file.name}: instance ${found.length + 1}`)))
  return found
}

async function readBeside(file: ResultsFile, wanted: string): Promise<unknown> {
  const sibling = await file.findSibling((name) => name === wanted)
  if (!sibling) return undefined
  try {
    return parseLooseJson(sibling.text)
  } catch {
    return undefined
  }
}

async function readWholeState(file: ResultsFile): Promise<unknown> {
  const value: Fields = {}
  const requests: unknown[] = []
  const parts = splitJson(file.read(), {
    name: file.name,
    decide: ([first, second]) =>
      first === undefined || (first === 'request_states' && second === undefined)
        ? 'enter'
        : first === 'request_states' || first === 'adapter_spec'
          ? 'take'
          : 'skip',
  })
  for await (const part of parts) {
    if (part.kind !== 'value') continue
    if (part.path[0] === 'request_states') requests.push(file.keep(part.value))
    else value[part.path[0]!] = part.value
  }
  return { ...value, request_states: requests }
}

/** `mmlu:subject=philosophy,model=openai_gpt2` without its model, which differs between the runs to compare. */
function nameTask(runName: string): string {
  const [scenario = '', ...args] = runName.split(/[:,]/)
  const others = args.filter((arg) => !/^model(?:_deployment)?=/.test(arg))
  return others.length === 0 ? scenario : `${scenario}:${others.join(',')}`
}

function baseName({ name }: ResultsFile): string {
  return name.split('/').at(-1)!.replace(/\.gz$/, '')
}

/** The files of a run of HELM, which lie in one folder. */
export const helm: ResultsReader = {
  name: 'helm',
  looksLike: `files of a HELM run: ${SCORES}, ${PREDICTIONS} or ${STATE}`,
  async recognises(file) {
    if (baseName(file) === STATE || file.start.includes('"request_states"')) {
      const keys = await listTopKeys(file)
      return keys.has('request_states') || (keys.has('adapter_spec') && keys.has('adapter_spec.method'))
    }
    const first = await readFirstRecord(file)
    return (
      first !== undefined &&
      Object.hasOwn(first, 'instance_id') &&
      (Object.hasOwn(first, 'train_trial_index') || Object.hasOwn(first, 'predicted_text')) &&
      typeof first['stats'] === 'object'
    )
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const isState = (await readFirstRecord(file)) === undefined || baseName(file) === STATE
    const state = isState ? await readWholeState(file) : await readBeside(file, STATE)
    const spec = await readBeside(file, 'run_spec.json')
    const answers = readState(state, isState ? file.name : STATE)
    const instances = answers.size > 0 ? undefined : readInstances(await readBeside(file, 'instances.json'))
    const scored = isState ? await readScoresBeside(file, answers) : await readRecords(file)
    const adapter = field(spec, 'adapter_spec') ?? field(state, 'adapter_spec')
    const runName = textField(spec, 'name') ?? file.folder ?? ''
    const ofName = /(?:^|[:,])model=([^,]+)/.exec(runName)?.[1]
    const named = textField(adapter, 'model') || textField(adapter, 'model_deployment') || ofName
    const modelId = chosen ?? named ?? 'unknown model'
    const samples = scored.map(({ key, ...own }): ForeignSample => {
      const found = answers.get(writeKey(key)) ?? (key.perturbation === undefined ? instances?.get(key.id) : undefined)
      return {
        ...found,
        ...own,
        id: key.perturbation === undefined ? key.id : `${key.id} (${key.perturbation})`,
        epoch: key.trial + 1,
        modelId,
        ...(key.perturbation !== undefined && { category: key.perturbation }),
      }
    })
    const withoutAnswer = samples.filter(({ answer, error }) => answer === undefined && error === undefined).length
    return {
      format: 'helm',
      tool: 'HELM',
      task: nameTask(runName) || 'HELM run',
      samples,
      preferred: PREFERRED,
      isModelUnnamed: named === undefined,
      warnings: [
        ...(named === undefined && chosen === undefined
          ? [`${file.name}: nothing names the model: put run_spec.json beside the file, or name it with --model`]
          : []),
        ...(withoutAnswer > 0 && !isState
          ? [
              `${file.name}: ${withoutAnswer} of ${samples.length} instances come without the model's answer: it is in ${STATE}, which is read if it lies beside the file`,
            ]
          : []),
      ],
    }
  },
}

/** Answers with the scores that lie beside them; without those, answers alone. */
async function readScoresBeside(file: ResultsFile, answers: ReadonlyMap<string, Answered>): Promise<Scored[]> {
  const listed = (await readBeside(file, SCORES)) ?? (await readBeside(file, PREDICTIONS))
  if (Array.isArray(listed))
    return listed.filter(isJsonObject).map((record, index) => readScored(record, `${SCORES}: instance ${index + 1}`))
  return [...answers].map(([written, answer], index): Scored => {
    const [id, trial, perturbation]: [string, number, string] = JSON.parse(written)
    return {
      ...answer,
      key: { id, trial, perturbation: perturbation === '' ? undefined : perturbation },
      scores: new Map(),
      place: `${file.name}: request ${index + 1}`,
    }
  })
}

/** Of the files of one HELM run, the one that is read: it reads the others. */
export function leaveOutHelmTwins(names: readonly string[]): string[] {
  const has = (name: string) => names.includes(name)
  const twins = has(SCORES) ? [STATE, PREDICTIONS] : has(PREDICTIONS) ? [STATE] : []
  return names.filter((name) => !twins.includes(name))
}
