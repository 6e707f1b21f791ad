import { api } from '../api.ts'
import { readReply } from '../api-request.ts'

/** Sends a file as it is. `answersFor` names the file whose right answers it holds; `salvage` takes what can be read of a cut one. */
export function addToolCallFile(file: File, options: { answersFor?: string; salvage?: '1' } = {}) {
  return readReply(
    api.toolCalls.$post(
      { query: { name: file.name, credit: 'calls', ...options } },
      { init: { body: file, headers: { 'content-type': 'application/json' } } },
    ),
  )
}
