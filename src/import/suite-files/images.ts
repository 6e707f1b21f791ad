import { dirname, extname, resolve } from 'node:path'
import { InputError, type Message, type Suite, type TestCase, type Variant } from '../../contract/index.ts'
import { allowFilesBelow, type AllowedFiles } from '../text/allowed-files.ts'

const MEDIA_TYPES = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
])

/** The media type of an image file; undefined for any other file. */
export function mediaTypeOf(path: string): string | undefined {
  return MEDIA_TYPES.get(extname(path).toLowerCase())
}

/** Where the suite names an image, for messages. */
type Describe = (path: readonly PropertyKey[]) => string

interface Images {
  file: string
  files: AllowedFiles
  describe: Describe
}

async function embedImage(image: string, at: readonly PropertyKey[], images: Images): Promise<string> {
  const { file, files, describe } = images
  const mediaType = mediaTypeOf(image)
  if (mediaType === undefined)
    throw new InputError(
      `${describe(at)}: the image ${image} is of an unknown type; known types are ${[...MEDIA_TYPES.keys()].join(' ')}`,
    )
  const bytes = await files.readBytes(resolve(dirname(file), image)).catch((error: Error) => {
    throw new InputError(`${describe(at)}: the image ${image} cannot be read: ${error.message}`, { cause: error })
  })
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
}

/** A file beside the suite with a page in HTML; what is HTML already stays. */
async function embedPage(page: string, at: readonly PropertyKey[], { file, files, describe }: Images): Promise<string> {
  if (page.includes('<')) return page
  return files.readText(resolve(dirname(file), page)).catch((error: Error) => {
    throw new InputError(`${describe(at)}: the page ${page} cannot be read: ${error.message}`, { cause: error })
  })
}

type Embed = (image: string, at: readonly PropertyKey[]) => Promise<string>

async function embedMessages(messages: Message[], at: readonly PropertyKey[], embed: Embed): Promise<Message[]> {
  return Promise.all(
    messages.map(async (message, index) => {
      if (typeof message.content === 'string') return message
      const content = await Promise.all(
        message.content.map(async (part, place) =>
          part.type === 'image'
            ? { ...part, image: await embed(part.image, [...at, 'messages', index, 'content', place, 'image']) }
            : part,
        ),
      )
      return { ...message, content }
    }),
  )
}

/** The variables that a variant uses as an image: `image: '{{photo}}'`. */
function findImageVariables(variants: readonly Variant[]): Set<string> {
  const parts = variants.flatMap(({ messages = [] }) =>
    messages.flatMap(({ content }) => (typeof content === 'string' ? [] : content)),
  )
  return new Set(
    parts.flatMap((part) => {
      const name = part.type === 'image' ? /^\{\{\s*(.*?)\s*\}\}$/.exec(part.image)?.[1] : undefined
      return name === undefined ? [] : [name]
    }),
  )
}

/** What page scorers compare answers with: their options that may name a file. */
const REFERENCES = ['referencePage'] as const

type Fields = Record<string, unknown> & { checks?: Fields[] | undefined }

const hasReferences = (fields: Fields): boolean =>
  REFERENCES.some((name) => typeof fields[name] === 'string') || (fields.checks ?? []).some(hasReferences)

async function embedReferences<Given extends Fields>(
  fields: Given,
  at: readonly PropertyKey[],
  images: Images,
): Promise<Given> {
  if (!hasReferences(fields)) return fields
  const { referencePage, checks } = fields
  return {
    ...fields,
    ...(typeof referencePage === 'string' && {
      referencePage: await embedPage(referencePage, [...at, 'referencePage'], images),
    }),
    ...(checks && {
      checks: await Promise.all(checks.map((check, index) => embedReferences(check, [...at, 'checks', index], images))),
    }),
  }
}

function hasImages(messages: readonly Message[] = []): boolean {
  return messages.some(({ content }) => typeof content !== 'string')
}

/**
 * Replaces the paths of images and reference pages by their data, so that the suite can be sent and stored on its own. Reads only below the
 * folder of the suite and what is allowed besides. Images on the web are left to the provider.
 */
export async function embedImages(
  suite: Suite,
  { file, describe, allowed = [] }: { file: string; describe: Describe; allowed?: readonly string[] | undefined },
): Promise<Suite> {
  const { testCases, variants = [] } = suite
  if (![...testCases, ...variants].some(({ messages }) => hasImages(messages)) && !testCases.some(hasReferences))
    return suite
  const images = { file, files: allowFilesBelow([dirname(file), ...allowed]), describe }
  const embed: Embed = async (image, at) =>
    /^(?:data|https?):/.test(image) || image.includes('{{') ? image : embedImage(image, at, images)
  const imageVariables = findImageVariables(variants)
  const embedVars = async (vars: NonNullable<TestCase['vars']>, at: readonly PropertyKey[]) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(vars).map(
          async ([name, value]) =>
            [
              name,
              imageVariables.has(name) && typeof value === 'string' ? await embed(value, [...at, 'vars', name]) : value,
            ] as const,
        ),
      ),
    )
  return {
    ...suite,
    ...(suite.variants && {
      variants: await Promise.all(
        variants.map(async (variant, index) =>
          variant.messages
            ? { ...variant, messages: await embedMessages(variant.messages, ['variants', index], embed) }
            : variant,
        ),
      ),
    }),
    testCases: await Promise.all(
      testCases.map(async (testCase, index) => ({
        ...(await embedReferences(testCase, ['testCases', index], images)),
        ...(testCase.messages && { messages: await embedMessages(testCase.messages, ['testCases', index], embed) }),
        ...(testCase.vars && imageVariables.size > 0 && { vars: await embedVars(testCase.vars, ['testCases', index]) }),
      })),
    ),
  }
}
