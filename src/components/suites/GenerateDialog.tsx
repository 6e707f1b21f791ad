import { useApp } from '../queries.ts'
import type { ScorerInfo } from '../../server/suites/scorer-list.ts'
import type { GeneratedCases } from '../../server/suites/generate-cases.ts'
import { useState } from 'react'
import { z } from 'zod'
import { usePath } from '../router.tsx'
import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import { useSingleMutation } from '../use-single-mutation.ts'
import { Button } from '../ui/Button.tsx'
import { Checkbox, SelectField, SelectOptions, TextArea, TextField } from '../ui/form/Field.tsx'
import { formatCost, formatCount } from '../../report/words/index.ts'
import { isSimulated } from '../../report/words/models.ts'
import { Dialog } from '../ui/Dialog.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { ModelSelect } from '../ui/names/ModelSelect.tsx'
import { methodsOf, setIn, textOf, titleOf, type Fields } from './suite-draft.ts'
import { useKept, useKeptText } from '../ui/use-kept.ts'

interface GenerateDialogProps {
  scorers: ScorerInfo[]
  isOpen: boolean
  onClose: () => void
  onAdd: (cases: Fields[]) => void
}

const reviewedSchema = z.object({ testCase: z.record(z.string(), z.unknown()), isSelected: z.boolean() })

type Reviewed = z.infer<typeof reviewedSchema>

function ReviewRow({
  reviewed,
  number,
  onChange,
}: {
  reviewed: Reviewed
  number: number
  onChange: (reviewed: Reviewed) => void
}) {
  const { testCase, isSelected } = reviewed
  const change = (name: string, text: string) =>
    onChange({ ...reviewed, testCase: setIn(testCase, [name], text || undefined) })
  return (
    <li className="flex flex-col gap-2 border-t border-line pt-3">
      <div className="flex flex-wrap items-center gap-2">
        <Checkbox
          label={<span className="font-medium">{textOf(testCase['id']) || `Case ${number}`}</span>}
          checked={isSelected}
          onChange={(event) => onChange({ ...reviewed, isSelected: event.target.checked })}
        />
        <span className="text-xs text-muted">{methodsOf(testCase).join(', ')}</span>
      </div>
      <div role="group" aria-label={`Case ${number}`} className="grid gap-2 sm:grid-cols-[2fr_1fr]">
        {typeof testCase['prompt'] === 'string' ? (
          <TextArea label="Prompt" rows={2} value={testCase['prompt']} onChange={(text) => change('prompt', text)} />
        ) : (
          <p className="text-muted">{titleOf(testCase)}</p>
        )}
        {testCase['checks'] === undefined && (
          <TextArea
            label="Expected output"
            rows={2}
            value={textOf(testCase['expectedOutput'])}
            onChange={(text) => change('expectedOutput', text)}
          />
        )}
      </div>
    </li>
  )
}

function Review({
  generated,
  rows,
  onChange,
}: {
  /** Undefined after a reload. */
  generated: GeneratedCases | undefined
  rows: Reviewed[]
  onChange: (rows: Reviewed[]) => void
}) {
  return (
    <div className="flex flex-col gap-3">
      <p className="text-muted">
        Review them before you add them: models make mistakes, and a wrong expected output penalises correct answers.
        {generated?.cost !== undefined && generated.cost > 0 && ` Cost: ${formatCost(generated.cost)}.`}
      </p>
      {generated && generated.leftOut.length > 0 && (
        <Notice kind="warning" title={`${formatCount(generated.leftOut.length, 'case')} left out`}>
          <ul className="list-disc pl-4">
            {[...generated.leftOut.entries()].map(([index, reason]) => (
              <li key={index}>{reason}</li>
            ))}
          </ul>
        </Notice>
      )}
      {rows.length === 0 ? (
        <Notice title="The model returned no usable cases.">
          Describe the cases in more detail, or choose another model.
        </Notice>
      ) : (
        <ul className="flex flex-col gap-3">
          {[...rows.entries()].map(([index, reviewed]) => (
            <ReviewRow
              key={index}
              reviewed={reviewed}
              number={index + 1}
              onChange={(next) => onChange(rows.with(index, next))}
            />
          ))}
        </ul>
      )}
    </div>
  )
}

