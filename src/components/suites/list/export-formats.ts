import { api } from '../../api.ts'
import { apiAddress } from '../../api-request.ts'

export const exportFormats = [
  { format: 'yaml', label: 'YAML' },
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON lines' },
] as const

export function exportAddress(id: string, format: (typeof exportFormats)[number]['format']): string {
  return apiAddress(api.suites[':id'].export.$path({ param: { id }, query: { format } }))
}
