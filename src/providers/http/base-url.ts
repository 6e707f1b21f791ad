import { InputError } from '../../contract/index.ts'

export function parseBaseUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl)
  if (url && (url.protocol === 'http:' || url.protocol === 'https:')) return url
  throw new InputError(`The base URL "${baseUrl}" is not a URL: write it like http://127.0.0.1:11434/v1.`)
}

/** The header for a user name and password in the base URL, if there are any. */
export function loginHeaders({ username, password }: URL): { authorization?: string } {
  if (username === '') return {}
  const login = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  return { authorization: `Basic ${Buffer.from(login).toString('base64')}` }
}
