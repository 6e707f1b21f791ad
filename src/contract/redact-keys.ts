import type { Client, ModelAnswer, ModelInfo } from './ports/client.ts'

/** Shorter ones ("ollama", "none") are placeholders; redacting them would mangle ordinary words. */
const MIN_SECRET_LENGTH = 8
const REPLACEMENT = '[key]'

/** The secrets as a server may echo them: plain, and as part of an address. The longest come first. */
function listForms(secrets: readonly string[]): string[] {
  const forms = secrets
    .filter((secret) => secret.length >= MIN_SECRET_LENGTH)
    .flatMap((secret) => {
      const encoded = encodeURIComponent(secret)
      return [secret, encoded, encoded.replaceAll(/%../g, (code) => code.toLowerCase())]
    })
  return [...new Set(forms)].sort((a, b) => b.length - a.length)
}

function redactText(text: string, forms: readonly string[]): string {
  return forms.reduce((clean, form) => clean.replaceAll(form, REPLACEMENT), text)
}

/** Counts the characters at the end that may be the start of a secret whose rest has not arrived. */
function countPartialSecret(text: string, forms: readonly string[]): number {
  let partial = 0
  for (const form of forms) {
    const from = Math.max(0, text.length - form.length + 1)
    for (let at = text.indexOf(form.charAt(0), from); at >= 0; at = text.indexOf(form.charAt(0), at + 1))
      if (form.startsWith(text.slice(at))) {
        partial = Math.max(partial, text.length - at)
        break
      }
  }
  return partial
}

/** Passes text on without secrets, even secrets split across pieces; `end` passes on what was held back. */
export function createTextRedactor(
  secrets: readonly string[],
  pass: (text: string) => void,
): { add(piece: string): void; end(): void } {
  const forms = listForms(secrets)
  let held = ''
  return {
    add(piece) {
      const text = redactText(held + piece, forms)
      const partial = countPartialSecret(text, forms)
      held = text.slice(text.length - partial)
      if (text.length > partial) pass(text.slice(0, text.length - partial))
    },
    end() {
      if (held !== '') pass(held)
      held = ''
    },
  }
}

/** Every text of a value, however deep. */
function redactValue<T>(value: T, forms: readonly string[]): T {
  const text = JSON.stringify(value)
  const written = forms.map((form) => JSON.stringify(form).slice(1, -1))
  return written.some((form) => text.includes(form)) ? JSON.parse(redactText(text, written)) : value
}

function redactError(error: unknown, forms: readonly string[]): unknown {
  if (error instanceof Error) {
    error.message = redactText(error.message, forms)
    if (error.stack !== undefined) error.stack = redactText(error.stack, forms)
  }
  return error
}

/**
 * Removes secrets from everything that a client returns: a key that a server echoes must not be shown, stored or
 * exported. Terminal, web app and library all create their clients through it.
 */
export function redactClient(client: Client, listSecrets: () => readonly string[]): Client {
  let known: string[] | undefined
  const forms = () => (known ??= listForms(listSecrets()))
  return {
    ...client,
    async complete(request, options = {}): Promise<ModelAnswer> {
      const { onText } = options
      const redactor = onText && createTextRedactor(forms(), onText)
      try {
        const answer = await client.complete(request, { ...options, ...(redactor && { onText: redactor.add }) })
        redactor?.end()
        return redactValue(answer, forms())
      } catch (error) {
        throw redactError(error, forms())
      }
    },
    async listModels(options): Promise<ModelInfo[]> {
      try {
        return redactValue(await client.listModels(options), forms())
      } catch (error) {
        throw redactError(error, forms())
      }
    },
  }
}
