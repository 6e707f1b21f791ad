import type { TurnGrades } from '../../../report/tables/arena-pages.ts'
import type { ArenaTurn, ArenaTurns } from '../../../server/code-arena/arena-turns.ts'

/** One turn of the conversation that a run is part of. */
export interface TurnStep {
  /** From 1. */
  turn: number
  prompt: string
  /** Undefined if the run was deleted. */
  run?: ArenaTurn
  /** All runs of this turn that continue the same run, first to last; more than one if it was continued twice. */
  versions: ArenaTurn[]
  isShown: boolean
}

function childrenOf(turns: readonly ArenaTurn[], runId: string | undefined): ArenaTurn[] {
  return turns.filter(({ follows }) => follows === runId)
}

/**
 * The turns from the first to the last, through the run that is shown: those that led to it, and of what follows it the
 * newest.
 */
export function listSteps({ turns, earlier }: ArenaTurns, shownId: string): TurnStep[] {
  const shown = turns.find(({ runId }) => runId === shownId)
  if (!shown) return []
  const before = earlier.map(({ runId, prompt }, index): TurnStep => {
    const run = turns.find((turn) => turn.runId === runId)
    const versions = run ? childrenOf(turns, run.follows).filter(({ turn }) => turn === index + 1) : []
    return { turn: index + 1, prompt, versions, isShown: false, ...(run && { run }) }
  })
  const steps: TurnStep[] = [
    ...before,
    {
      turn: shown.turn,
      prompt: shown.prompt,
      run: shown,
      versions: shown.follows === undefined ? [shown] : childrenOf(turns, shown.follows),
      isShown: true,
    },
  ]
  for (let versions = childrenOf(turns, shownId); versions.length > 0;) {
    const run = versions.at(-1)!
    steps.push({ turn: run.turn, prompt: run.prompt, run, versions, isShown: false })
    versions = childrenOf(turns, run.runId)
  }
  return steps
}

export function listGrades(steps: readonly TurnStep[]): TurnGrades[] {
  const models = [...new Set(steps.flatMap(({ run }) => run?.models.map(({ modelId }) => modelId) ?? []))]
  return models.map((modelId) => ({
    modelId,
    scores: steps.map(({ run }) => run?.models.find((model) => model.modelId === modelId)?.score),
  }))
}

/**
 * What some models were not sent of their earlier turns, one line each. While names are hidden the reason is left out: a
 * provider's message often names the model.
 */
export function listGapLines(run: ArenaTurn | undefined, nameOf: (modelId: string) => string): string[] {
  return (
    run?.models.flatMap(({ modelId, gaps }) => {
      const name = nameOf(modelId)
      return gaps.map((gap) => `${name}: ${name === modelId ? gap : gap.split(':')[0]}`)
    }) ?? []
  )
}
