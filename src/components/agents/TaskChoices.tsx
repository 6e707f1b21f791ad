import { useState } from 'react'
import type { TrajectorySetReply } from '../../server/trajectories/routes.ts'
import { api } from '../api.ts'
import { readExactReply } from '../api-request.ts'
import { Button } from '../ui/Button.tsx'
import { SelectField, SelectOptions, TextField } from '../ui/form/Field.tsx'
import { Form } from '../ui/form/Form.tsx'
import { Section } from '../ui/Page.tsx'
import { useKeptText } from '../ui/use-kept.ts'
import { pointAt, splitPath, type PathPart, type PathRole } from './path-pattern.ts'

export interface ChoiceProps {
  reply: TrajectorySetReply
  isBusy: boolean
  onChange: (send: () => Promise<TrajectorySetReply>) => void
}

const roles: readonly (readonly [PathRole, string])[] = [
  ['any', 'nothing'],
  ['task', 'Task'],
  ['trial', 'Trial'],
  ['model', 'Model'],
]

/** Says where the files name their task and model: a part of the path, or a field. */
export function TaskChoices({ reply, isBusy, onChange }: ChoiceProps) {
  const { about, example } = reply
  const [taskFrom, setTaskFrom] = useKeptText(`task-from:${about.id}`, about.choices.taskFrom)
  const [model, setModel] = useKeptText(`task-model:${about.id}`, about.choices.model)
  const parts = example ? splitPath(example.file) : []
  const [pointed, setPointed] = useState<readonly PathRole[]>(() => parts.map(() => 'any'))
  const choosePart = (index: number, role: PathRole) => {
    const next = pointed.map((before, place) =>
      place === index ? role : before === role && role !== 'any' ? 'any' : before,
    )
    setPointed(next)
    setTaskFrom(pointAt(parts, next))
  }
  const fields = example?.fields.map(({ path, example: value }) => [path, `${path.slice(2)}: ${value}`] as const) ?? []
  const send = () =>
    onChange(() =>
      readExactReply(
        api.trajectories[':id'].read.$post({
          param: { id: about.id },
          json: {
            credit: about.choices.credit,
            ...(taskFrom.trim() !== '' && { taskFrom: taskFrom.trim() }),
            ...(model.trim() !== '' && { model: model.trim() }),
          },
        }),
      ),
    )
  return (
    <Section title="Task and model" aside="Where the files name them: models are compared task by task">
      <Form onSubmit={send} className="flex flex-col gap-3">
        {parts.some(({ isName }) => isName) && (
          <fieldset className="flex min-w-0 flex-col gap-1">
            <legend className="text-[13px] font-medium">A part of the path</legend>
            <div className="flex flex-wrap items-end gap-x-0.5 gap-y-2">
              {parts.map((part, index) =>
                part.isName ? (
                  <PartChoice
                    key={part.at}
                    part={part}
                    role={pointed[index]!}
                    onChoose={(role) => choosePart(index, role)}
                  />
                ) : (
                  <span key={part.at} className="pb-1.5 font-mono text-xs text-muted">
                    {part.text}
                  </span>
                ),
              )}
            </div>
          </fieldset>
        )}
        <div className="grid gap-3 sm:grid-cols-2">
          {fields.length > 0 && (
            <SelectField
              label="Or a field that names the task"
              value={taskFrom.startsWith('$.') ? taskFrom : ''}
              onChange={setTaskFrom}
            >
              <option value="">None</option>
              <SelectOptions of={fields} />
            </SelectField>
          )}
          {fields.length > 0 && (
            <SelectField
              label="A field that names the model"
              value={model.startsWith('$.') ? model : ''}
              onChange={setModel}
            >
              <option value="">None</option>
              <SelectOptions of={fields} />
            </SelectField>
          )}
          <TextField
            label="Task from"
            hint="{model}/{task}-{trial}.json, or $.metadata.task"
            value={taskFrom}
            onChange={setTaskFrom}
          />
          <TextField label="Model" hint="Of runs that do not name theirs" value={model} onChange={setModel} />
        </div>
        <div>
          <Button type="submit" disabled={isBusy}>
            Read again
          </Button>
        </div>
      </Form>
    </Section>
  )
}

function PartChoice({ part, role, onChoose }: { part: PathPart; role: PathRole; onChoose: (role: PathRole) => void }) {
  return (
    <span className="flex flex-col items-center gap-0.5 rounded-md border border-line bg-surface px-1.5 py-1">
      <span className="max-w-40 truncate font-mono text-xs" title={part.text}>
        {part.text}
      </span>
      <SelectField
        label={`What ${part.text} is`}
        isLabelHidden
        value={role}
        onChange={(value) => onChoose(roles.find(([id]) => id === value)?.[0] ?? 'any')}
      >
        <SelectOptions of={roles} />
      </SelectField>
    </span>
  )
}
