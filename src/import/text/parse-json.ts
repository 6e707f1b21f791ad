import { InputError, messageOf } from '../../contract/index.ts'

/** Parses a JSON file; an error names the file and what is wrong with it. */
export function parseJson(text: string, file: string): unknown {
  if (text.trim() === '') throw new InputError(`${file}: is empty`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError(`${file}: is not JSON: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
