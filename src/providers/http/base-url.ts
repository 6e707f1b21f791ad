import { InputError } from '../../contract/index.ts'

export function parseBaseUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InputError(`The base URL "${baseUrl}" is not a URL: write it like http://127.0.0.1:11434/v1.`)
}
