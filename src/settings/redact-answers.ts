import type { Client, ModelAnswer } from '../contract/index.ts'

/** Shorter ones ("ollama", "none") are placeholders; redacting them would mangle ordinary words. */
const MIN_SECRET_LENGTH = 8
const REPLACEMENT = '[key]'

function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) => (secret.length < MIN_SECRET_LENGTH ? clean : clean.replaceAll(secret, REPLACEMENT)),
    text,
  )
}

/** Counts the characters at the end that may be the start of a secret whose rest has not arrived. */
function countPartialSecret(text: string, secrets: readonly string[]): number {
  let partial = 0
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length > partial; length--)
      if (secret.length >= MIN_SECRET_LENGTH && text.endsWith(secret.slice(0, length))) partial = length
  return partial
}

/** Passes text on without secrets, even secrets split across pieces; `end` passes on what was held back. */
export function createTextRedactor(
  secrets: readonly string[],
  pass: (text: string) => void,
): { add(piece: string): void; end(): void } {
  let held = ''
  return {
    add(piece) {
      const text = redactText(held + piece, secrets)
      const partial = countPartialSecret(text, secrets)
      held = text.slice(text.length - partial)
      if (text.length > partial) pass(text.slice(0, text.length - partial))
    },
    end() {
      if (held !== '') pass(held)
      held = ''
    },
  }
}

function redactAnswer(answer: ModelAnswer, secrets: readonly string[]): ModelAnswer {
  const { response, reasoning, toolCalls } = answer
  const calls = toolCalls && JSON.stringify(toolCalls)
  return {
    ...answer,
    response: redactText(response, secrets),
    ...(reasoning !== undefined && { reasoning: redactText(reasoning, secrets) }),
    ...(calls &&
      secrets.some((secret) => calls.includes(secret)) && { toolCalls: JSON.parse(redactText(calls, secrets)) }),
  }
}

/** Removes secrets from answers: a key that a server echoes must not be stored or exported. */
export function redactClient(client: Client, secrets: readonly string[]): Client {
  return {
    ...client,
    async complete(request, options = {}) {
      const { onText } = options
      const redactor = onText && createTextRedactor(secrets, onText)
      const answer = await client.complete(request, { ...options, ...(redactor && { onText: redactor.add }) })
      redactor?.end()
      return redactAnswer(answer, secrets)
    },
  }
}
