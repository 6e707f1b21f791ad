import { Loaded } from '../../ui/Loaded.tsx'
import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { LabelForm } from './LabelForm.tsx'

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
