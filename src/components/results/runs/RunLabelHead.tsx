import { RunnersOnly } from '../../access/for-runners.tsx'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { useRef, useState } from 'react'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { buttonClass } from '../../ui/Button.tsx'
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
    <div className="flex flex-col gap-1">
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        {label?.name !== undefined && (
          <bdi className="min-w-0 font-medium break-words" data-label="name">
            {label.name}
          </bdi>
        )}
        {label?.tags && <Tags tags={label.tags} />}
        <RunnersOnly>
          <button type="button" ref={opener} className={buttonClass('quiet', '-ml-3')} onClick={() => setEditing(true)}>
            <Pencil size={14} aria-hidden />
            {label ? 'Edit name, tags and note' : 'Add a name, tags or a note'}
          </button>
        </RunnersOnly>
      </div>
      {label?.note !== undefined && (
        <p dir="auto" className="max-w-3xl break-words whitespace-pre-wrap text-muted">
          {label.note}
        </p>
      )}
    </div>
  )
}
