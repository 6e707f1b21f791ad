import { InputError, messageOf, passMarkOfMethod } from '../../contract/index.ts'
import { readTrajectoryKey } from '../../import/trajectories/index.ts'
import { redactSecrets } from '../../report/sharing/redact-secrets.ts'
import { drawRandom } from '../../runner/index.ts'
import { judgeAnswer } from '../../scoring/llm-judge.ts'
import {
  describeForJudge,
  gradeAsJudged,
  gradedOf,
  isCrashed,
  type GradedTrajectory,
  type Trajectory,
} from '../../scoring/tool-calls/index.ts'
import { requestDirectly, systemClock } from '../../services/index.ts'
import { composeApp, type AppOptions } from '../compose.ts'
import { listenForCancel } from '../output/end-signals.ts'
import { printWarnings } from '../output/notice.ts'
import type { Terminal } from '../output/terminal.ts'

const AT_ONCE = 5

/** Has a judge grade each run whole. What is sent has its keys, home folders and the like taken out. */
export async function judgeRuns(
  read: readonly Trajectory[],
  judge: string,
  { key, ...options }: AppOptions & { key?: string },
  terminal: Terminal,
): Promise<GradedTrajectory[]> {
  const tasks = key === undefined ? undefined : await readTrajectoryKey(key)
  const app = await composeApp({ ...options, warn: (warning) => printWarnings([warning], terminal) })
  const { signal, stop } = listenForCancel(terminal, 'Stopping; grades that were given are lost.')
  try {
    app.clientFor(judge).checkModel?.(judge)
    const tools = { clock: systemClock, random: drawRandom, pacing: await app.pacing() }
    const judging = { judgeModelIds: [judge], callModel: requestDirectly(app.clientFor, tools, signal) }
    const judgeOne = async (trajectory: Trajectory): Promise<GradedTrajectory> => {
      const own = trajectory.task === null ? undefined : tasks?.get(trajectory.task)
      if (isCrashed(trajectory)) return gradedOf(trajectory, gradeAsJudged(trajectory, { unscored: '' }))
      const { value } = redactSecrets(describeForJudge(trajectory, own ?? trajectory.expected))
      try {
        const { score, notes = '', judges } = await judgeAnswer(value, judging, drawRandom)
        const reasoning = judges?.[0]?.reasoning ?? notes
        return gradedOf(
          trajectory,
          gradeAsJudged(trajectory, { score, reasoning, passAt: passMarkOfMethod('llm-judge') }),
        )
      } catch (error) {
        if (signal.aborted) throw new InputError('cancelled')
        return gradedOf(trajectory, gradeAsJudged(trajectory, { unscored: messageOf(error) }))
      }
    }
    const graded: GradedTrajectory[] = []
    for (let start = 0; start < read.length; start += AT_ONCE)
      graded.push(...(await Promise.all(read.slice(start, start + AT_ONCE).map(judgeOne))))
    return graded
  } finally {
    await app.close()
    stop()
  }
}
