import { Loaded } from '../../ui/Loaded.tsx'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import type { KeyboardEvent, SyntheticEvent } from 'react'
import type { RunLabel } from '../../../contract/index.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea, TextField } from '../../ui/form/Field.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { NOT_SAVED } from '../../ui/form/Form.tsx'
import { useKept } from '../../ui/use-kept.ts'
import { fieldsOf, findChange, findProblems, labelFieldsSchema } from './label-form.ts'

interface LabelFormProps {
  runId: string
  label: RunLabel | null | undefined
  isSeries: boolean
  onClose: () => void
}

/** Edits the name, tags and note of a run or series where they are shown. */
function LabelForm({ runId, label, isSeries, onClose }: LabelFormProps) {
  const queries = useQueryClient()
  const stored = fieldsOf(label)
  const [fields, setFields] = useKept(`label:${runId}`, labelFieldsSchema, stored)
  const problems = findProblems(fields)
  const change = findChange(label, fields)
  const hasChanged = Object.keys(change).length > 0
  const drop = () => {
    setFields(stored)
    onClose()
  }
  const save = useMutation({
    mutationFn: () => readReply(api.runs[':id'].label.$put({ param: { id: runId }, json: change })),
    onSuccess: async () => {
      // Closed when the list shows what was saved, so that the old name does not flash up.
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['runs'] }),
        queries.invalidateQueries({ queryKey: ['label', runId] }),
      ])
      drop()
    },
  })
  const canSave = Object.keys(problems).length === 0 && !save.isPending
  const submit = (event: SyntheticEvent) => {
    event.preventDefault()
    if (!canSave) return
    if (hasChanged) save.mutate()
    else onClose()
  }
  const keys = {
    onKeyDown: (event: KeyboardEvent) => {
      // What was typed is still there when it is opened again; Cancel gives it up.
      if (event.key === 'Escape') onClose()
      else if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) submit(event)
    },
  }
  return (
    <form
      aria-label={isSeries ? 'Name, tags and note of the series' : 'Name, tags and note of the run'}
      className="flex max-w-2xl flex-col gap-2"
      onSubmit={submit}
    >
      <div className="grid gap-2 sm:grid-cols-2">
        <TextField
          label="Name"
          {...keys}
          dir="auto"
          // The form was opened to type into it.
          // oxlint-disable-next-line jsx-a11y/no-autofocus
          autoFocus
          value={fields.name}
          error={problems.name}
          onChange={(text) => setFields({ ...fields, name: text })}
        />
        <TextField
          label="Tags"
          {...keys}
          dir="auto"
          placeholder="Separated by commas"
          value={fields.tags}
          error={problems.tags}
          onChange={(text) => setFields({ ...fields, tags: text })}
        />
      </div>
      <TextArea
        label="Note"
        {...keys}
        dir="auto"
        rows={3}
        value={fields.note}
        error={problems.note}
        onChange={(text) => setFields({ ...fields, note: text })}
      />
      <FailureNotice failure={save.error} title="Not saved" />
      <div className="flex gap-2">
        <Button kind="primary" type="submit" disabled={!canSave}>
          {save.isPending ? 'Saving…' : 'Save'}
        </Button>
        <Button onClick={drop}>Cancel</Button>
        {hasChanged && <span className="self-center text-[13px] text-muted">{NOT_SAVED}</span>}
      </div>
    </form>
  )
}

interface LabelEditorProps {
  runId: string
  isSeries: boolean
  onClose: () => void
}

/** Reads the label anew: a list shortens notes, and someone else may have changed it since. */
export function LabelEditor({ runId, isSeries, onClose }: LabelEditorProps) {
  const stored = useQuery({
    queryKey: ['label', runId, 'edit'],
    queryFn: () => readReply(api.runs[':id'].label.$get({ param: { id: runId } })),
    gcTime: 0,
    staleTime: Infinity,
  })
  return (
    <Loaded query={stored} what="the name" rows={3}>
      {({ label }) => <LabelForm runId={runId} label={label} isSeries={isSeries} onClose={onClose} />}
    </Loaded>
  )
}