/** A model writes cases; the user reviews them and picks the good ones. */
export function GenerateDialog({ scorers, isOpen, onClose, onAdd }: GenerateDialogProps) {
  const app = useApp()
  const [chosen, setChosen] = useState<string>()
  const [description, setDescription] = useKeptText('generate')
  const [count, setCount] = useState('10')
  const [scoringMethod, setScoringMethod] = useState('')
  // They were paid for.
  const [rows, setRows] = useKept(`generated:${usePath()}`, z.array(reviewedSchema).optional(), undefined)
  const modelId = chosen ?? app.data?.defaultModels[0] ?? ''
  const generation = useSingleMutation({
    mutationFn: () =>
      readReply(
        api.suites.generate.$post({
          json: { modelId, description, count: Number(count), ...(scoringMethod !== '' && { scoringMethod }) },
        }),
      ),
    onSuccess: ({ testCases }) => {
      setRows(testCases.map((testCase) => ({ testCase, isSelected: true })))
      setDescribing(false)
    },
  })
  const countError =
    /^\d+$/.test(count) && Number(count) >= 1 && Number(count) <= 50 ? undefined : 'Enter a whole number from 1 to 50.'
  const selected = (rows ?? []).filter(({ isSelected }) => isSelected)
  const [isDescribing, setDescribing] = useState(false)
  const isReview = rows !== undefined && !isDescribing
  const addSelected = () => {
    onAdd(selected.map(({ testCase }) => testCase))
    setRows(undefined)
    onClose()
  }
  return (
    <Dialog
      title={isReview ? 'Review generated cases' : 'Generate cases'}
      description={
        isSimulated(modelId)
          ? 'The model is simulated: use it to try out this dialog, not for real tests.'
          : 'A model writes the cases; you review them before they are added.'
      }
      width="wide"
      isOpen={isOpen}
      onClose={onClose}
      keepsTyped
      actions={
        isReview ? (
          <>
            <Button onClick={() => setDescribing(true)}>Back</Button>
            <Button kind="primary" disabled={selected.length === 0} onClick={addSelected}>
              Add {formatCount(selected.length, 'case')}
            </Button>
          </>
        ) : (
          <>
            <Button onClick={onClose}>Cancel</Button>
            {rows && <Button onClick={() => setDescribing(false)}>Review {formatCount(rows.length, 'case')}</Button>}
            <Button
              kind="primary"
              disabled={description.trim() === '' || modelId === '' || countError !== undefined || generation.isPending}
              onClick={() => generation.mutate()}
            >
              {generation.isPending ? 'Generating…' : 'Generate'}
            </Button>
          </>
        )
      }
    >
      {isReview ? (
        <Review generated={generation.data} rows={rows} onChange={setRows} />
      ) : (
        <div className="flex flex-col gap-3">
          <FailureNotice failure={generation.error} title="No cases were generated" />
          <TextArea
            label="Description"
            hint="The subject, the kind of task and the difficulty; an example helps"
            rows={4}
            value={description}
            onChange={setDescription}
          />
          <div className="grid gap-3 sm:grid-cols-3">
            <ModelSelect label="Model" value={modelId} onChange={setChosen} />
            <TextField
              label="Number of cases"
              inputMode="numeric"
              error={countError}
              value={count}
              onChange={setCount}
            />
            <SelectField label="Scoring method" value={scoringMethod} onChange={setScoringMethod}>
              <option value="">Chosen by the model</option>
              <SelectOptions of={scorers.map(({ name }) => name)} />
            </SelectField>
          </div>
        </div>
      )}
    </Dialog>
  )
}
