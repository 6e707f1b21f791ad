import type { RunKind, Storage } from '../../../contract/index.ts'
import { filterChanges, type CaseChange, type ChangeFilter } from '../../../report/comparing/case-changes.ts'
import type { ReportedSide } from '../../../report/comparing/comparison.ts'
import type { ModelPair } from '../../../report/comparing/pair-models.ts'
import { notFound } from '../../http/refusal.ts'
import { sizeOf } from '../fit-texts.ts'
import { loadCaseTexts, loadAnswers, type AnswerDetail } from '../cases/case-detail.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { shortenId } from '../selection/resolve-selection.ts'
import { findCaseChanges } from './compared-pair.ts'

/** GET /api/compare/cases?a=&b=&modelA=&modelB=&filter=&offset=&limit= */
export interface ChangedCases {
  total: number
  offset: number
  cases: (CaseChange & { title: string })[]
}

/** GET /api/compare/case?a=&b=&modelA=&modelB=&filter=&id=: the two answers side by side. */
export interface ComparedCase {
  change: CaseChange
  a: AnswersOfSide
  b: AnswersOfSide
  /** In the filtered list; absent if the case is not in it. */
  index?: number
  total: number
  previousId?: string
  nextId?: string
}

interface AnswersOfSide extends Pick<ReportedSide, 'runIds' | 'startedAt'> {
  kind?: RunKind
  prompt?: string
  expectedOutput?: string
  answers: AnswerDetail[]
}

export interface PairQuery {
  pair: ModelPair
  filter: ChangeFilter
  isChangedCompared: boolean
}

const MAX_TITLE_LENGTH = 120

/** A reply is limited to a megabyte. */
const MAX_BYTES = 900_000
const ROOM_FOR_ANSWERS = 300_000

type Selections = readonly [LoadedSelection, LoadedSelection]

function checkPair([a, b]: Selections, [modelA, modelB]: ModelPair): void {
  if (!a.scores.modelIds.includes(modelA)) throw notFound(`Model ${shortenId(modelA)}`)
  if (!b.scores.modelIds.includes(modelB)) throw notFound(`Model ${shortenId(modelB)}`)
}

/** One page of what is better and worse, the cases to look at first. */
export async function createChangedCases(
  selections: Selections,
  { pair, filter, isChangedCompared, offset, limit }: PairQuery & { offset: number; limit: number },
): Promise<ChangedCases> {
  checkPair(selections, pair)
  const [a, b] = selections
  const matching = filterChanges(await findCaseChanges(selections, pair, { isChangedCompared }), filter)
  const cases: ChangedCases['cases'] = []
  let bytes = 0
  for (const change of matching.slice(offset, offset + limit)) {
    const title = b.titleOf(change.id, MAX_TITLE_LENGTH) || a.titleOf(change.id, MAX_TITLE_LENGTH)
    const row = { ...change, title }
    bytes += sizeOf(row) + 1
    if (bytes > MAX_BYTES && cases.length > 0) break
    cases.push(row)
  }
  return { total: matching.length, offset, cases }
}

async function loadSide(
  selection: LoadedSelection,
  storage: Storage,
  { id, modelId }: { id: string; modelId: string },
): Promise<AnswersOfSide> {
  const { kind, prompt, expectedOutput, passMark } = loadCaseTexts(selection, id)
  const [model] = await loadAnswers(selection, storage, { id, passMark, modelIds: [modelId], room: ROOM_FOR_ANSWERS })
  const startedAt = selection.scores.runs[0]?.startedAt
  return {
    runIds: selection.ids,
    ...(kind && { kind }),
    ...(startedAt !== undefined && { startedAt }),
    ...(prompt !== undefined && { prompt }),
    ...(expectedOutput !== undefined && { expectedOutput }),
    answers: model?.answers ?? [],
  }
}

/** One case: what each side answered, and the cases before and after it in the list. */
export async function createComparedCase(
  selections: Selections,
  storage: Storage,
  { pair, filter, isChangedCompared, id }: PairQuery & { id: string },
): Promise<ComparedCase> {
  checkPair(selections, pair)
  const changes = await findCaseChanges(selections, pair, { isChangedCompared })
  const change = changes.cases.find((found) => found.id === id)
  if (!change) throw notFound(`Case ${shortenId(id)}`)
  const listed = filterChanges(changes, filter)
  const index = listed.indexOf(change)
  const [previousId, nextId] = index < 0 ? [undefined, listed[0]?.id] : [listed[index - 1]?.id, listed[index + 1]?.id]
  return {
    change,
    a: await loadSide(selections[0], storage, { id, modelId: pair[0] }),
    b: await loadSide(selections[1], storage, { id, modelId: pair[1] }),
    ...(index >= 0 && { index }),
    total: listed.length,
    ...(previousId !== undefined && { previousId }),
    ...(nextId !== undefined && { nextId }),
  }
}
