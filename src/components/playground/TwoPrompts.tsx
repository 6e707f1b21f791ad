import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { z } from 'zod'
import type { PlaygroundPair } from '../../contract/index.ts'
import type { AnswerDetail } from '../../server/results/cases/case-detail.ts'
import { describeEstimatedCost, joinWords } from '../../report/words/index.ts'
import { capitalise } from '../../report/words/names.ts'
import { api } from '../api.ts'
import { problemsOf, readReply } from '../api-request.ts'
import { useLiveCell, useLiveView, type LiveView } from '../arena/live/use-live-run.ts'
import { useModels } from '../queries.ts'
import { Link } from '../router.tsx'
import { Button } from '../ui/Button.tsx'
import { TextArea } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { FailureNotice } from '../ui/Notice.tsx'
import { Page, Section } from '../ui/Page.tsx'
import { useKept } from '../ui/use-kept.ts'
import { useSettled } from '../ui/use-settled.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { AnswerPanel } from './AnswersSideBySide.tsx'
import { ModelField } from './ModelFields.tsx'

/** Waits for a pause in typing before it requests an estimate. */
const DELAY_MS = 300
const POLL_MS = 700

function useCost(pair: PlaygroundPair | undefined): string {
  const text = pair && JSON.stringify(pair)
  const settled = useSettled(text, DELAY_MS)
  const { data, error } = useQuery({
    queryKey: ['playgroundPair', settled],
    queryFn: () => readReply(api.playground.estimate.$post({ json: pair! })),
    enabled: settled !== undefined && settled === text,
    placeholderData: keepPreviousData,
    retry: false,
  })
  if (!pair) return 'Write two prompts.'
  const problems = [...(data?.problems ?? []), ...problemsOf(error)]
  if (problems.length > 0) return joinWords(problems)
  return data ? `${capitalise(describeEstimatedCost(data))}.` : ''
}

/** Nothing here is scored by design, which is not worth a notice beside each answer. */
function withoutNotice(answer: AnswerDetail): AnswerDetail {
  const { unscored: _byDesign, ...result } = answer.result
  return { ...answer, result }
}

const WAITING = 'Waiting for the answer…'

/** The answer as it arrives, or what its request is doing. */
function Waiting({ live, id, modelId }: { live: LiveView | undefined; id: string; modelId: string }) {
  const cell = useLiveCell(live?.connection.store, id, modelId)
  if (!cell || cell.state !== 'running') return WAITING
  const { tail = '', message } = cell
  return tail === '' ? (message ?? WAITING) : <span className="break-words">…{tail}</span>
}

/** What both prompts got for one input. */
function Answers({ runId, id, input }: { runId: string; id: string; input?: string | undefined }) {
  const { data } = useQuery({
    queryKey: ['caseDetail', runId, id, 'pair'],
    queryFn: () => readReply(api.cases[':selection'].case.$get({ param: { selection: runId }, query: { id } })),
    refetchInterval: ({ state }) =>
      state.data?.isLive === false && state.data.models.every(({ answers }) => answers.length > 0) ? false : POLL_MS,
    retry: false,
  })
  const live = useLiveView(data?.isLive === false ? undefined : runId)
  return (
    <div className="flex min-w-0 flex-col gap-2">
      {input !== undefined && <h3 className="truncate text-[13px] text-muted">{input}</h3>}
      <div className="grid min-w-0 gap-4 lg:grid-cols-2">
        {['A', 'B'].map((name) => {
          const model = data?.models.find(({ modelId }) => modelId.endsWith(`@${name}`))
          const [answer] = model?.answers ?? []
          return (
            <AnswerPanel
              key={name}
              title={`Answer to ${name}`}
              modelId={undefined}
              answer={answer && withoutNotice(answer)}
              empty={<Waiting live={live} id={id} modelId={model?.modelId ?? ''} />}
            />
          )
        })}
      </div>
    </div>
  )
}

/** As typed, with what was started last. */
const draftSchema = z.object({
  prompts: z.tuple([z.string(), z.string()]),
  inputText: z.string(),
  chosen: z.string().optional(),
  started: z
    .object({ runId: z.string(), cases: z.array(z.object({ id: z.string(), input: z.string().optional() })) })
    .optional(),
})

const emptyDraft: z.infer<typeof draftSchema> = { prompts: ['', ''], inputText: '' }

/** Two prompts for the same inputs, side by side. What it runs belongs to no suite, ranking or trend. */
export function TwoPrompts() {
  const models = useModels()
  const [{ prompts, inputText, chosen, started }, setDraft] = useKept('two-prompts', draftSchema, emptyDraft)
  const change = (changes: Partial<z.infer<typeof draftSchema>>) =>
    setDraft({ prompts, inputText, chosen, started, ...changes })
  const modelId = (chosen ?? models.data?.models[0]?.id ?? 'demo/good').trim()
  const inputs = inputText.split('\n').flatMap((line) => (line.trim() === '' ? [] : [line.trim()]))
  const isComplete = prompts.every((prompt) => prompt.trim() !== '') && modelId !== ''
  const pair = isComplete ? { prompts, inputs, modelId } : undefined
  const cost = useCost(pair)
  const start = useSingleMutation({
    mutationFn: async (sent: PlaygroundPair) => ({
      ...(await readReply(api.playground.pair.$post({ json: sent }))),
      cases: (sent.inputs.length === 0 ? [undefined] : sent.inputs).map((input, index) => ({
        id: `input-${index + 1}`,
        input,
      })),
    }),
    onSuccess: ({ runId, cases }) => change({ started: { runId, cases } }),
  })
  return (
    <Page title="Playground" subtitle="Two prompts, the same inputs. To change a stored answer, open it under Results.">
      <Form className="flex min-w-0 flex-col gap-4" onSubmit={() => pair && start.mutate(pair)}>
        <div className="grid min-w-0 gap-4 lg:grid-cols-2">
          {(['A', 'B'] as const).map((name, index) => (
            <TextArea
              key={name}
              label={`Prompt ${name}`}
              rows={8}
              value={prompts[index]}
              onChange={(text) => change({ prompts: index === 0 ? [text, prompts[1]] : [prompts[0], text] })}
            />
          ))}
        </div>
        <div className="grid min-w-0 gap-4 lg:grid-cols-2">
          <TextArea
            label="Inputs"
            hint="Optional, one a line; {{input}} in a prompt is its place."
            rows={3}
            value={inputText}
            onChange={(text) => change({ inputText: text })}
          />
          <ModelField label="Model" value={chosen ?? modelId} onChange={(id) => change({ chosen: id })} />
        </div>
        <div className="flex flex-wrap items-center gap-3">
          <Button kind="primary" type="submit" disabled={!pair || start.isPending}>
            Run both
          </Button>
          <span className="min-w-0 text-muted">{cost}</span>
        </div>
        <FailureNotice title="Not started" failure={start.error} />
      </Form>
      {started && (
        <Section
          title="Answers"
          aside={
            <Link to={`/results/${encodeURIComponent(started.runId)}`} className="underline underline-offset-2">
              Open as a result
            </Link>
          }
        >
          {started.cases.map(({ id, input }) => (
            <Answers key={`${started.runId} ${id}`} runId={started.runId} id={id} input={input} />
          ))}
        </Section>
      )}
    </Page>
  )
}
