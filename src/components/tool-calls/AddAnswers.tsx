import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { addToolCallFile } from './add-file.ts'

/** BFCL keeps the questions apart from the answers that would be right: without the second file nothing can be scored. */
export function AddAnswers({ id }: { id: string }) {
  const queries = useQueryClient()
  const input = useRef<HTMLInputElement>(null)
  const add = useMutation({
    mutationFn: (file: File) => addToolCallFile(file, { answersFor: id }),
    onSuccess: () =>
      queries.invalidateQueries({ predicate: ({ queryKey }) => String(queryKey[0]).startsWith('toolCall') }),
  })
  return (
    <>
      <Notice
        title="No record has a score yet"
        action={
          <Button disabled={add.isPending} onClick={() => input.current?.click()}>
            {add.isPending ? 'Scoring …' : 'Add possible answers'}
          </Button>
        }
      >
        BFCL keeps what would have been right in a file of its own, possible_answer/NAME.json. Add it and the records
        are scored.
      </Notice>
      <input
        ref={input}
        type="file"
        aria-label="File with possible answers"
        className="hidden"
        accept=".json,.jsonl"
        onChange={({ target }) => {
          const file = target.files?.[0]
          if (file) add.mutate(file)
          target.value = ''
        }}
      />
      {add.error && <FailureNotice title="The answers were not added" failure={add.error} />}
    </>
  )
}
