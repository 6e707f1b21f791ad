import { dirname, extname, resolve } from 'node:path'
import { InputError, type Suite } from '../../contract/index.ts'
import { allowFilesBelow, type AllowedFiles } from '../text/allowed-files.ts'

const MEDIA_TYPES = new Map([
  ['.png', 'image/png'],
  ['.jpg', 'image/jpeg'],
  ['.jpeg', 'image/jpeg'],
  ['.gif', 'image/gif'],
  ['.webp', 'image/webp'],
])

async function readImage(path: string, file: string, files: AllowedFiles): Promise<string> {
  const mediaType = MEDIA_TYPES.get(extname(path).toLowerCase())
  if (mediaType === undefined)
    throw new InputError(
      `${file}: the image ${path} is of an unknown type; known types are ${[...MEDIA_TYPES.keys()].join(' ')}`,
    )
  const bytes = await files.readBytes(resolve(dirname(file), path)).catch((error: Error) => {
    throw new InputError(`${file}: the image ${path} cannot be read: ${error.message}`, { cause: error })
  })
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`
}

/**
 * Replaces the paths of images by their data, so that the suite can be sent and stored on its own. Reads only below the
 * folder of the suite and what is allowed besides.
 */
export async function embedImages(suite: Suite, file: string, allowed: readonly string[] = []): Promise<Suite> {
  const hasImages = suite.testCases.some(({ messages }) => messages?.some(({ content }) => typeof content !== 'string'))
  if (!hasImages) return suite
  const files = allowFilesBelow([dirname(file), ...allowed])
  const testCases = await Promise.all(
    suite.testCases.map(async (testCase) => {
      if (!testCase.messages) return testCase
      const messages = await Promise.all(
        testCase.messages.map(async (message) => {
          if (typeof message.content === 'string') return message
          const content = await Promise.all(
            message.content.map(async (part) =>
              part.type === 'image' && !part.image.startsWith('data:')
                ? { ...part, image: await readImage(part.image, file, files) }
                : part,
            ),
          )
          return { ...message, content }
        }),
      )
      return { ...testCase, messages }
    }),
  )
  return { ...suite, testCases }
}
