/** Values of an expected argument, any of which will do, as in BFCL's possible answers. */
export class AcceptedValues {
  readonly values: readonly unknown[]
  /** The argument may also be omitted. */
  readonly isOptional: boolean
  /** Text is compared ignoring case, spaces and punctuation, as BFCL does. */
  readonly looseText: boolean

  constructor(values: readonly unknown[], { isOptional = false, looseText = false } = {}) {
    this.values = values
    this.isOptional = isOptional
    this.looseText = looseText
  }

  /** For printing: the single value, or `{ anyOf }`. */
  toJSON(): unknown {
    const values = this.values.filter((value) => value !== '' || !this.isOptional)
    if (values.length === 1 && !this.isOptional) return values[0]
    return { anyOf: values, ...(this.isOptional && { mayBeLeftOut: true }) }
  }
}

/** Text as BFCL (https://gorilla.cs.berkeley.edu) compares it: without case, spaces and , . / - _ * ^. */
export function loosenText(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}
