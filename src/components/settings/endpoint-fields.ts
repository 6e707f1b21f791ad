import { saveEndpointRequestSchema, type SaveEndpointRequest } from '../../contract/index.ts'

export interface EndpointFields {
  name: string
  baseUrl: string
  key: string
}

/** Common local servers. */
export const exampleEndpoints: { label: string; name: string; baseUrl: string }[] = [
  { label: 'Ollama', name: 'my-ollama', baseUrl: 'http://127.0.0.1:11434/v1' },
  { label: 'vLLM', name: 'my-vllm', baseUrl: 'http://127.0.0.1:8000/v1' },
  { label: 'LM Studio', name: 'lm-studio', baseUrl: 'http://127.0.0.1:1234/v1' },
  { label: 'llama.cpp', name: 'llama-cpp', baseUrl: 'http://127.0.0.1:8080/v1' },
]

/** The request, or the errors by field. */
export function readEndpoint(
  fields: EndpointFields,
  existing: readonly string[],
): { request: SaveEndpointRequest } | { errors: Partial<Record<keyof EndpointFields, string>> } {
  const name = fields.name.trim()
  const key = fields.key.trim()
  const read = saveEndpointRequestSchema.safeParse({ name, baseUrl: fields.baseUrl.trim(), ...(key !== '' && { key }) })
  const errors: Partial<Record<keyof EndpointFields, string>> = {}
  for (const issue of read.error?.issues ?? []) {
    if (issue.path[0] === 'name')
      errors.name = 'Lowercase letters, digits and hyphens, at most 31. It is the prefix of each model.'
    else if (issue.path[0] === 'baseUrl')
      errors.baseUrl = 'A URL that starts with http:// or https://, such as http://127.0.0.1:11434/v1.'
    else errors.key = 'At most 1,000 characters.'
  }
  if (existing.includes(name)) errors.name = `An endpoint named ${name} already exists; remove it first.`
  return read.success && Object.keys(errors).length === 0 ? { request: read.data } : { errors }
}
