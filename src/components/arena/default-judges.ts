import { isSimulated } from '../../report/words/models.ts'

/** The simulated judge is chosen only where nothing real could be graded by it unnoticed. */
export function defaultJudgesFor(
  models: readonly string[],
  app: { isDemoOnly: boolean; defaultJudge: string } | undefined,
): string[] {
  return app?.isDemoOnly && models.every(isSimulated) ? [app.defaultJudge] : []
}
