import type { KeyTest } from '../../server/settings/test-key.ts'
import type { UseMutationResult } from '@tanstack/react-query'
import { FailureNotice, Notice } from '../ui/Notice.tsx'

/** The result of a real request with the key. */
export function TestResult({ test }: { test: UseMutationResult<KeyTest, Error, void> }) {
  if (test.isPending)
    return (
      <div role="status" className="text-muted">
        Testing the key with the provider…
      </div>
    )
  if (test.error) return <FailureNotice title="The test could not be run" failure={test.error} />
  if (!test.data) return null
  return (
    <Notice kind={test.data.ok ? 'info' : 'error'} title={test.data.ok ? 'It works' : 'The test failed'}>
      {test.data.message}
    </Notice>
  )
}
