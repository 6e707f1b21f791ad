import { Monitor, Smartphone, Tablet } from 'lucide-react'
import { readViewportWidth, viewportWidths } from './fit-viewport.ts'
import { Segments } from './Segments.tsx'

const icons = { 375: Smartphone, 768: Tablet, 1440: Monitor }
const names = { 375: 'Phone, 375 px', 768: 'Tablet, 768 px', 1440: 'Desktop, 1440 px' }

/** The width of the pages, the same for all so that they can be compared. */
export function ViewportSwitch({ width, onChange }: { width: number; onChange: (width: number) => void }) {
  return (
    <Segments
      label="Page width"
      value={String(width)}
      onChange={(value) => onChange(readViewportWidth(value, width))}
      options={viewportWidths.map((value) => {
        const Icon = icons[value]
        return {
          value: String(value),
          name: names[value],
          label: (
            <>
              <Icon size={14} aria-hidden />
              <span className="max-sm:hidden">{value}</span>
            </>
          ),
        }
      })}
    />
  )
}
