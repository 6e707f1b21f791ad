import { InputError } from '../../contract/index.ts'

/** The value of a JSON file, or an error that says what and where. */
export function parseJson(text: string, file: string): unknown {
  if (text.trim() === '') throw new InputError(`${file}: is empty`)
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new InputError(`${file}: is not JSON: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    })
  }
}
