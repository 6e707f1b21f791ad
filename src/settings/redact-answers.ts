import type { Client, ModelAnswer } from '../contract/index.ts'

/** Shorter ones ("ollama", "none") are placeholders, and taking them out would eat ordinary words. */
const SHORTEST_SECRET = 8
const INSTEAD = '[key]'

function redactText(text: string, secrets: readonly string[]): string {
  return secrets.reduce(
    (clean, secret) => (secret.length < SHORTEST_SECRET ? clean : clean.replaceAll(secret, INSTEAD)),
    text,
  )
}

/** How many characters at the end may be the beginning of a secret, the rest of which is still to come. */
function countOpenEnd(text: string, secrets: readonly string[]): number {
  let open = 0
  for (const secret of secrets)
    for (let length = Math.min(secret.length - 1, text.length); length > open; length--)
      if (secret.length >= SHORTEST_SECRET && text.endsWith(secret.slice(0, length))) open = length
  return open
}

/** Passes text on piece by piece without secrets, wherever they were cut; `end` gives what was held back. */
export function createTextRedactor(
  secrets: readonly string[],
  pass: (text: string) => void,
): { add(piece: string): void; end(): void } {
  let held = ''
  return {
    add(piece) {
      const text = redactText(held + piece, secrets)
      const open = countOpenEnd(text, secrets)
      held = text.slice(text.length - open)
      if (text.length > open) pass(text.slice(0, text.length - open))
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

/** A server that repeats the key it was sent, as its answer, must not get it stored and exported. */
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
