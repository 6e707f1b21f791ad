import { isDeepStrictEqual } from 'node:util'
import { hasPassed, readPassMarks, type ModelParameters, type PlaygroundEdit } from '../../contract/index.ts'
import { compileSuite, hasQuestion, isJudged, scorers, type Question } from '../../scoring/index.ts'
import { findWrittenCase, requestOf, suggestVariantName } from '../../services/index.ts'
import { titleOf } from '../results/cases/case-facts.ts'
import type { Playground, StoredSuite } from './load-playground.ts'

/** GET /api/playground/:runId?case=&model= */
export interface PlaygroundStart {
  suiteName: string
  /** The model without its variant. */
  modelId: string
  variant?: string
  /** The question is the variant's, not the case's. */
  isAskedByVariant: boolean
  /** Absent if it is too long to edit in a page; it can still be run again. */
  question?: Question
  /** The variables of the case, where the question still has their names; otherwise they are filled already. */
  vars: NonNullable<PlaygroundEdit['vars']>
  hasTemplate: boolean
  systemPrompt?: string
  parameters: ModelParameters
  judgeModelIds: string[]
  needsJudge: boolean
  /** The cases that can be run, with the contestant's score; only the first ones of a very large suite. */
  cases: { id: string; title: string; score?: number; passed?: boolean }[]
  /** All cases of the run. */
  total: number
  saving: PlaygroundSaving
}

/** Where a change can be kept; sentences say why not. */
interface PlaygroundSaving {
  suiteId?: string
  version?: number
  /** Why neither is possible. */
  problem?: string
  caseProblem?: string
  /** What saving the case would replace. */
  caseWarning?: string
  variantName: string
}

/** Longer texts make a text field unusable. */
const MAX_EDITABLE = 1_000_000
const MAX_LISTED = 5_000
const MAX_TITLE = 100

function savingOf({ run, editable }: Playground, stored: StoredSuite | undefined): PlaygroundSaving {
  if (!stored)
    return {
      problem:
        run.request?.suiteVersion === undefined
          ? 'This suite is not stored here: it was run from a file or imported.'
          : 'The suite has been deleted since this run.',
      variantName: '',
    }
  const { id: suiteId, version, suite } = stored
  const now = findWrittenCase(suite, editable.testCase.id)
  const isChanged = now !== undefined && editable.written !== undefined && !isDeepStrictEqual(now, editable.written)
  return {
    suiteId,
    version,
    ...(!now && { caseProblem: 'The stored suite no longer has this case.' }),
    ...((isChanged || (now && !editable.written)) && {
      caseWarning: `Version ${version} of the suite has changed this case since the run. Saving replaces that.`,
    }),
    variantName: suggestVariantName(suite),
  }
}

function lengthOf(question: Question): number {
  return JSON.stringify(question).length
}

function listPlayableCases({ run, editable: { suite, contestant } }: Playground): PlaygroundStart['cases'] {
  const markOf = readPassMarks(suite)
  const own = new Map(
    run.results.flatMap(({ testCaseId, modelId, score }) =>
      modelId === contestant.id && score ? [[testCaseId, score] as const] : [],
    ),
  )
  return suite.testCases.slice(0, MAX_LISTED).map((testCase) => {
    const score = own.get(testCase.id)
    return {
      id: testCase.id,
      title: titleOf(testCase, MAX_TITLE),
      ...(score && { score: score.score, passed: hasPassed(score, markOf(testCase.id)) }),
    }
  })
}

/** What can be changed about a stored answer, and where the change can be kept. */
export function startOf(playground: Playground, stored: StoredSuite | undefined): PlaygroundStart {
  const { run, editable } = playground
  const { suite, contestant, testCase, written, question } = editable
  const { modelId, variant, systemPrompt, parameters } = contestant
  const { judgeModelIds } = requestOf(run)
  const isAskedByVariant = variant !== undefined && hasQuestion(variant)
  return {
    suiteName: suite.name,
    modelId,
    ...(variant && { variant: variant.name }),
    isAskedByVariant,
    ...(lengthOf(question) <= MAX_EDITABLE && { question }),
    vars: Object.entries(testCase.vars ?? {}).map(([name, value]) => ({ name, value })),
    hasTemplate: written !== undefined || isAskedByVariant,
    ...(systemPrompt !== undefined && { systemPrompt }),
    parameters,
    judgeModelIds,
    needsJudge: compileSuite({ ...suite, testCases: [testCase] }, scorers).some(isJudged),
    cases: listPlayableCases(playground),
    total: suite.testCases.length,
    saving: savingOf(playground, stored),
  }
}
