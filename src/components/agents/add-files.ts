import { api } from '../api.ts'
import { readReply } from '../api-request.ts'
import type { GivenFile } from '../ui/files/given-file.ts'

const READABLE = /\.(jsonl?|ndjson|traj|eval|txt)$/i

/** What the folder or the first file is called. */
function nameFiles(files: readonly GivenFile[]): string {
  const [first] = files
  const folder = first && files.length > 1 ? first.path.split('/')[0] : undefined
  return folder !== undefined && files.every(({ path }) => path.startsWith(`${folder}/`))
    ? folder
    : (first?.path.split('/').at(-1) ?? 'runs') + (files.length > 1 ? ` and ${files.length - 1} more` : '')
}

/** Adds files as one set, reads them, and returns its id. */
export async function addRuns(
  given: readonly GivenFile[],
  onProgress: (sent: number, of: number) => void,
): Promise<string> {
  const readable = given.filter(({ path }) => READABLE.test(path))
  const files = readable.length > 0 ? readable : given
  const { id } = await readReply(api.trajectories.$post({ query: { name: nameFiles(files) } }))
  try {
    for (const [index, { path, file }] of files.entries()) {
      onProgress(index, files.length)
      await readReply(
        api.trajectories.files.$post(
          { query: { set: id, path } },
          { init: { body: file, headers: { 'content-type': 'application/octet-stream' } } },
        ),
      )
    }
    onProgress(files.length, files.length)
    await readReply(api.trajectories[':id'].read.$post({ param: { id }, json: {} }))
    return id
  } catch (error) {
    // What cannot be read is not kept. It may be gone already.
    await readReply(api.trajectories[':id'].$delete({ param: { id } })).catch(() => undefined)
    throw error
  }
}
