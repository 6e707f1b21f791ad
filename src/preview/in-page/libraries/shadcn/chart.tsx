/** shadcn's chart (`@/components/ui/chart`), on Recharts. Apart from the others, which do not need it. */
import {
  createContext,
  useContext,
  useId,
  type ComponentType,
  type CSSProperties,
  type ReactElement,
  type ReactNode,
} from 'react'
import { Legend, ResponsiveContainer, Tooltip } from 'recharts'
import { cn, type PartProps } from './part.tsx'

interface Series {
  label?: ReactNode
  icon?: ComponentType
  color?: string
  theme?: { light: string; dark: string }
}
export type ChartConfig = Record<string, Series>

const Config = createContext<ChartConfig>({})

export const useChart = () => ({ config: useContext(Config) })

/** Older themes have the parts of a colour in `--chart-1`, newer ones a whole colour, which `hsl()` cannot take. */
function readColour(colour: string): string {
  const [, variable] = /^hsl\(\s*var\((--[\w-]+)\)\s*\)$/.exec(colour) ?? []
  if (variable === undefined) return colour
  const value = getComputedStyle(document.documentElement).getPropertyValue(variable)
  return /[(#]/.test(value) ? `var(${variable})` : colour
}

export function ChartStyle({ id, config }: { id: string; config: ChartConfig }): ReactNode {
  const write = (mode: 'light' | 'dark') =>
    Object.entries(config)
      .map(([key, { color, theme }]) => [key, theme?.[mode] ?? color] as const)
      .flatMap(([key, colour]) => (colour === undefined ? [] : [`--color-${key}: ${readColour(colour)};`]))
      .join(' ')
  return <style>{`[data-chart="${id}"] { ${write('light')} } .dark [data-chart="${id}"] { ${write('dark')} }`}</style>
}

/** As shadcn's own code writes them, not as Benchmaker does. */
// oxlint-disable-next-line house/no-number-format
const numbers = new Intl.NumberFormat()

const NOTHING: ChartConfig = {}
const NONE: readonly Entry[] = []

/** One a series: their names differ. */
const entryKey = ({ dataKey, name, value }: Entry): string => String(dataKey ?? name ?? value)

interface ContainerProps extends PartProps {
  config?: ChartConfig
  children?: ReactElement
}

export function ChartContainer({ id, className, children, config = NOTHING, ...props }: ContainerProps): ReactNode {
  const own = useId().replaceAll(/[^\w-]/g, '')
  const chart = `chart-${typeof id === 'string' ? id : own}`
  return (
    <Config.Provider value={config}>
      <div
        data-slot="chart"
        data-chart={chart}
        className={cn(
          "flex aspect-video justify-center text-xs [&_.recharts-cartesian-axis-tick_text]:fill-muted-foreground [&_.recharts-cartesian-grid_line[stroke='#ccc']]:stroke-border/50 [&_.recharts-layer]:outline-none [&_.recharts-surface]:outline-none",
          className,
        )}
        {...props}
      >
        <ChartStyle id={chart} config={config} />
        <ResponsiveContainer>{children}</ResponsiveContainer>
      </div>
    </Config.Provider>
  )
}

export { Legend as ChartLegend, Tooltip as ChartTooltip }

/** What Recharts says of a series under the pointer or in the legend. */
interface Entry {
  name?: string
  dataKey?: string | number
  value?: unknown
  color?: string
  payload?: Record<string, unknown> & { fill?: string }
}

function findSeries(config: ChartConfig, { payload, name, dataKey }: Entry, key: unknown): Series | undefined {
  const named = typeof key === 'string' ? (payload?.[key] ?? key) : undefined
  return [named, dataKey, name].flatMap((found) => config[String(found)] ?? [])[0]
}

interface TooltipProps {
  active?: boolean
  payload?: Entry[]
  label?: ReactNode
  className?: string
  indicator?: 'dot' | 'line' | 'dashed'
  hideLabel?: boolean
  hideIndicator?: boolean
  labelFormatter?: (label: ReactNode, payload: Entry[]) => ReactNode
  formatter?: (value: unknown, name: unknown, entry: Entry, index: number, payload: unknown) => ReactNode
  nameKey?: string
  labelKey?: string
}

export function ChartTooltipContent(props: TooltipProps): ReactNode {
  const {
    active,
    payload = [],
    label,
    className,
    indicator = 'dot',
    hideLabel,
    hideIndicator,
    nameKey,
    labelKey,
  } = props
  const { labelFormatter, formatter } = props
  const { config } = useChart()
  if (!active || payload.length === 0) return null
  const title = config[labelKey ?? String(label)]?.label ?? label
  return (
    <div
      className={cn(
        'border-border/50 bg-background grid min-w-[8rem] items-start gap-1.5 rounded-lg border px-2.5 py-1.5 text-xs shadow-xl',
        className,
      )}
    >
      {!hideLabel && <div className="font-medium">{labelFormatter ? labelFormatter(title, payload) : title}</div>}
      {payload.map((entry, index) => {
        if (formatter && entry.value !== undefined)
          return <div key={entryKey(entry)}>{formatter(entry.value, entry.name, entry, index, entry.payload)}</div>
        const style: CSSProperties = { background: entry.payload?.fill ?? entry.color }
        return (
          <div key={entryKey(entry)} className="flex w-full items-center gap-2">
            {!hideIndicator && (
              <span
                className={cn('shrink-0 rounded-[2px]', indicator === 'dot' ? 'size-2.5' : 'h-4 w-1')}
                style={style}
              />
            )}
            <span className="text-muted-foreground flex-1">
              {findSeries(config, entry, nameKey)?.label ?? entry.name}
            </span>
            <span className="font-mono font-medium tabular-nums">
              {typeof entry.value === 'number' ? numbers.format(entry.value) : String(entry.value ?? '')}
            </span>
          </div>
        )
      })}
    </div>
  )
}

interface LegendProps {
  className?: string
  payload?: readonly Entry[]
  hideIcon?: boolean
  nameKey?: string
}

export function ChartLegendContent({ className, hideIcon, payload = NONE, nameKey }: LegendProps): ReactNode {
  const { config } = useChart()
  return (
    <div className={cn('flex items-center justify-center gap-4 pt-3', className)}>
      {payload.map((entry) => {
        const series = findSeries(config, entry, nameKey)
        const Icon = series?.icon
        return (
          <span key={`${entryKey(entry)} ${String(entry.value)}`} className="flex items-center gap-1.5">
            {Icon && !hideIcon ? (
              <Icon />
            ) : (
              <span className="size-2 rounded-[2px]" style={{ background: entry.color }} />
            )}
            {series?.label ?? String(entry.value ?? '')}
          </span>
        )
      })}
    </div>
  )
}
