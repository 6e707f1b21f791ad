import { isDeepStrictEqual } from 'node:util'
import type { Message, ModelParameters, Variant } from '../../../contract/index.ts'
import type { Expression } from '../prompts/expressions.ts'
import type { ImportContext } from '../import-warnings.ts'
import type { ImportedPrompt } from '../prompts/prompts.ts'
import type { ImportedProvider } from './providers.ts'
import { toTemplate } from '../prompts/template.ts'

/** `My second prompt!` → `my-second-prompt`, for ids and names. */
export function makeSlug(text: string): string {
  const words = text
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
  return words.replaceAll(/^-+|-+$/g, '').slice(0, 48)
}

/** Prefix and suffix of a test, as variables: with several prompts, the prompt belongs to the variant. */
export const PREFIX = '__prefix'
export const SUFFIX = '__suffix'

export interface ImportedVariants {
  /** Not validated yet. Empty if the suite needs none. */
  variants: Variant[]
  /** The values that the variants' prompts use, besides the tests' own variables. */
  expressions: Expression[]
}

interface NamedPrompt {
  name: string
  prompt: ImportedPrompt
  /** Undefined if the cases have the prompt themselves, because it is the only one. */
  question: Pick<Variant, 'prompt' | 'messages'> | undefined
}

interface ParameterGroup {
  name: string
  parameters: Partial<ModelParameters>
  models: string[]
  providers: ImportedProvider[]
}

function templateOf(
  { content }: ImportedPrompt,
  withAffixes: boolean,
  collect: (text: string) => string,
): Pick<Variant, 'prompt' | 'messages'> {
  if (typeof content === 'string')
    return { prompt: withAffixes ? `{{${PREFIX}}}${collect(content)}{{${SUFFIX}}}` : collect(content) }
  const collectContent = (parts: Message['content']) =>
    typeof parts === 'string'
      ? collect(parts)
      : parts.map((part) =>
          part.type === 'text' ? { ...part, text: collect(part.text) } : { ...part, image: collect(part.image) },
        )
  return { messages: content.map((message) => ({ ...message, content: collectContent(message.content) })) }
}

function namePrompt({ label, number }: ImportedPrompt, prompts: readonly ImportedPrompt[]): string {
  const slug = makeSlug(label ?? '')
  const isUnique = prompts.filter((other) => makeSlug(other.label ?? '') === slug).length === 1
  return slug !== '' && isUnique ? slug : `prompt-${number}`
}

/** `temperature-0-max-tokens-128` */
function nameParameters(parameters: Partial<ModelParameters>): string {
  const words = Object.entries(parameters).map(
    ([name, value]) => `${name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)}-${value}`,
  )
  return words.length === 0 ? 'default' : words.join('-')
}

/** Providers with the same parameters and prompts are one group: they differ only in the model. */
function groupProviders(providers: readonly ImportedProvider[]): ParameterGroup[] {
  const groups: ParameterGroup[] = []
  for (const provider of providers) {
    const { parameters, prompts, model } = provider
    const group = groups.find(
      ({ providers: [first], parameters: others }) =>
        isDeepStrictEqual(others, parameters) && isDeepStrictEqual(first?.prompts, prompts),
    )
    if (group) {
      group.providers.push(provider)
      if (model !== undefined && !group.models.includes(model)) group.models.push(model)
    } else groups.push({ name: '', parameters, models: model === undefined ? [] : [model], providers: [provider] })
  }
  const names = groups.map(({ providers: [first, ...others], parameters }) => {
    const label = others.length === 0 ? makeSlug(first?.label ?? '') : ''
    return label === '' ? nameParameters(parameters) : label
  })
  return groups.map((group, index) => ({
    ...group,
    name: names.indexOf(names[index]!) === index ? names[index]! : `${names[index]}-${index + 1}`,
  }))
}

function isFor({ prompts }: ImportedProvider, { prompt: { label, file, source }, name }: NamedPrompt): boolean {
  if (!prompts) return true
  return prompts.some((wanted) => {
    const plain = wanted.replace(/^file:\/\//, '')
    const group = /^(.*?)[:/]?\*$/.exec(plain)?.[1]
    return [label, file, source, name].some(
      (known) => known !== undefined && (known === plain || (group !== undefined && known.startsWith(group))),
    )
  })
}

/** Providers that are not models here would only add contestants that nobody can run. */
function dropUnknown(groups: ParameterGroup[], { warnings }: ImportContext): ParameterGroup[] {
  if (groups.length <= 1) return groups
  const known = groups.filter(({ models }) => models.length > 0)
  if (known.length === 0) return groups
  for (const { providers, models, parameters } of groups)
    if (models.length === 0 && Object.keys(parameters).length > 0)
      warnings.add(
        providers[0]!.place,
        `the parameters of ${providers[0]!.name} (${nameParameters(parameters)}) are not used, as there is no model for them`,
      )
  return known
}

/**
 * Makes variants of prompts and of providers' parameters: comparing them is what promptfoo is used for. A single prompt
 * without parameters needs none.
 */
export function makeVariants(
  prompts: readonly ImportedPrompt[],
  providers: readonly ImportedProvider[],
  options: { withAffixes: boolean },
  context: ImportContext,
): ImportedVariants {
  const expressions = new Map<string, Expression>()
  const collect = (text: string) => {
    const { template, expressions: used } = toTemplate(text)
    for (const expression of used) expressions.set(expression.name, expression)
    return template
  }
  const isSingle = prompts.length === 1
  const named = prompts.map((prompt): NamedPrompt => ({
    name: namePrompt(prompt, prompts),
    prompt,
    question: isSingle ? undefined : templateOf(prompt, options.withAffixes, collect),
  }))
  const groups = dropUnknown(groupProviders(providers), context)
  const hasParameters = groups.some(({ parameters }) => Object.keys(parameters).length > 0)
  if (isSingle && !hasParameters) return { variants: [], expressions: [] }
  const isOneGroup = groups.length <= 1
  const [only = { name: '', parameters: {}, models: [], providers: [] }] = groups
  const used = isOneGroup ? [only] : groups
  const variants = used.flatMap((group) =>
    named
      .filter((prompt) => group.providers.length === 0 || isFor(group.providers[0]!, prompt))
      .map(({ name, question }): Variant => ({
        name: isSingle ? group.name : isOneGroup || !hasParameters ? name : `${name}-${group.name}`,
        ...(!isOneGroup && group.models.length > 0 && { models: group.models }),
        ...question,
        ...(Object.keys(group.parameters).length > 0 && { parameters: group.parameters }),
      })),
  )
  for (const prompt of named)
    if (!used.some(({ providers: [first] }) => !first || isFor(first, prompt)))
      context.warnings.add(
        prompt.prompt.place,
        `the prompt ${JSON.stringify(prompt.name)} is left out: no provider that is known here uses it`,
      )
  return { variants: mergeEqual(variants), expressions: [...expressions.values()] }
}

/** Providers that differ only in their prompts share the variants of the prompts that they have in common. */
function mergeEqual(variants: readonly Variant[]): Variant[] {
  const merged: Variant[] = []
  for (const variant of variants) {
    const { models, ...rest } = variant
    const same = merged.find(({ models: _models, ...other }) => isDeepStrictEqual(other, rest))
    if (!same) merged.push(variant)
    else if (same.models && models) same.models = [...new Set([...same.models, ...models])]
  }
  return merged
}
