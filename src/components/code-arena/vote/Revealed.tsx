import type { VoteResult } from '../../../server/code-arena/arena-pairs.ts'
import { ModelName } from '../../ui/ModelName.tsx'
import { describeVote } from './vote-choices.ts'

function Side({ side, modelId }: { side: string; modelId: string }) {
  return (
    <span className="flex min-w-0 items-center gap-2">
      <span className="font-semibold">{side}</span>
      <ModelName id={modelId} />
    </span>
  )
}

/** Shows which model made which page. */
export function Revealed({ result }: { result: VoteResult }) {
  return (
    <div role="status" className="flex min-w-0 flex-col gap-1">
      <div className="flex min-w-0 flex-wrap gap-x-6">
        <Side side="A" modelId={result.left} />
        <Side side="B" modelId={result.right} />
      </div>
      <div className="text-muted">{describeVote(result)}</div>
    </div>
  )
}
