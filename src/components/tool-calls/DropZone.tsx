import { forRunners } from '../access/for-runners.tsx'
import { Upload } from 'lucide-react'
import { useRef, useState } from 'react'
import { buttonClass } from '../ui/Button.tsx'
import { classes } from '../ui/classes.ts'

/** Accepts one file, dropped or chosen. */
function DropZoneForRunners({
  onFile,
  isBusy,
  busyText,
}: {
  onFile: (file: File) => void
  isBusy: boolean
  busyText: string
}) {
  const input = useRef<HTMLInputElement>(null)
  const [isDraggedOver, setDraggedOver] = useState(false)
  const acceptFirst = (files: FileList | null) => {
    const file = files?.[0]
    if (file) onFile(file)
  }
  return (
    <div
      onDragOver={(event) => {
        event.preventDefault()
        setDraggedOver(true)
      }}
      onDragLeave={() => setDraggedOver(false)}
      onDrop={(event) => {
        event.preventDefault()
        setDraggedOver(false)
        acceptFirst(event.dataTransfer.files)
      }}
      className={classes(
        'flex flex-col items-center gap-2 rounded-lg border border-dashed px-4 py-8 text-center',
        isDraggedOver ? 'border-accent bg-accent-soft' : 'border-line-strong/60',
      )}
    >
      <Upload size={20} aria-hidden className="text-muted" />
      {isBusy ? (
        <div role="status">{busyText}</div>
      ) : (
        <>
          <div>Drop a results file here: tau-bench, tau2-bench, BFCL, OpenAI or Anthropic messages</div>
          <button type="button" className={buttonClass('primary')} onClick={() => input.current?.click()}>
            Choose a file
          </button>
          <div className="text-xs text-muted">Files stay on this machine. Maximum size: 512 MB.</div>
        </>
      )}
      <input
        ref={input}
        type="file"
        aria-label="Results file"
        className="hidden"
        accept=".json,.jsonl,application/json"
        onChange={(event) => {
          acceptFirst(event.target.files)
          event.target.value = ''
        }}
      />
    </div>
  )
}

export const DropZone = forRunners(DropZoneForRunners)
