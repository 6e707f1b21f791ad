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
  systemPrompt: string | undefined
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

/** `temperature-0-max-tokens-128`; a schema or a text goes by its name only. */
function nameParameters({ parameters, systemPrompt }: Settings): string {
  const words = Object.entries(parameters).map(([name, value]) => {
    const kebab = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    return typeof value === 'object' ? kebab : `${kebab}-${value}`
  })
  if (systemPrompt !== undefined) words.push('system-prompt')
  return words.length === 0 ? 'default' : words.join('-')
}

/** What a model is asked with, besides the prompt. */
interface Settings {
  parameters: Partial<ModelParameters>
  systemPrompt?: string | undefined
}

function hasSettings({ parameters, systemPrompt }: Settings): boolean {
  return Object.keys(parameters).length > 0 || systemPrompt !== undefined
}

/** The settings of a prompt override those of a provider. */
function combine(group: Settings, { settings }: ImportedPrompt): Settings {
  return {
    parameters: { ...group.parameters, ...settings?.parameters },
    systemPrompt: settings?.systemPrompt ?? group.systemPrompt,
  }
}

/** Two providers that differed in the config must not become one contestant without a word. */
function warnOfTwins(earlier: ImportedProvider, later: ImportedProvider, { warnings }: ImportContext): void {
  if (isDeepStrictEqual(earlier.written, later.written) && isDeepStrictEqual(earlier.tools, later.tools)) return
  const message = `${later.name} and ${earlier.name} are the same model with the same parameters here: they are one contestant`
  // Written in two ways, such as once in a file, but the same; or made the same by what was left out.
  if (earlier.isWhole && later.isWhole) warnings.note(later.place, message)
  else warnings.add(later.place, message)
}

/** Providers with the same parameters and prompts are one group: they differ only in the model. */
function groupProviders(providers: readonly ImportedProvider[], context: ImportContext): ParameterGroup[] {
  const groups: ParameterGroup[] = []
  for (const provider of providers) {
    const { parameters, prompts, model, systemPrompt } = provider
    const group = groups.find(
      ({ providers: [first], ...others }) =>
        isDeepStrictEqual(others.parameters, parameters) &&
        others.systemPrompt === systemPrompt &&
        isDeepStrictEqual(first?.prompts, prompts),
    )
    const twin = group?.providers.find((earlier) => model !== undefined && earlier.model === model)
    if (twin) warnOfTwins(twin, provider, context)
    if (group) {
      group.providers.push(provider)
      if (model !== undefined && !group.models.includes(model)) group.models.push(model)
    } else
      groups.push({
        name: '',
        parameters,
        systemPrompt,
        models: model === undefined ? [] : [model],
        providers: [provider],
      })
  }
  const names = groups.map((group) => {
    const [first, ...others] = group.providers
    const label = others.length === 0 ? makeSlug(first?.label ?? '') : ''
    return label === '' ? nameParameters(group) : label
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
  for (const group of groups)
    if (group.models.length === 0 && hasSettings(group))
      warnings.note(
        group.providers[0]!.place,
        `the parameters of ${group.providers[0]!.name} (${nameParameters(group)}) are not used, as there is no model for them`,
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
  const groups = dropUnknown(groupProviders(providers, context), context)
  const hasParameters = groups.some(hasSettings)
  const isSet = hasParameters || prompts.some(({ settings }) => settings && hasSettings(settings))
  if (isSingle && !isSet) return { variants: [], expressions: [] }
  const isOneGroup = groups.length <= 1
  const [only = { name: '', parameters: {}, systemPrompt: undefined, models: [], providers: [] }] = groups
  const used = isOneGroup ? [only] : groups
  const variants = used.flatMap((group) =>
    named
      .filter((prompt) => group.providers.length === 0 || isFor(group.providers[0]!, prompt))
      .map(({ name, question, prompt }): Variant => {
        const { parameters, systemPrompt } = combine(group, prompt)
        const own = group.name === '' ? nameParameters({ parameters, systemPrompt }) : group.name
        return {
          name: isSingle ? own : isOneGroup || !hasParameters ? name : `${name}-${group.name}`,
          ...(!isOneGroup && group.models.length > 0 && { models: group.models }),
          ...question,
          ...(systemPrompt !== undefined && { systemPrompt }),
          ...(Object.keys(parameters).length > 0 && { parameters }),
        }
      }),
  )
  for (const prompt of named) {
    if (used.some(({ providers: [first] }) => !first || isFor(first, prompt))) continue
    const { place } = prompt.prompt
    const left = `the prompt ${JSON.stringify(prompt.name)} is left out: no provider`
    // promptfoo sends it to none either.
    if (!providers.some((provider) => isFor(provider, prompt))) context.warnings.note(place, `${left} uses it`)
    else context.warnings.add(place, `${left} that is known here uses it`)
  }
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
