import { InputError, isJsonObject } from '../../../contract/index.ts'
import { readRecordLines } from '../../text/line-stream.ts'
import { field, idField, listField, textField, type Fields } from '../../tool-results/formats/fields.ts'
import type { ForeignResults, ForeignSample, ResultsFile, ResultsReader } from '../foreign-results.ts'
import { stemOf } from '../results-file.ts'
import { flattenScore } from '../score-value.ts'
import { readFirstLine } from '../top-keys.ts'
import { contentText, readExpected, readQuestion } from './chat-text.ts'

/** EvalScope's own name of the score that counts. */
type Reviewed = Omit<ForeignSample, 'epoch' | 'modelId'> & { main?: string | undefined; model?: string | undefined }

/** Since version 1: one answer a line, with `sample_score`. */
function readReview(row: Fields, place: string): Reviewed {
  const scored = field(row, 'sample_score')
  const score = field(scored, 'score')
  const id = idField(scored, 'group_id', 'sample_id') ?? idField(row, 'index')
  if (id === undefined) throw new InputError(`${place}: has neither index nor sample_id`)
  const value = field(score, 'value')
  return {
    id,
    ...readQuestion(field(row, 'input')),
    expected: readExpected(field(row, 'target')),
    answer: textField(score, 'prediction') ?? textField(score, 'extracted_prediction'),
    scores: new Map(isJsonObject(value) ? Object.entries(value) : value === undefined ? [] : [['score', value]]),
    notes: textField(score, 'explanation'),
    main: textField(score, 'main_score_name'),
    model: textField(row, 'model'),
    place,
  }
}

const QUESTION_FIELDS = ['question', 'prompt', 'problem', 'input', 'query', 'instruction']

function writeRawInput(raw: unknown): { prompt?: string } {
  if (typeof raw === 'string') return { prompt: raw }
  const named = QUESTION_FIELDS.map((name) => textField(raw, name)).find((text) => text !== undefined && text !== '')
  if (named !== undefined) return { prompt: named }
  return isJsonObject(raw) ? { prompt: JSON.stringify(raw) } : {}
}

/** Before version 1: one question a line, with a review of each of its answers. */
function readOlderReviews(row: Fields, place: string): Reviewed[] {
  const id = idField(row, 'index') ?? idField(row, 'review_id', 'answer_id')
  if (id === undefined) throw new InputError(`${place}: has no index`)
  const choices = listField(row, 'choices') ?? []
  const model = textField(row, 'model') ?? idField(field(row, 'model_spec'), 'model_id')
  return choices.map((choice) => {
    const review = field(choice, 'review')
    const result = field(review, 'result')
    return {
      id,
      ...writeRawInput(field(row, 'raw_input')),
      expected: readExpected(field(review, 'gold')),
      answer: contentText(field(field(choice, 'message'), 'content')),
      scores: new Map(isJsonObject(result) ? Object.entries(result) : flattenScore('result', result)),
      model,
      place,
    }
  })
}

function isReview(row: Fields): boolean {
  return isJsonObject(row['sample_score']) || (Array.isArray(row['choices']) && isOlderReview(row['choices'][0]))
}

function isOlderReview(choice: unknown): boolean {
  return isJsonObject(choice) && isJsonObject(choice['review'])
}

/** Files lie in `reviews/<model>/<dataset>_<subset>.jsonl`, some with more folders in the model's. */
function foldersOfModel({ folders = [] }: ResultsFile): readonly string[] {
  return folders.slice(folders.lastIndexOf('reviews') + 1 || folders.length)
}

function modelOfFolder(file: ResultsFile): string | undefined {
  const { folder } = file
  const [model] = foldersOfModel(file)
  if (model !== undefined) return model
  return folder === undefined || /^(?:reviews|outputs?|results?|downloads?|tmp|data|\.)$/i.test(folder)
    ? undefined
    : folder
}

export const evalscope: ResultsReader = {
  name: 'evalscope',
  looksLike: 'reviews of EvalScope: JSON lines with sample_score (reviews/MODEL/DATASET.jsonl)',
  recognises(file) {
    const first = readFirstLine(file)
    return first !== undefined && isReview(first)
  },
  async read(file, { model: chosen }): Promise<ForeignResults> {
    const reviews: Reviewed[] = []
    for await (const { line, value: row } of readRecordLines(file.read(), file.name)) {
      const place = `${file.name}:${line}`
      if (isJsonObject(row['sample_score'])) reviews.push(file.keep(readReview(row, place)))
      else if (Array.isArray(row['choices']))
        reviews.push(...readOlderReviews(row, place).map((review) => file.keep(review)))
      else throw new InputError(`${place}: has neither sample_score nor choices: it is no review of EvalScope`)
    }
    const stem = stemOf(file.name)
    const named = reviews.find(({ model }) => model)?.model ?? modelOfFolder(file)
    const modelId = chosen ?? named ?? stem
    const rounds = new Map<string, number>()
    const samples = reviews.map(({ main: _main, model: _model, ...review }): ForeignSample => {
      const epoch = (rounds.get(review.id) ?? 0) + 1
      rounds.set(review.id, epoch)
      return { ...review, epoch, modelId }
    })
    const main = reviews.find(({ main: name }) => name)?.main
    return {
      format: 'evalscope',
      tool: 'EvalScope',
      task: [...foldersOfModel(file).slice(1), stem].join('/'),
      samples,
      preferred: [...(main === undefined ? [] : [main]), 'acc', 'pass', 'result'],
      isModelUnnamed: named === undefined,
      warnings:
        named === undefined && chosen === undefined
          ? [
              `${file.name}: reviews of EvalScope are in a folder of their model's name, so it is called ${stem}; --model names it`,
            ]
          : [],
    }
  },
}
