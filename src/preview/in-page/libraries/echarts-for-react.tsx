import * as echarts from 'echarts'
import { useEffect, useRef, type CSSProperties } from 'react'

interface ChartProps {
  option: echarts.EChartsOption
  style?: CSSProperties
  className?: string
  theme?: string
  notMerge?: boolean
  opts?: echarts.EChartsInitOpts
  onEvents?: Record<string, (event: unknown) => void>
  onChartReady?: (chart: echarts.ECharts) => void
}

/** `echarts-for-react`, as far as pages use it. */
export default function ReactECharts(props: ChartProps) {
  const { option, style, className, theme, notMerge = false, opts, onEvents = {}, onChartReady } = props
  const box = useRef<HTMLDivElement>(null)
  const chart = useRef<echarts.ECharts>(null)
  const given = useRef({ opts, onEvents, onChartReady })
  useEffect(() => {
    if (!box.current) return
    const made = echarts.init(box.current, theme, given.current.opts)
    chart.current = made
    for (const [name, handle] of Object.entries(given.current.onEvents)) made.on(name, handle)
    const observer = new ResizeObserver(() => made.resize())
    observer.observe(box.current)
    given.current.onChartReady?.(made)
    return () => {
      observer.disconnect()
      made.dispose()
    }
  }, [theme])
  useEffect(() => chart.current?.setOption(option, notMerge), [option, notMerge])
  return <div ref={box} className={className} style={{ height: 300, ...style }} />
}
