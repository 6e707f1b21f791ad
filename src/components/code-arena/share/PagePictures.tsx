import { ImageOff } from 'lucide-react'
import { addSessionKey } from '../../session-key.ts'
import { isFromServer } from '../panel/Screenshots.tsx'

interface PagePicturesProps {
  models: readonly string[]
  /** Where the small pictures are, by model. */
  pictures: Readonly<Record<string, string>>
  /** What to call a model: before a vote, its name is hidden. */
  nameOf?: (modelId: string) => string
}

const nameItself = (modelId: string) => modelId

/** A small picture of each page of a run, or a placeholder where there is no screenshot. */
export function PagePictures({ models, pictures, nameOf = nameItself }: PagePicturesProps) {
  return (
    <ul aria-label="Pictures of the pages" className="flex flex-wrap gap-1">
      {models.map((modelId) => {
        const url = Object.hasOwn(pictures, modelId) ? pictures[modelId] : undefined
        return (
          <li key={modelId} className="h-[45px] w-[72px] overflow-hidden rounded-xs border border-line bg-sunken">
            {url !== undefined && isFromServer(url) ? (
              <img
                src={addSessionKey(url)}
                alt={`Page by ${nameOf(modelId)}`}
                title={nameOf(modelId)}
                width={72}
                height={45}
                loading="lazy"
                decoding="async"
                className="size-full bg-white object-cover object-top"
              />
            ) : (
              <span
                role="img"
                aria-label={`No picture of the page by ${nameOf(modelId)}`}
                title={`${nameOf(modelId)}: no screenshot`}
                className="flex size-full items-center justify-center text-muted"
              >
                <ImageOff size={14} aria-hidden />
              </span>
            )}
          </li>
        )
      })}
    </ul>
  )
}
