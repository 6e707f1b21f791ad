import { api } from '../api.ts'
import { readReply } from '../api-request.ts'

/** Uploads a file. `answersFor` is the file whose correct answers it contains; `salvage` accepts a truncated file. */
export function addToolCallFile(file: File, options: { answersFor?: string; salvage?: '1' } = {}) {
  return readReply(
    api.toolCalls.$post(
      { query: { name: file.name, credit: 'effects', ...options } },
      { init: { body: file, headers: { 'content-type': 'application/json' } } },
    ),
  )
}
