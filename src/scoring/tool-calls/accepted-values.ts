/** In an expected call: any of several values will do, as BFCL's possible answers say. */
export class AcceptedValues {
  readonly values: readonly unknown[]
  /** The argument may also be left out. */
  readonly isOptional: boolean
  /** Texts are compared without case, blanks and punctuation, as BFCL does. */
  readonly looseText: boolean

  constructor(values: readonly unknown[], { isOptional = false, looseText = false } = {}) {
    this.values = values
    this.isOptional = isOptional
    this.looseText = looseText
  }

  /** As it is printed: the one value, or `{ anyOf }`. */
  toJSON(): unknown {
    const values = this.values.filter((value) => value !== '' || !this.isOptional)
    if (values.length === 1 && !this.isOptional) return values[0]
    return { anyOf: values, ...(this.isOptional && { mayBeLeftOut: true }) }
  }
}

/** Text as BFCL compares it: https://gorilla.cs.berkeley.edu — blanks and , . / - _ * ^ do not count, nor does case. */
export function loosenText(text: string): string {
  return text
    .replace(/[ ,./\-_*^]/g, '')
    .toLowerCase()
    .replaceAll("'", '"')
}
