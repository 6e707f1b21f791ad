import { decidingOf, runLimits, type RunRequest } from '../../contract/index.ts'

/** What prevents a request from deciding anything, one sentence each. */
export function findDecidingProblems(request: RunRequest, contestants: number): string[] {
  const { decide, orderSeed } = request
  if (!decidingOf(request)) {
    const useless = [decide && `--decide ${decide}`, orderSeed !== undefined && '--order-seed'].filter(Boolean)
    return useless.map((option) => `${option} needs --until decided or --screen`)
  }
  if (contestants < 2) return ['there is nothing to decide with one model; name at least two']
  if (contestants > runLimits.decidedModels)
    return [
      `at most ${runLimits.decidedModels} models can be decided between; leave out --until and --screen, or models`,
    ]
  return []
}
