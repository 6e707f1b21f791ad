import { textOrJson } from '../../contract/index.ts'
import { formatCost, formatCount, formatDuration, formatScore } from '../../report/words/index.ts'
import { endWords } from '../../report/words/runs/outcomes.ts'
import { cellStates } from '../../report/words/runs/states.ts'
import type { HeldConversation as Held } from '../../server/runs/conversation.ts'
import { useAddress, type ScreenProps } from '../router.tsx'
import { Loaded } from '../ui/Loaded.tsx'
import { ModelName } from '../ui/names/ModelName.tsx'
import { BackLink, Page } from '../ui/Page.tsx'
import { Conversation } from './conversation/Conversation.tsx'
import { useConversation } from './use-conversation.ts'

/** What the calls of a conversation changed, in their order: the last ones, as far as there is room. */
export function WorldChanges({ changes, changed }: Pick<Held, 'changes' | 'changed'>) {
  const hidden = changed - changes.length
  return (
    <section aria-label="Changes of the world" className="min-w-0 rounded border border-line">
      <h2 className="border-b border-line px-3 py-2 text-[13px] font-medium">Changes of the world</h2>
      {changed === 0 && <p className="px-3 py-2 text-[13px] text-muted">Nothing was changed.</p>}
      {hidden > 0 && (
        <p className="border-b border-line px-3 py-2 text-[13px] text-muted">
          {formatCount(hidden, 'earlier change')} not shown.
        </p>
      )}
      {changes.length > 0 && (
        <ol
          aria-label="Changes"
          // Scrolls by itself, with the keyboard too: beside a long conversation it would be the longest part of the page.
          tabIndex={0}
          start={hidden + 1}
          className="max-h-[60vh] divide-y divide-line overflow-y-auto"
        >
          {changes.map(({ id, tool, edits }) => (
            <li key={id} className="min-w-0 px-3 py-2 text-[13px]">
              <span className="font-mono">{tool}</span>
              <ul className="mt-1 flex flex-col gap-0.5 font-mono text-xs break-all text-muted">
                {edits.map((edit) => (
                  <li key={`${edit.op} ${edit.path}`}>
                    {edit.path} {edit.op === 'remove' ? 'removed' : `→ ${textOrJson(edit.value)}`}
                  </li>
                ))}
              </ul>
            </li>
          ))}
        </ol>
      )}
    </section>
  )
}

/** What each check of the case said. */
function Checks({ score, unscored }: Pick<Held, 'score' | 'unscored'>) {
  if (unscored) return <p className="text-[13px]">Unscored: {unscored.message}</p>
  if (!score) return null
  const checks = score.checks ?? []
  return (
    <section aria-labelledby="checks" className="min-w-0 rounded border border-line">
      <h2 id="checks" className="flex justify-between border-b border-line px-3 py-2 text-[13px] font-medium">
        Score <span className="tabular-nums">{formatScore(score.score)}</span>
      </h2>
      <ul className="divide-y divide-line">
        {checks.map((check) => (
          <li
            key={`${check.scoringMethod} ${check.name ?? ''} ${check.notes ?? ''}`}
            className="min-w-0 px-3 py-2 text-[13px]"
          >
            <span className="flex justify-between gap-2">
              <span className="font-mono">{check.name ?? check.scoringMethod}</span>
              <span className="tabular-nums">{formatScore(check.score)}</span>
            </span>
            {check.notes !== undefined && <span className="break-words text-muted">{check.notes}</span>}
          </li>
        ))}
      </ul>
    </section>
  )
}

/** A conversation of a run, live or over: what was said and called, and what it changed. */
export function HeldConversation({ params }: ScreenProps) {
  const { runId = '' } = params
  const [address, changeAddress] = useAddress()
  const testCaseId = address.get('case') ?? ''
  const modelId = address.get('model') ?? ''
  const held = useConversation({ runId, testCaseId, modelId })
  const back = `/results/${encodeURIComponent(runId)}/case?id=${encodeURIComponent(testCaseId)}`
  return (
    <Loaded query={held} what="the conversation" page="Conversation" back={{ to: back, label: testCaseId }}>
      {({ trajectory, changes, changed, score, unscored, isOver, end }) => (
        <Page
          title={testCaseId}
          subtitle={
            <span className="flex min-w-0 flex-wrap gap-x-2" aria-live="polite">
              <ModelName id={modelId} />
              <span>{formatCount(trajectory.assistantTurns, 'answer')}</span>
              <span>{formatCount(trajectory.results, 'call')}</span>
              {trajectory.seconds !== null && <span>{formatDuration(trajectory.seconds * 1000)}</span>}
              {trajectory.cost !== null && <span>{formatCost(trajectory.cost)}</span>}
              <span>{end ? endWords[end] : isOver ? cellStates.error.word : cellStates.running.word}</span>
            </span>
          }
        >
          <BackLink to={back}>Case</BackLink>
          <div className="grid min-w-0 items-start gap-6 xl:grid-cols-[minmax(0,1fr)_360px]">
            <Conversation
              key={`${runId} ${testCaseId} ${modelId}`}
              trajectory={trajectory}
              step={address.get('step') ?? undefined}
              onStep={(step) => changeAddress({ step })}
            />
            <div className="flex min-w-0 flex-col gap-4 max-xl:order-first">
              <Checks {...(score && { score })} {...(unscored && { unscored })} />
              <WorldChanges changes={changes} changed={changed} />
            </div>
          </div>
        </Page>
      )}
    </Loaded>
  )
}
