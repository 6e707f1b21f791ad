export const exportFormats = [
  { format: 'yaml', label: 'YAML' },
  { format: 'json', label: 'JSON' },
  { format: 'csv', label: 'CSV' },
  { format: 'jsonl', label: 'JSON lines' },
] as const
