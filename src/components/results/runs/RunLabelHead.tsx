import { RunnersOnly } from '../../access/for-runners.tsx'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { IconButton } from '../../ui/Button.tsx'
import { LabelEditor } from './LabelEditor.tsx'
import { Tags } from './LabelParts.tsx'

/** Name, tags and note above the results of a run or series, edited in place. */
export function RunLabelHead({ runId, isSeries }: { runId: string; isSeries: boolean }) {
  const [isEditing, setEditing] = useState(false)
  const opener = useRef<HTMLButtonElement>(null)
  const stored = useQuery({
    queryKey: ['label', runId],
    queryFn: () => readReply(api.runs[':id'].label.$get({ param: { id: runId } })),
  })
  // The results are the point of the page; without the label they stay as they are.
  if (!stored.data) return null
  const { label } = stored.data
  const close = () => {
    setEditing(false)
    window.requestAnimationFrame(() => opener.current?.focus())
  }
  if (isEditing) return <LabelEditor runId={runId} isSeries={isSeries} onClose={close} />
  return (
    <div className="flex min-w-0 flex-wrap items-center gap-x-2 gap-y-1">
      {label?.name !== undefined && (
        <bdi className="min-w-0 font-medium break-words" data-label="name">
          {label.name}
        </bdi>
      )}
      {label?.tags && <Tags tags={label.tags} />}
      {label?.note !== undefined && (
        <span dir="auto" className="max-w-xl min-w-0 truncate text-muted" title={label.note}>
          {label.note}
        </span>
      )}
      <RunnersOnly>
        <IconButton
          ref={opener}
          label={label ? 'Edit name, tags and note' : 'Add a name, tags or a note'}
          className="size-6"
          onClick={() => setEditing(true)}
        >
          <Pencil size={13} aria-hidden />
        </IconButton>
      </RunnersOnly>
    </div>
  )
}
