import {
  hasPassed,
  isConversation,
  readPassMark,
  type CellKey,
  type CellResult,
  type HumanRating,
  type PassMark,
  type RunKind,
  type ScoreTable,
  type Storage,
  type StoredCell,
  type TestCase,
  type ToolCall,
} from '../../../contract/index.ts'
import { listCases } from '../../../report/model/cases.ts'
import { hasQuestion } from '../../../scoring/index.ts'
import { makePrintable } from '../../../scoring/tool-calls/index.ts'
import { notFound } from '../../http/refusal.ts'
import { cutText, fitText, fitTexts } from '../fit-texts.ts'
import type { LoadedSelection } from '../selection/load-selection.ts'
import { shortenId } from '../selection/resolve-selection.ts'
import { findMatching } from './case-page.ts'
import type { CaseFilter } from './case-query.ts'
import { createPauses } from '../selection/pauses.ts'

/** GET /api/results/:selection/case?id= */
export interface CaseDetail {
  id: string
  /** Of the last run. */
  kind?: RunKind
  testCase?: TestCase
  /** The prompt or the messages, as text. */
  prompt?: string
  /** True if a variant asks its own question; `prompt` then has the question of each. */
  isAskedByVariant: boolean
  expectedOutput?: string
  /** What an answer must reach to pass. */
  passMark: PassMark
  /** Its place in the list that the filters and the sort make. */
  index: number
  total: number
  /** True while answers may still arrive. */
  isLive: boolean
  /** The run in which its conversations go on. */
  heldIn?: string
  previousId?: string
  nextId?: string
  models: { modelId: string; answers: AnswerDetail[] }[]
}

export interface AnswerDetail {
  runId: string
  runNumber: number
  /**
   * `response` is cut at 100,000 characters; `responseLength` is its full length. The full text:
   * GET /api/results/:selection/answer?id=&model=&run=
   */
  result: CellResult
  /** Whether it passed; absent without a score. */
  passed?: boolean
  responseLength: number
  reasoning?: string
  finishReason?: string
  /** The answer is a conversation with tools: GET /api/runs/:id/conversation */
  isConversation?: boolean
  rating?: HumanRating
}

const MAX_RESPONSE_LENGTH = 100_000

/** Bytes for each part of a reply, which is limited to a megabyte. */
const ROOM_FOR_ANSWERS = 620_000
const ROOM_FOR_CASE = 150_000
const ROOM_FOR_TEXTS = 75_000
const ROOM_FOR_CALLS = 40_000

/** Calls that are too large even with their texts cut are shown as the start of their JSON. */
function fitCalls(toolCalls: ToolCall[]): ToolCall[] {
  const calls = toolCalls.map((call) => ({ name: call.name, arguments: makePrintable(call.arguments) }))
  const fitted = fitTexts(calls, ROOM_FOR_CALLS)
  if (fitted) return fitted
  const shown = calls.slice(0, 100)
  return shown.map((call) => ({
    name: cutText(call.name, 200),
    arguments: cutText(JSON.stringify(call.arguments) ?? '', ROOM_FOR_CALLS / 6 / shown.length),
  }))
}

function hasRating(rating: HumanRating | undefined): rating is HumanRating {
  return rating?.rating !== undefined || rating?.note !== undefined
}

/** Undefined for a cell that has not been asked yet. */
function toAnswerDetail(
  { result, answer }: StoredCell,
  run: { runId: string; runNumber: number },
): AnswerDetail | undefined {
  const { response = answer?.response ?? '', toolCalls, rating } = result
  if (!answer && !result.score && !result.unscored && result.error === undefined) return undefined
  return {
    ...run,
    result: {
      ...result,
      ...((result.response !== undefined || answer) && { response: cutText(response, MAX_RESPONSE_LENGTH) }),
      ...(toolCalls && { toolCalls: fitCalls(toolCalls) }),
    },
    responseLength: response.length,
    ...(answer?.reasoning !== undefined && { reasoning: cutText(answer.reasoning, MAX_RESPONSE_LENGTH) }),
    ...(answer?.finishReason !== undefined && { finishReason: answer.finishReason }),
    ...(hasRating(rating) && { rating }),
  }
}

