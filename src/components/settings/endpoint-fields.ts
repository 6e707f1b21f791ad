import { saveEndpointRequestSchema, type EndpointPrice, type SaveEndpointRequest } from '../../contract/index.ts'
import { readNumber } from '../arena/choices/read-number.ts'

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

/** As typed: US dollars per million tokens. */
export interface PriceFields {
  input: string
  cachedInput: string
  output: string
}

export function writePrice(price: EndpointPrice | undefined): PriceFields {
  const write = (dollars: number | undefined) => (dollars === undefined ? '' : String(dollars))
  return { input: write(price?.input), cachedInput: write(price?.cachedInput), output: write(price?.output) }
}

/** The price, undefined if all fields are empty, or the errors by field. */
export function readPrice(
  fields: PriceFields,
): { value: EndpointPrice | undefined } | { errors: Partial<Record<keyof PriceFields, string>> } {
  const isEmpty = (text: string) => text.trim() === ''
  if (Object.values(fields).every(isEmpty)) return { value: undefined }
  const read = (text: string) => readNumber(text, { min: 0, max: 1_000_000 })
  const [input, output] = [read(fields.input), read(fields.output)]
  const cached = isEmpty(fields.cachedInput) ? undefined : read(fields.cachedInput)
  const errors = {
    ...('error' in input && { input: `The price ${input.error}.` }),
    ...('error' in output && { output: `The price ${output.error}.` }),
    ...(cached && 'error' in cached && { cachedInput: `The price ${cached.error}.` }),
  }
  if (!('value' in input && 'value' in output) || Object.keys(errors).length > 0) return { errors }
  const price: EndpointPrice = { input: input.value!, output: output.value! }
  return { value: cached && 'value' in cached ? { ...price, cachedInput: cached.value! } : price }
}
