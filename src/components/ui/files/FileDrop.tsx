import { useState, type DragEvent, type ReactNode } from 'react'
import { useMay } from '../../access/session.ts'
import { listDropped } from './dropped-files.ts'
import type { GivenFile } from './given-file.ts'

/** Files dropped anywhere on a page by those who may import them, those in dropped folders included. */
export function useFileDrop(onFiles: (files: GivenFile[]) => void) {
  const mayImport = useMay('runner')
  const isFor = (event: DragEvent) => mayImport && event.dataTransfer.types.includes('Files')
  const [isDraggedOver, setDraggedOver] = useState(false)
  return {
    isDraggedOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!isFor(event)) return
        event.preventDefault()
        setDraggedOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        const isInside = event.relatedTarget instanceof Node && event.currentTarget.contains(event.relatedTarget)
        if (!isInside) setDraggedOver(false)
      },
      onDrop: (event: DragEvent) => {
        if (!isFor(event)) return
        event.preventDefault()
        setDraggedOver(false)
        void listDropped(event.dataTransfer).then(onFiles)
      },
    },
  }
}

/** A page that takes dropped files, with a sign while files are above it. */
export function FileDrop({
  dropping: { isDraggedOver, handlers },
  text,
  children,
}: {
  dropping: ReturnType<typeof useFileDrop>
  text: string
  children: ReactNode
}) {
  return (
    <div className="relative min-h-[calc(100dvh-48px)] md:min-h-dvh" {...handlers}>
      {children}
      {isDraggedOver && (
        <div className="pointer-events-none absolute inset-2 z-20 flex items-center justify-center rounded-lg border-2 border-dashed border-accent bg-accent-soft/90 text-base font-medium">
          {text}
        </div>
      )}
    </div>
  )
}
