import { forRunners } from '../access/for-runners.tsx'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useRef } from 'react'
import { Button } from '../ui/Button.tsx'
import { FailureNotice, Notice } from '../ui/Notice.tsx'
import { addToolCallFile } from './add-file.ts'

/** BFCL has the questions and the correct answers in separate files: without the second file nothing can be scored. */
function AddAnswersForRunners({ id }: { id: string }) {
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
        title="No scores yet"
        action={
          <Button disabled={add.isPending} onClick={() => input.current?.click()}>
            {add.isPending ? 'Scoring…' : 'Add possible answers'}
          </Button>
        }
      >
        BFCL has the correct answers in a separate file, possible_answer/NAME.json. Add it to score the records. If you
        have the question file NAME.json, add it first: it has the types of the parameters.
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
      <FailureNotice title="The answers were not added" failure={add.error} />
    </>
  )
}

export const AddAnswers = forRunners(AddAnswersForRunners)
