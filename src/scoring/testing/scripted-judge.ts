import type { CallModel, ModelRequest } from '../../contract/index.ts'

/** A judge that gives these answers in turn, and records its requests. */
export function scriptedJudge(...answers: (string | Error)[]) {
  const requests: ModelRequest[] = []
  const callModel: CallModel = async (request) => {
    requests.push(request)
    const answer = answers[Math.min(requests.length, answers.length) - 1]!
    if (answer instanceof Error) throw answer
    return { outcome: 'ok', response: answer, latencyMs: 1 }
  }
  return { callModel, requests }
}
