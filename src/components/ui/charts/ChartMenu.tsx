import { messageOf } from '../../../contract/index.ts'
import { ImageDown } from 'lucide-react'
import type { ChartTheme } from '../../../report/charts/svg/canvas.ts'
import { Button } from '../Button.tsx'
import { saveBlob } from '../files/save-file.ts'
import { currentTheme, drawPng } from './chart-file.ts'
import { Menu, MenuItem } from '../Menu.tsx'
import { toast } from '../toast.ts'

interface ChartMenuProps {
  /** What the chart shows: `leaderboard`. Also the name of its file. */
  name: string
  /** The chart as an SVG file; undefined if there is nothing to draw. */
  draw: (theme: ChartTheme) => string | undefined
}

/** Saves a chart as SVG or PNG, in the colours of the page. */
export function ChartMenu({ name, draw }: ChartMenuProps) {
  const save = async (extension: 'svg' | 'png') => {
    try {
      const svg = draw(currentTheme())
      if (svg === undefined) return toast('There is nothing to draw.')
      const blob = extension === 'png' ? await drawPng(svg) : new Blob([svg], { type: 'image/svg+xml;charset=utf-8' })
      return saveBlob(`${name}.${extension}`, blob)
    } catch (error) {
      return toast(`The chart was not saved: ${messageOf(error)}.`)
    }
  }
  return (
    <Menu
      trigger={
        <Button kind="quiet" className="h-7 px-2" aria-label={`Save the chart: ${name}`} title="Save the chart">
          <ImageDown size={14} className="shrink-0" aria-hidden />
        </Button>
      }
    >
      <MenuItem onSelect={() => void save('svg')}>Save as SVG</MenuItem>
      <MenuItem onSelect={() => void save('png')}>Save as PNG</MenuItem>
    </Menu>
  )
}
