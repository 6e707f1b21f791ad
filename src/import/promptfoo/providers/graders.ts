import { isRecord } from '../../../contract/index.ts'
import type { ImportContext } from '../import-warnings.ts'
import { isEmbeddingProvider, mapProvider } from './provider-ids.ts'
import { isFileReference, readDocument, readReference, readReferenced, runsCode } from '../config/referenced-files.ts'
import { findLogic, render } from '../prompts/template.ts'

function graderId(provider: unknown): string | undefined {
  if (typeof provider === 'string') return provider
  return isRecord(provider) && typeof provider['id'] === 'string' ? provider['id'] : undefined
}

function kindsOf(provider: unknown): Record<string, unknown> | undefined {
  const kinds = ['text', 'embedding', 'classification', 'moderation']
  return isRecord(provider) && kinds.some((kind) => kind in provider) ? provider : undefined
}

/** The embedding model that a grader names, as written; undefined if it names none. */
export function readEmbedder(provider: unknown): string | undefined {
  const kinds = kindsOf(provider)
  const id = graderId(kinds ? kinds['embedding'] : provider)
  // promptfoo falls back on its default too if the grader of `similar` is a model that answers.
  return id !== undefined && (kinds || isEmbeddingProvider(id)) ? id : undefined
}

/** Reads a grader: `openai:gpt-4o`, `{ id, config }` or `{ text, embedding }`. Its models are suggested as judges. */
export function readGrader(provider: unknown, place: string, { graders, warnings }: ImportContext): void {
  const kinds = kindsOf(provider)
  const grader = graderId(kinds ? kinds['text'] : provider)
  if (grader === undefined || isEmbeddingProvider(grader)) return
  const model = mapProvider(grader)
  if (model === undefined)
    warnings.note(
      place,
      `the grader ${JSON.stringify(grader)} is not a model known here; name a judge when you run the suite`,
    )
  else graders.models.add(model)
}

/** The messages of a rubric prompt as one text. */
function promptText(value: unknown): string | undefined {
  if (typeof value === 'string') {
    try {
      const parsed: unknown = value.trim().startsWith('[') ? JSON.parse(value) : undefined
      return parsed === undefined ? value : (promptText(parsed) ?? value)
    } catch {
      return value
    }
  }
  if (!Array.isArray(value)) return undefined
  const texts = value.map((message: unknown) => (isRecord(message) ? message['content'] : message))
  return texts.every((text) => typeof text === 'string') ? texts.join('\n\n') : undefined
}

/** Reads `rubricPrompt`, written out or in a file; undefined if it cannot be used. */
export async function readRubricPrompt(
  value: unknown,
  place: string,
  context: ImportContext,
): Promise<string | undefined> {
  let written: unknown = value
  if (isFileReference(value)) {
    const reference = readReference(value, context, place)
    if (!runsCode(reference))
      written = /^\.(?:json|ya?ml)$/.test(reference.extension)
        ? (await readDocument(reference)).value
        : await readReferenced(reference)
  }
  const text = promptText(written)
  const logic = text === undefined ? undefined : findLogic(text)
  if (text !== undefined && logic === undefined && !isFileReference(text)) return text
  context.warnings.add(
    place,
    `rubricPrompt is not used${logic === undefined ? '' : `: it uses ${logic}`}; the judge grades by the assertion's own text`,
  )
  return undefined
}

/** What the judge reads: the criterion, and the grader's instructions with the places of the parts that it also reads. */
export function writeInstructions(
  rubric: string,
  rubricPrompt: string | undefined,
  variables: Readonly<Record<string, unknown>>,
): string {
  if (rubricPrompt === undefined) return rubric
  const filled = render(rubricPrompt, {
    ...variables,
    output: '(the response)',
    rubric: '(the criterion)',
    completion: '(the response)',
    criteria: '(the criterion)',
  }).text.trim()
  return [
    ...(rubric === '' ? [] : [`Criterion: ${rubric}`]),
    `Instructions for grading, whose output format does not apply here:\n${filled}`,
  ].join('\n\n')
}
