import { forRunners } from '../../access/for-runners.tsx'
import { useQueryClient } from '@tanstack/react-query'
import { useState, type KeyboardEvent } from 'react'
import { isInProgress } from '../../../contract/index.ts'
import type { ArenaRun } from '../../../stores/liveRunStore.ts'
import { formatCount } from '../../../report/words/index.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { navigate } from '../../router.tsx'
import { useSingleMutation } from '../../use-single-mutation.ts'
import { Button } from '../../ui/Button.tsx'
import { TextArea } from '../../ui/form/Field.tsx'
import { Form } from '../../ui/form/Form.tsx'
import { FailureNotice } from '../../ui/Notice.tsx'
import { MenuCheck, Menu } from '../../ui/Menu.tsx'
import { useKeptText } from '../../ui/use-kept.ts'

interface FollowUpProps {
  view: Pick<ArenaRun, 'runId' | 'state' | 'pages'>
  /** What to call a model: before a vote, its name is hidden. */
  nameOf: (modelId: string) => string
}

/** Asks the models for a change to their pages, in the same conversation. */
function FollowUpForRunners({ view: { runId, state, pages }, nameOf }: FollowUpProps) {
  const queries = useQueryClient()
  const [prompt, setPrompt] = useKeptText(`follow-up:${runId}`)
  const [left, setLeft] = useState<readonly string[]>([])
  const models = pages.map(({ modelId }) => modelId)
  const asked = models.filter((model) => !left.includes(model))
  const start = useSingleMutation({
    mutationFn: () =>
      readReply(
        api.arenaPages[':runId']['follow-ups'].$post({
          param: { runId },
          json: { prompt: prompt.trim(), ...(asked.length < models.length && { models: asked }) },
        }),
      ),
    onSuccess: (started) => {
      setPrompt('')
      void queries.invalidateQueries({ queryKey: ['code-arena'] })
      void queries.invalidateQueries({ queryKey: ['runs'] })
      navigate(`/code-arena/${encodeURIComponent(started.runId)}`)
    },
  })
  if (isInProgress(state)) return null
  const canStart = prompt.trim() !== '' && asked.length > 0 && !start.isPending
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return
    event.preventDefault()
    if (canStart) start.mutate()
  }
  return (
    <Form
      aria-label="Follow-up"
      className="flex flex-col gap-2"
      onSubmit={() => {
        if (canStart) start.mutate()
      }}
    >
      <div className="flex flex-wrap items-end gap-2">
        <TextArea
          label="Request a change"
          isLabelHidden
          rows={1}
          maxLength={100_000}
          placeholder="Request a change…"
          className="min-w-0 flex-1 basis-36 [&_textarea]:resize-none [&_textarea]:field-sizing-content [&_textarea]:max-h-40 [&_textarea]:min-h-8 [&_textarea]:font-sans [&_textarea]:text-sm"
          value={prompt}
          onChange={setPrompt}
          onKeyDown={onKeyDown}
        />
        {models.length > 1 && (
          <Menu
            trigger={
              <Button aria-label="Models to send it to">
                {asked.length === models.length ? 'All models' : formatCount(asked.length, 'model')}
              </Button>
            }
          >
            {models.map((model) => (
              <MenuCheck
                key={model}
                isChecked={asked.includes(model)}
                onChange={(isChecked) =>
                  setLeft(isChecked ? left.filter((other) => other !== model) : [...left, model])
                }
              >
                {nameOf(model)}
              </MenuCheck>
            ))}
          </Menu>
        )}
        <Button type="submit" kind="primary" disabled={!canStart}>
          {start.isPending ? 'Sending…' : 'Send'}
        </Button>
      </div>
      <FailureNotice title="The follow-up did not start" failure={start.error} />
    </Form>
  )
}

export const FollowUp = forRunners(FollowUpForRunners)
