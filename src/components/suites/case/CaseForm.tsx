import type { ScorerInfo } from '../../../server/suites/scorer-list.ts'
import { SelectField, SelectOptions, TextArea, TextField } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { Notice } from '../../ui/Notice.tsx'
import { sentence, type ProblemLookup } from '../problem-places.ts'
import { DetailFields } from './DetailFields.tsx'
import { otherFields, shownFields } from './scoring-shape.ts'
import { ScoringFields } from './ScoringFields.tsx'
import { setIn, textOf, type Fields, listOf } from '../suite-draft.ts'
import { ArrowDown, ArrowUp, Image, Plus, Trash2 } from 'lucide-react'
import { Button, IconButton } from '../../ui/Button.tsx'
import { partsOf, toOnePrompt, toTurns, whyNotOnePrompt } from './message-parts.ts'

interface PromptFieldsProps {
  testCase: Fields
  errorAt: (field: string) => string | undefined
  onChange: (change: (testCase: Fields) => Fields) => void
}

const roles = ['system', 'user', 'assistant']

function TurnContent({
  turn,
  number,
  error,
  onChange,
}: {
  turn: Fields
  number: number
  error: string | undefined
  onChange: (turn: Fields) => void
}) {
  const parts = partsOf(turn['content'])
  if (parts === undefined)
    return (
      <TextArea
        label={`Text of turn ${number}`}
        isLabelHidden
        rows={3}
        error={error}
        value={textOf(turn['content'])}
        onChange={(text) => onChange({ ...turn, content: text })}
      />
    )
  return (
    <div className="flex flex-col gap-2">
      {parts.map((part) =>
        part.kind === 'text' ? (
          <TextArea
            key={part.index}
            label={`Text of turn ${number}, part ${part.index + 1}`}
            isLabelHidden
            rows={2}
            value={part.text}
            onChange={(value) => onChange(setIn(turn, ['content', part.index, 'text'], value))}
          />
        ) : (
          <div key={part.index} className="flex items-center gap-2 rounded-md bg-sunken px-2 py-1">
            <Image size={16} aria-hidden className="shrink-0" />
            <span className="min-w-0 flex-1 truncate" title={part.kind === 'image' ? part.name : part.text}>
              {part.kind === 'image' ? `Image: ${part.name}` : `Not editable: ${part.text}`}
            </span>
            <IconButton
              label={`Remove part ${part.index + 1} of turn ${number}`}
              onClick={() => onChange(setIn(turn, ['content', part.index], undefined))}
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
        ),
      )}
      {error !== undefined && <div className="text-xs text-danger">{error}</div>}
    </div>
  )
}

function Turns({ testCase, errorAt, onChange }: PromptFieldsProps) {
  const turns = listOf(testCase['messages'])
  const setTurns = (messages: Fields[]) => onChange((before) => setIn(before, ['messages'], messages))
  const swap = (index: number) => setTurns(turns.toSpliced(index, 2, turns[index + 1]!, turns[index]!))
  const whyNot = whyNotOnePrompt(testCase)
  return (
    <div className="flex flex-col gap-3">
      {[...turns.entries()].map(([index, turn]) => (
        <div
          key={index}
          role="group"
          aria-label={`Turn ${index + 1}`}
          className="flex flex-col gap-2 rounded-md border border-line p-2"
        >
          <div className="flex items-center gap-1">
            <SelectField
              label={`Role of turn ${index + 1}`}
              isLabelHidden
              className="w-32"
              value={textOf(turn['role'])}
              onChange={(value) => setTurns(turns.with(index, { ...turn, role: value }))}
            >
              {!roles.includes(textOf(turn['role'])) && <option>{textOf(turn['role'])}</option>}
              <SelectOptions of={roles} />
            </SelectField>
            <span className="flex-1" />
            <IconButton label={`Move turn ${index + 1} up`} disabled={index === 0} onClick={() => swap(index - 1)}>
              <ArrowUp size={16} aria-hidden />
            </IconButton>
            <IconButton
              label={`Move turn ${index + 1} down`}
              disabled={index === turns.length - 1}
              onClick={() => swap(index)}
            >
              <ArrowDown size={16} aria-hidden />
            </IconButton>
            <IconButton
              label={`Remove turn ${index + 1}`}
              disabled={turns.length === 1}
              onClick={() => setTurns(turns.toSpliced(index, 1))}
            >
              <Trash2 size={16} aria-hidden />
            </IconButton>
          </div>
          <TurnContent
            turn={turn}
            number={index + 1}
            error={errorAt(`messages.${index}`)}
            onChange={(next) => setTurns(turns.with(index, next))}
          />
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-2">
        <Button
          onClick={() =>
            setTurns([...turns, { role: turns.at(-1)?.['role'] === 'user' ? 'assistant' : 'user', content: '' }])
          }
        >
          <Plus size={16} aria-hidden />
          Add turn
        </Button>
        <Button
          kind="quiet"
          disabled={whyNot !== undefined}
          title={whyNot && `Not possible: ${whyNot}`}
          onClick={() => onChange(toOnePrompt)}
        >
          Use one prompt
        </Button>
      </div>
    </div>
  )
}

/** The prompt, or several turns. */
function PromptFields(props: PromptFieldsProps) {
  const { testCase, errorAt, onChange } = props
  if (Array.isArray(testCase['messages'])) return <Turns {...props} />
  return (
    <>
      <TextArea
        label="Prompt"
        rows={5}
        error={errorAt('prompt')}
        value={textOf(testCase['prompt'])}
        onChange={(text) => onChange((before) => setIn(before, ['prompt'], text))}
      />
      <div>
        <Button kind="quiet" className="-ml-3" onClick={() => onChange(toTurns)}>
          <Plus size={16} aria-hidden />
          Make multi-turn
        </Button>
      </div>
    </>
  )
}

interface CaseFormProps {
  testCase: Fields
  index: number
  scorers: ScorerInfo[]
  problems: ProblemLookup
  /** The pass mark of the suite. */
  suitePassAt: unknown
  onChange: (change: (testCase: Fields) => Fields) => void
}

/** The form of one test case. */
export function CaseForm({ testCase, index, scorers, problems, suitePassAt, onChange }: CaseFormProps) {
  const errorAt = (field: string) => problems.at(index, field)
  const unplaced = problems.outside(index, shownFields(testCase, scorers))
  const others = otherFields(testCase, scorers)
  return (
    <Form aria-label="Test case" className="flex min-w-0 flex-col gap-4" onSubmit={() => undefined}>
      {unplaced.length > 0 && (
        <Notice kind="error">
          {unplaced.map(({ path, message }) => (
            <div key={`${path.join('.')}: ${message}`}>{sentence(message)}</div>
          ))}
        </Notice>
      )}
      <TextField
        label="Id"
        error={errorAt('id')}
        value={textOf(testCase['id'])}
        onChange={(text) => onChange((before) => ({ ...before, id: text }))}
      />
      <section aria-label="Prompt and turns" className="flex flex-col gap-3">
        <PromptFields {...{ testCase, errorAt, onChange }} />
      </section>
      <section aria-label="Scoring" className="flex flex-col gap-3 border-t border-line pt-4">
        <h2 className="text-[15px] font-semibold">Scoring</h2>
        <ScoringFields fields={testCase} {...{ scorers, errorAt, onChange }} />
      </section>
      <DetailFields {...{ testCase, suitePassAt, errorAt, others, onChange }} />
    </Form>
  )
}
