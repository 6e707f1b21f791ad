import { useQueries, type UseQueryResult } from '@tanstack/react-query'
import type { ImportPreview } from '../../../server/imports/routes.ts'
import { api } from '../../api.ts'
import { readReply } from '../../api-request.ts'
import { useSettled } from '../../ui/use-settled.ts'
import { makeImportBody, makeImportQuery, noChoices, type FileToImport, type ImportChoices } from './import-choices.ts'

export type FilePreview = Pick<UseQueryResult<ImportPreview>, 'data' | 'error' | 'isPending' | 'isFetching'>

export const UPLOAD = { headers: { 'content-type': 'application/octet-stream' } }

/** What each file would become with what was chosen for it; read again after a pause in typing. */
export function usePreviews(
  files: readonly FileToImport[],
  choices: Readonly<Record<number, ImportChoices>>,
): readonly FilePreview[] {
  const settled = useSettled(choices, 400)
  return useQueries({
    queries: files.map((given, index) => {
      const { file, summary } = given
      const chosen = settled[index] ?? noChoices
      return {
        queryKey: [
          'import-preview',
          file.name,
          file.size,
          file.lastModified,
          summary?.name,
          summary?.lastModified,
          chosen,
        ],
        queryFn: (): Promise<ImportPreview> =>
          readReply(
            api.imports.preview.$post(
              { query: makeImportQuery(file.name, chosen, summary) },
              { init: { body: makeImportBody(given), ...UPLOAD } },
            ),
          ),
        placeholderData: (before: ImportPreview | undefined) => before,
        retry: false,
        staleTime: Infinity,
      }
    }),
  })
}
