import type { RunResult, Suite } from '../../../contract/index.ts'
import { writeExpected } from '../../../scoring/index.ts'
import { countMessages } from '../messages.ts'
import { isBroken } from '../../words/verdicts/failures/everything-fails.ts'
import type { Report } from '../report.ts'

type BrokenReasonKind = 'error' | 'says-more' | 'cut-off' | 'empty' | 'shifted' | 'other-case'

export interface BrokenReason {
  kind: BrokenReasonKind
  /** How many answers it explains. */
  answers: number
  /** The message of the errors. */
  message?: string
  /** One of them. */
  example?: { caseId: string; expected?: string; got: string }
}

/** Why nothing passed. */
export interface BrokenReasons {
  /** That were run: what was stopped before says nothing. */
  cells: number
  /** Most answers first. */
  reasons: BrokenReason[]
}

const MAX_REASONS = 4
/** The last runs say enough, and their texts fit into memory. */
export const LAST_RUNS = 3

/** What explains less than this share of the answers explains nothing. */
const LEAST_SHARE = 0.02

const foldReason = (text: string) => text.normalize('NFKC').replaceAll(/\s+/g, ' ').trim()

/**
 * The likely reasons why a run has no answer that passed, most answers first; each answer counts once. `expectedOf` has
 * the expected output of each case, in the order of the suite.
 */
export function listBrokenReasons(
  runs: readonly RunResult[],
  expectedOf: ReadonlyMap<string, string | undefined>,
): BrokenReason[] {
  const ids = [...expectedOf.keys()]
  const nextOf = new Map(ids.map((id, index) => [id, [ids[index + 1], ids[index - 1]]]))
  const reasons = new Map<BrokenReasonKind, BrokenReason>()
  for (const { testCaseId: caseId, response, outcome, error } of runs.flatMap(({ results }) => results)) {
    if (error !== undefined || response === undefined) continue
    // A pattern for the whole answer stands for its text.
    const [got, expected] = [foldReason(response), foldReason(expectedOf.get(caseId) ?? '').replaceAll(/^\^|\$$/g, '')]
    const isNeighbour = (nextOf.get(caseId) ?? []).some((id) => {
      const other = id === undefined ? '' : foldReason(expectedOf.get(id) ?? '')
      return other !== '' && other !== expected && other === got
    })
    const kind =
      got === ''
        ? 'empty'
        : expected !== '' && got.includes(expected) && got !== expected
          ? 'says-more'
          : expected !== '' && got !== expected && got.toLowerCase() === expected.toLowerCase()
            ? 'other-case'
            : outcome === 'truncated'
              ? 'cut-off'
              : isNeighbour
                ? 'shifted'
                : undefined
    if (!kind) continue
    const reason = reasons.get(kind) ?? {
      kind,
      answers: 0,
      example: { caseId, ...(expected !== '' && { expected }), got },
    }
    reason.answers++
    reasons.set(kind, reason)
  }
  const messages = new Map<string, number>()
  for (const own of countMessages(runs).values())
    for (const { text, times } of own) messages.set(text, (messages.get(text) ?? 0) + times)
  const errors = Array.from(messages, ([message, answers]): BrokenReason => ({ kind: 'error', answers, message }))
  const least = LEAST_SHARE * runs.reduce((sum, { results }) => sum + results.length, 0)
  return [...errors, ...reasons.values()]
    .filter(({ answers }) => answers >= least)
    .toSorted((a, b) => b.answers - a.answers)
    .slice(0, MAX_REASONS)
}

/** What to show of a run or series without an answer that passed. */
export function explainBroken(runs: readonly RunResult[], suite: Suite | undefined): BrokenReasons {
  const last = runs.slice(-LAST_RUNS)
  const expectedOf = new Map((suite?.testCases ?? []).map((testCase) => [testCase.id, writeExpected(testCase)]))
  return {
    cells: last.reduce((sum, { results }) => sum + results.length, 0),
    reasons: listBrokenReasons(last, expectedOf),
  }
}

/** The same of a report; nothing if an answer passed. */
export function explainReport({ rows, runs, suite }: Pick<Report, 'rows' | 'runs' | 'suite'>) {
  return isBroken(rows) ? explainBroken(runs, suite) : undefined
}
