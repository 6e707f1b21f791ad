import { Loaded } from '../ui/Loaded.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { Undo2 } from 'lucide-react'
import { useState } from 'react'
import { formatCount } from '../../report/words/index.ts'
import type { AnswerPairView } from '../../server/comparing/pairs.ts'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { resultsAddress } from '../results/addresses.ts'
import { usePageKeys } from '../ui/keys.ts'
import { Link, type ScreenProps } from '../router.tsx'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button, buttonClass } from '../ui/Button.tsx'
import { TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { EmptyState } from '../ui/Notice.tsx'
import { Page, Panel } from '../ui/Page.tsx'
import { toast } from '../ui/toast.ts'
import { describeVote } from '../../report/words/code-arena.ts'
import { choiceOfKey, pairChoices, type PairChoice } from './vote-keys.ts'

type Pair = NonNullable<AnswerPairView['pair']>

const VOTER_KEY = 'benchmaker-voter'

function AnswerSide({ side, text }: { side: 'A' | 'B'; text: string }) {
  return (
    <section aria-label={`Answer ${side}`} className="flex min-w-0 flex-col gap-1">
      <h2 className="text-[13px] font-semibold text-muted">{side}</h2>
      <Panel>
        <div
          className="max-h-[50vh] overflow-auto p-3 break-words whitespace-pre-wrap"
          tabIndex={0}
          role="group"
          aria-label={`Text of answer ${side}`}
        >
          {text}
        </div>
      </Panel>
    </section>
  )
}

interface LastVote {
  pairId: string
  sentence: string
}

/** One pair; its vote leads to the next at once, and can be undone there. */
function OnePair({
  pair,
  remaining,
  total,
  onNext,
}: AnswerPairView & { pair: Pair; onNext: (last?: LastVote) => void }) {
  const queries = useQueryClient()
  const vote = useSingleMutation({
    mutationFn: (choice: PairChoice) =>
      readReply(api.pairwise.votes.$post({ json: { pairId: pair.pairId, choice } })).then((models) => ({
        pairId: pair.pairId,
        sentence: describeVote({ ...models, choice }),
      })),
    onSuccess: (last) => {
      void queries.invalidateQueries({ queryKey: ['results'] })
      onNext(last)
    },
    onError: (error) => toast(`Not counted: ${error.message}`),
  })
  usePageKeys((key) => {
    const choice = choiceOfKey(key)
    if (!choice || vote.isPending) return false
    vote.mutate(choice)
    return true
  })
  return (
    <>
      <Panel className="p-3">
        <div
          className="max-h-40 overflow-auto break-words whitespace-pre-wrap"
          tabIndex={0}
          role="region"
          aria-label="Task"
        >
          {pair.prompt}
        </div>
      </Panel>
      <div className="grid grid-cols-[minmax(0,1fr)] gap-4 lg:grid-cols-2">
        <AnswerSide side="A" text={pair.left} />
        <AnswerSide side="B" text={pair.right} />
      </div>
      <div className="sticky bottom-0 z-20 -mx-4 flex flex-col items-center gap-2 border-t border-line bg-surface px-4 py-3 md:-mx-6 md:px-6">
        <div role="group" aria-label="Your vote" className="flex flex-wrap justify-center gap-2">
          {pairChoices.map(({ choice, label, key }) => (
            <Button key={choice} disabled={vote.isPending} onClick={() => vote.mutate(choice)} aria-keyshortcuts={key}>
              {label}{' '}
              <kbd aria-hidden className="rounded border border-line px-1 text-xs text-muted">
                {key}
              </kbd>
            </Button>
          ))}
        </div>
        <div className="text-xs text-muted">
          {formatCount(total - remaining)} of {formatCount(total, 'pair')} compared
        </div>
      </div>
    </>
  )
}

function Undo({ last, onUndone }: { last: LastVote; onUndone: () => void }) {
  const undo = useMutation({
    mutationFn: () => readReply(api.pairwise.votes[':pairId'].$delete({ param: { pairId: last.pairId } })),
    onSuccess: onUndone,
    onError: (error) => toast(error.message),
  })
  return (
    <p role="status" className="flex flex-wrap items-center gap-2 text-muted">
      {last.sentence}
      <Button kind="quiet" disabled={undo.isPending} onClick={() => undo.mutate()}>
        <Undo2 size={14} aria-hidden />
        Undo
      </Button>
    </p>
  )
}

function Voting({ runId, voter }: { runId: string; voter: string }) {
  const [number, setNumber] = useState(1)
  const [last, setLast] = useState<LastVote>()
  const next = (vote?: LastVote) => {
    setLast(vote)
    setNumber(number + 1)
  }
  const drawn = useQuery({
    queryKey: ['pairwise', runId, voter, number],
    queryFn: () => readReply(api.pairwise[':runId'].pair.$get({ param: { runId }, query: { voter } })),
    // Pairs are random: a refetch would replace the one on screen.
    staleTime: Infinity,
    gcTime: 0,
    refetchOnWindowFocus: false,
    refetchOnReconnect: false,
  })
  return (
    <>
      {last && <Undo last={last} onUndone={() => next()} />}
      <Loaded query={drawn} what="the pair" rows={8}>
        {({ pair, ...counts }) =>
          pair ? (
            <OnePair key={pair.pairId} {...counts} pair={pair} onNext={next} />
          ) : (
            <EmptyState
              title={counts.total === 0 ? 'There is nothing to compare.' : 'You have compared every pair.'}
              action={
                <Link to={resultsAddress(runId)} className={buttonClass('primary')}>
                  View the results
                </Link>
              }
            >
              {counts.total === 0
                ? 'People compare the answers to cases with scoringMethod pairwise and comparedBy people.'
                : 'The scores and the ranking include your votes.'}
            </EmptyState>
          )
        }
      </Loaded>
    </>
  )
}

/** Two anonymous answers to the same task at a time; the votes score the run. */
export function VoteOnAnswers({ params }: ScreenProps) {
  const runId = params['runId'] ?? ''
  const [voter, setVoter] = useState(() => window.localStorage.getItem(VOTER_KEY) ?? '')
  const [typed, setTyped] = useState(voter)
  return (
    <Page title="Compare answers" subtitle="Which answer is better? Whose it is shows after your vote.">
      {voter === '' ? (
        <Form
          className="flex flex-wrap items-end gap-2"
          onSubmit={() => {
            const name = typed.trim()
            if (name === '') return
            window.localStorage.setItem(VOTER_KEY, name)
            setVoter(name)
          }}
        >
          <TextField label="Your name" className="w-64" value={typed} onChange={setTyped} />
          <Button kind="primary" type="submit" disabled={typed.trim() === ''}>
            Start
          </Button>
          <p className="w-full text-xs text-muted">
            Votes are kept under it, so that several people can compare the same answers.
          </p>
        </Form>
      ) : (
        <>
          <p className="text-xs text-muted">
            Votes of {voter}.{' '}
            <button type="button" className="text-accent-ink hover:underline" onClick={() => setVoter('')}>
              Not you?
            </button>
          </p>
          <Voting key={voter} runId={runId} voter={voter} />
        </>
      )}
    </Page>
  )
}
