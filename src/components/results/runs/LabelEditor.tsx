import { useQuery } from '@tanstack/react-query'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { FailureNotice, Loading } from '../../ui/Notice.tsx'
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
  if (stored.isError) return <FailureNotice failure={stored.error} title="The name could not be loaded" />
  if (!stored.data) return <Loading label="Loading the name…" rows={3} />
  return <LabelForm runId={runId} label={stored.data.label} isSeries={isSeries} onClose={onClose} />
}
