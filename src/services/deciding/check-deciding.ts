import { decidingOf, runLimits, type RunRequest } from '../../contract/index.ts'

/** What prevents a request from deciding anything, one sentence each. */
export function findDecidingProblems(
  request: RunRequest,
  { contestants, isPairwise }: { contestants: number; isPairwise: boolean },
): string[] {
  const { decide, orderSeed } = request
  if (!decidingOf(request)) {
    const useless = [decide && `--decide ${decide}`, orderSeed !== undefined && '--order-seed'].filter(Boolean)
    return useless.map((option) => `${option} needs --until decided or --screen`)
  }
  if (request.batch)
    return ['--until decided and --screen send case after case, --batch all at once; choose one of them']
  if (isPairwise) return ['answers that are compared in pairs cannot be decided early; leave out --until and --screen']
  if (contestants < 2) return ['there is nothing to decide with one model; name at least two']
  if (contestants > runLimits.decidedModels)
    return [
      `at most ${runLimits.decidedModels} models can be decided between; leave out --until and --screen, or models`,
    ]
  return []
}
