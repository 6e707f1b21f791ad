import { forRunners } from '../../access/for-runners.tsx'
import { Eye, Undo2 } from 'lucide-react'
import { useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { usePageKeys } from '../../ui/keys.ts'
import { Link } from '../../router.tsx'
import { Button, buttonClass } from '../../ui/Button.tsx'
import { classes } from '../../ui/classes.ts'
import { choicesOfBest, choicesOfPair, type VoteChoice } from './vote-choices.ts'
import { describeVotes } from '../../../report/words/code-arena.ts'
import type { BallotPage } from './ballot.ts'
import type { OpenBallot } from './use-ballot.ts'

/** One pair after another, or the best of all at once. */
type VoteQuestion = 'pair' | 'best'

interface VoteBarProps {
  ballot: OpenBallot
  question: VoteQuestion
  onQuestion: (question: VoteQuestion) => void
  /** The only page on the screen: another one cannot be the best of what is seen. */
  shownAlone: BallotPage | undefined
}

function Choices({
  choices,
  isDisabled,
  onChoose,
}: {
  choices: VoteChoice[]
  isDisabled: boolean
  onChoose: (choice: VoteChoice) => void
}) {
  return (
    <div
      role="group"
      aria-label="Your vote"
      className={classes(
        'grid gap-2 sm:flex sm:flex-wrap sm:justify-center',
        choices.length === 3 ? 'grid-cols-3' : 'grid-cols-2',
      )}
    >
      {choices.map((choice) => (
        <Button
          key={choice.key}
          disabled={isDisabled}
          onClick={() => onChoose(choice)}
          aria-keyshortcuts={choice.key}
          title={`Key ${choice.key}, while the focus is outside the pages`}
        >
          {choice.label}{' '}
          <kbd aria-hidden className="rounded border border-line px-1 text-xs text-muted max-sm:hidden">
            {choice.key}
          </kbd>
        </Button>
      ))}
    </div>
  )
}

function UndoButton({ ballot: { undo, canUndo } }: { ballot: OpenBallot }) {
  return (
    <Button kind="quiet" disabled={!canUndo} onClick={undo} aria-keyshortcuts="u" title="Takes your last vote back (U)">
      <Undo2 size={14} aria-hidden />
      Undo
    </Button>
  )
}

/** The votes that were cast, after the names are shown. */
function Cast({ ballot, status }: { ballot: OpenBallot; status: RefObject<HTMLDivElement | null> }) {
  const { votes, canUndo, open, isWritten } = ballot
  const canVote = isWritten && open.length > 0
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
      <div ref={status} tabIndex={-1} role="status" className="min-w-0 break-words outline-none">
        {votes.length === 0 ? 'You have seen the names without a vote.' : describeVotes(votes)}
      </div>
      <div className="flex flex-wrap gap-2">
        {canUndo && <UndoButton ballot={ballot} />}
        {canVote && (
          <Button kind="quiet" onClick={ballot.voteAnyway} title="Marked as not blind, because you have seen the names">
            {votes.length === 0 ? 'Vote anyway' : 'Vote on more pairs'}
          </Button>
        )}
        {votes.length > 0 && (
          <Link to="/code-arena?tab=vote" className={buttonClass()}>
            Next vote
          </Link>
        )}
      </div>
    </div>
  )
}

/** Focuses what stands in place of the pressed button, so that the keyboard does not start at the top again. */
function useFocusAfterVote(isAsking: boolean): RefObject<HTMLDivElement | null> {
  const status = useRef<HTMLDivElement>(null)
  const wasAsking = useRef(isAsking)
  useEffect(() => {
    if (wasAsking.current && !isAsking && document.activeElement === document.body)
      status.current?.focus({ preventScroll: true })
    wasAsking.current = isAsking
  }, [isAsking])
  return status
}

/** Below the pages: the vote, then what it was. */
function VoteBarForRunners({ ballot, question, onQuestion, shownAlone }: VoteBarProps) {
  const { areNamesShown, isAsking, isWritten, open, pages, pairCount, isBusy, votes } = ballot
  const isPair = question === 'pair'
  const all = !isAsking ? [] : isPair ? choicesOfPair(open[0]!) : choicesOfBest(ballot)
  const choices = all.filter(({ letter }) => !letter || !shownAlone || letter === shownAlone.letter)
  const status = useFocusAfterVote(isAsking)
  const choose = (choice: VoteChoice) => ballot.cast(choice, { isLast: !isPair || open.length === 1 })
  usePageKeys((key) => {
    if (key === 'u' && ballot.canUndo) {
      ballot.undo()
      return true
    }
    const choice = choices.find((other) => other.key === key)
    if (!choice || isBusy) return false
    choose(choice)
    return true
  })
  if (areNamesShown && !isAsking)
    return votes.length === 0 && (!isWritten || open.length === 0) ? null : (
      <Frame>
        <Cast ballot={ballot} status={status} />
      </Frame>
    )
  return (
    <Frame>
      <div className="flex flex-wrap items-center justify-center gap-x-4 gap-y-2">
        {isAsking ? (
          <Choices choices={choices} isDisabled={isBusy} onChoose={choose} />
        ) : (
          <span className="text-muted">
            {isWritten ? 'There are no two pages to vote on.' : 'You can vote once all pages are written.'}
          </span>
        )}
        <div className="flex flex-wrap items-center justify-center gap-x-1 text-muted">
          {isAsking && isPair && pairCount > 1 && (
            <span role="status" className="px-1 tabular-nums">
              Pair {pairCount - open.length + 1} of {pairCount}
            </span>
          )}
          {isAsking && pages.length > 2 && (
            <Button kind="quiet" onClick={() => onQuestion(isPair ? 'best' : 'pair')}>
              {isPair ? 'Mark the best' : 'Vote in pairs'}
            </Button>
          )}
          {ballot.canUndo && <UndoButton ballot={ballot} />}
          {!areNamesShown && (
            <Button kind="quiet" onClick={ballot.showNames}>
              <Eye size={14} aria-hidden />
              {votes.length === 0 ? 'Show names without voting' : 'Show names'}
            </Button>
          )}
          {areNamesShown && <span className="px-1">This vote is marked as not blind.</span>}
        </div>
      </div>
    </Frame>
  )
}

function Frame({ children }: { children: ReactNode }) {
  return <div className="sticky bottom-0 z-20 border-t border-line bg-surface px-4 py-2 md:px-6">{children}</div>
}

export const VoteBar = forRunners(VoteBarForRunners)
