import type { ArenaInspection } from '../../../contract/index.ts'
import { useState } from 'react'
import { addSessionKey } from '../../session-key.ts'
import { Dialog } from '../../ui/Dialog.tsx'
import { describeScreenshot } from '../../../report/words/code-arena.ts'

type Screenshot = ArenaInspection['screenshots'][number]

/** Only screenshots from our own server. */
export const isFromServer = (url: string) => url.startsWith('/api/code-arena/')

/** Thumbnails by width; each opens the full screenshot. */
export function Screenshots({ modelId, screenshots }: { modelId: string; screenshots: Screenshot[] }) {
  const [open, setOpen] = useState<string>()
  const trusted = screenshots.filter(({ url }) => isFromServer(url))
  const shown = trusted.find(({ name }) => name === open)
  return (
    <>
      <ul aria-label={`Screenshots of ${modelId}`} className="flex flex-wrap gap-2">
        {trusted.map((picture) => (
          <li key={picture.name}>
            <button
              type="button"
              onClick={() => setOpen(picture.name)}
              aria-label={`Open the screenshot at ${describeScreenshot(picture)}, by ${modelId}`}
              className="flex flex-col gap-1 rounded-md border border-line p-1 text-xs text-muted hover:bg-hover hover:text-ink"
            >
              <img
                src={addSessionKey(picture.url)}
                alt=""
                loading="lazy"
                className="h-24 w-auto max-w-40 rounded-xs bg-white object-cover object-top"
                width={Math.min(160, Math.round((96 * picture.width) / picture.height))}
                height={96}
              />
              {describeScreenshot(picture)}
            </button>
          </li>
        ))}
      </ul>
      <Dialog
        title={shown ? `${modelId} at ${describeScreenshot(shown)}` : modelId}
        {...(shown && {
          description: `${shown.width} × ${shown.height} pixels, taken in a browser without network access`,
        })}
        width="wide"
        isOpen={shown !== undefined}
        onClose={() => setOpen(undefined)}
      >
        {shown && (
          <div tabIndex={0} role="region" aria-label="Full screenshot">
            <img
              src={addSessionKey(shown.url)}
              alt={`Screenshot of the page by ${modelId} at ${describeScreenshot(shown)}`}
              width={shown.width}
              height={shown.height}
              className="mx-auto h-auto max-w-full border border-line"
            />
          </div>
        )}
      </Dialog>
    </>
  )
}