/** Whether a cell passed; undefined if it has no score. */
function findPassed(
  { runs, caseIds, modelIds, cells }: ScoreTable,
  { runId, testCaseId, modelId }: CellKey,
): boolean | undefined {
  const [run, caseIndex, model] = [
    runs.findIndex(({ id }) => id === runId),
    caseIds.indexOf(testCaseId),
    modelIds.indexOf(modelId),
  ]
  const cell = cells.case.findIndex(
    (index, position) => index === caseIndex && cells.model[position] === model && cells.run[position] === run,
  )
  return cell < 0 || Number.isNaN(cells.score[cell]) ? undefined : cells.passed[cell] === 1
}

/** The answers of the given models to a case. */
export async function loadAnswers(
  selection: LoadedSelection,
  storage: Storage,
  {
    id: testCaseId,
    passMark,
    modelIds,
    room = ROOM_FOR_ANSWERS,
  }: { id: string; passMark: PassMark; modelIds: readonly string[]; room?: number },
): Promise<CaseDetail['models']> {
  const models = modelIds.map((modelId) => ({ modelId, answers: new Array<AnswerDetail>() }))
  const testCase = selection.suite?.testCases.find(({ id }) => id === testCaseId)
  const isHeld = selection.suite !== undefined && testCase !== undefined && isConversation(selection.suite, testCase)
  const pauses = createPauses()
  for (const { modelId, answers } of models)
    for (const [index, runId] of selection.ids.entries()) {
      const cell = await storage.loadCell({ runId, testCaseId, modelId })
      const answer = cell && toAnswerDetail(cell, { runId, runNumber: index + 1 })
      const score = cell?.result.score
      // In its own run the case may have had another mark. A cell scored just now is not in the table yet.
      const passed =
        score && (findPassed(selection.scores, { runId, testCaseId, modelId }) ?? hasPassed(score, passMark))
      if (answer)
        answers.push({
          ...answer,
          ...(passed !== undefined && { passed }),
          ...(isHeld && { isConversation: true }),
        })
      if (pauses.isDue()) await pauses.take()
    }
  return fitTexts(models, room) ?? models.map(({ modelId }) => ({ modelId, answers: [] }))
}

/** What a case asks and expects, cut to fit into a reply. */
export function loadCaseTexts(
  { suite, scores: { runs } }: Pick<LoadedSelection, 'suite' | 'scores'>,
  id: string,
): Pick<CaseDetail, 'kind' | 'testCase' | 'prompt' | 'expectedOutput' | 'passMark'> {
  const fullCase = suite?.testCases.find((testCase) => testCase.id === id)
  const [described] = fullCase && suite ? listCases([], { ...suite, testCases: [fullCase] }, []) : []
  const testCase = fullCase && fitTexts(fullCase, ROOM_FOR_CASE)
  const kind = runs.at(-1)?.kind
  return {
    ...(kind && { kind }),
    ...(testCase && { testCase }),
    ...(described?.prompt !== undefined && { prompt: fitText(described.prompt, ROOM_FOR_TEXTS) }),
    ...(described?.expectedOutput !== undefined && {
      expectedOutput: fitText(described.expectedOutput, ROOM_FOR_TEXTS),
    }),
    passMark: fullCase ? readPassMark(fullCase, suite?.passAt) : 1,
  }
}

/** Everything about one case: all models and repeats, always in less than a megabyte. */
export async function createCaseDetail(
  selection: LoadedSelection,
  { storage, isLive, id, query }: { storage: Storage; isLive: boolean; id: string; query: CaseFilter },
): Promise<CaseDetail> {
  const { scores, suite } = selection
  const inSuite = scores.caseIds.indexOf(id)
  if (inSuite < 0) throw notFound(`Case ${shortenId(id)}`)
  const { rows } = await selection.results.standings
  const texts = loadCaseTexts(selection, id)
  const matching = await findMatching(selection, { storage, isLive, query })
  // A case that the filters hide can still be linked to: its neighbours are those of the suite.
  const list = matching.includes(inSuite) ? matching : [...scores.caseIds.keys()]
  const index = list.indexOf(inSuite)
  const [previousId, nextId] = [index - 1, index + 1].map((place) => scores.caseIds[list[place] ?? -1])
  return {
    id,
    ...texts,
    isAskedByVariant: suite?.variants?.some(hasQuestion) ?? false,
    index,
    total: list.length,
    isLive,
    ...(isLive &&
      texts.testCase &&
      suite &&
      isConversation(suite, texts.testCase) && { heldIn: selection.ids.at(-1)! }),
    ...(previousId !== undefined && { previousId }),
    ...(nextId !== undefined && { nextId }),
    models: await loadAnswers(selection, storage, {
      id,
      passMark: texts.passMark,
      modelIds: rows.map(({ modelId }) => modelId),
    }),
  }
}
