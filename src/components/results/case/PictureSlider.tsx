import { useState } from 'react'
import { api } from '../../api.ts'
import { apiAddress } from '../../api-request.ts'

interface PictureSliderProps {
  runId: string
  testCaseId: string
  modelId: string
}

/** The reference page and the answer's page on one another, divided by a line that can be moved. */
export function PictureSlider({ runId, testCaseId, modelId }: PictureSliderProps) {
  const [share, setShare] = useState(50)
  const addressOf = (name: string) =>
    apiAddress(
      api.codeArena[':runId'].artifacts.$path({ param: { runId }, query: { model: modelId, case: testCaseId, name } }),
    )
  return (
    <figure className="m-0 flex flex-col gap-1.5 border-b border-line px-3 py-2">
      <div
        className="relative max-h-[480px] overflow-auto border border-line bg-white"
        tabIndex={0}
        role="group"
        aria-label="Both pictures"
      >
        <div className="relative">
          <img src={addressOf('reference.png')} alt="The reference page" className="block h-auto w-full" />
          <img
            src={addressOf('page.png')}
            alt={`The page by ${modelId}`}
            className="absolute top-0 left-0 block h-auto w-full bg-white"
            style={{ clipPath: `inset(0 0 0 ${share}%)` }}
          />
          <div aria-hidden className="absolute inset-y-0 w-0.5 bg-accent" style={{ left: `${share}%` }} />
        </div>
      </div>
      <label className="flex items-center gap-2 text-[13px] text-muted">
        Reference
        <input
          type="range"
          min={0}
          max={100}
          value={share}
          onChange={({ target }) => setShare(Number(target.value))}
          aria-label={`Share of the reference beside the page by ${modelId}`}
          className="min-w-0 flex-1 accent-accent"
        />
        {modelId}
      </label>
    </figure>
  )
}
