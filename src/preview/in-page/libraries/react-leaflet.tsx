/** `react-leaflet`, as far as pages use it: its own licence does not let us bring it. */
import L, { type Thing } from 'leaflet'
import {
  createContext,
  useContext,
  useEffect,
  useRef,
  useState,
  type CSSProperties,
  type ReactNode,
  type RefCallback,
} from 'react'
import { createPortal } from 'react-dom'

const Map = createContext<Thing | undefined>(undefined)
/** What popups and tooltips belong to. */
const Owner = createContext<Thing | undefined>(undefined)
/** What layers are added to: the map, or a group. */
const Target = createContext<Thing | undefined>(undefined)

export function useMap(): Thing {
  const map = useContext(Map)
  if (!map) throw new Error('useMap() needs a <MapContainer> around it.')
  return map
}

type Handlers = Record<string, (event: unknown) => void>

function useHandlers(target: Thing | undefined, handlers: Handlers): void {
  const latest = useRef(handlers)
  useEffect(() => {
    latest.current = handlers
  })
  const names = Object.keys(handlers).join(' ')
  useEffect(() => {
    if (!target || names === '') return undefined
    const own = Object.fromEntries(
      names.split(' ').map((name) => [name, (event: unknown) => latest.current[name]?.(event)]),
    )
    target.on(own)
    return () => target.off(own)
  }, [target, names])
}

export function useMapEvents(handlers: Handlers): Thing {
  const map = useMap()
  useHandlers(map, handlers)
  return map
}

export const useMapEvent = (name: string, handler: Handlers[string]): Thing => useMapEvents({ [name]: handler! })

interface MapProps {
  bounds?: unknown
  children?: ReactNode
  className?: string
  id?: string
  style?: CSSProperties
  whenReady?: () => void
  ref?: RefCallback<Thing> | { current: Thing | null }
}

export function MapContainer({
  children,
  className,
  id,
  style,
  bounds,
  whenReady,
  ref,
  ...options
}: MapProps): ReactNode {
  const box = useRef<HTMLDivElement>(null)
  const given = useRef({ options, bounds, whenReady, ref })
  const [map, setMap] = useState<Thing>()
  useEffect(() => {
    if (!box.current) return undefined
    const { options: first, bounds: shown, whenReady: onReady, ref: outer } = given.current
    const made = L.map(box.current, first)
    if (shown) made.fitBounds(shown)
    if (typeof outer === 'function') outer(made)
    else if (outer) outer.current = made
    if (onReady) made.whenReady(onReady)
    setMap(made)
    return () => void made.remove()
  }, [])
  return (
    <div ref={box} className={className} id={id} style={style}>
      <Map.Provider value={map}>
        <Target.Provider value={map}>{map && children}</Target.Provider>
      </Map.Provider>
    </div>
  )
}

interface LayerProps {
  children?: ReactNode
  eventHandlers?: Handlers
  pathOptions?: object
  [name: string]: unknown
}

/** A component for a layer: made once, and changed where its properties have a setter, as `setLatLng` has. */
function layer(make: (props: LayerProps, options: object) => Thing, setters: Record<string, string> = {}) {
  return (props: LayerProps): ReactNode => {
    const { children, eventHandlers = {}, pathOptions, ...others } = props
    const target = useContext(Target)
    const [made] = useState(() => make(props, { ...others, ...pathOptions }))
    useHandlers(made, eventHandlers)
    useEffect(() => {
      if (target) made.addTo(target)
      return () => void made.remove()
    }, [made, target])
    const before = useRef(props)
    useEffect(() => {
      for (const [name, setter] of Object.entries(setters))
        if (props[name] !== undefined && props[name] !== before.current[name])
          Reflect.get(made, setter)?.call(made, props[name])
      before.current = props
    })
    return (
      <Owner.Provider value={made}>
        {made instanceof L.LayerGroup ? <Target.Provider value={made}>{children}</Target.Provider> : children}
      </Owner.Provider>
    )
  }
}

const path = { pathOptions: 'setStyle' }

export const TileLayer = layer((props, options) => L.tileLayer(props['url'], options), { url: 'setUrl' })
export const ImageOverlay = layer((props, options) => L.imageOverlay(props['url'], props['bounds'], options))
export const Marker = layer((props, options) => L.marker(props['position'], options), {
  position: 'setLatLng',
  icon: 'setIcon',
  opacity: 'setOpacity',
})
export const Circle = layer((props, options) => L.circle(props['center'], options), {
  center: 'setLatLng',
  radius: 'setRadius',
  ...path,
})
export const CircleMarker = layer((props, options) => L.circleMarker(props['center'], options), {
  center: 'setLatLng',
  radius: 'setRadius',
  ...path,
})
export const Polyline = layer((props, options) => L.polyline(props['positions'], options), {
  positions: 'setLatLngs',
  ...path,
})
export const Polygon = layer((props, options) => L.polygon(props['positions'], options), {
  positions: 'setLatLngs',
  ...path,
})
export const Rectangle = layer((props, options) => L.rectangle(props['bounds'], options), {
  bounds: 'setBounds',
  ...path,
})
export const GeoJSON = layer((props, options) => L.geoJSON(props['data'], options), { style: 'setStyle' })
export const LayerGroup = layer(() => L.layerGroup())
export const FeatureGroup = layer(() => L.featureGroup())

/** Something that Leaflet opens, with what React draws in it. */
function overlay(make: (options: object) => Thing, bind: 'bindPopup' | 'bindTooltip') {
  return ({ children, position, ...options }: { children?: ReactNode; position?: unknown }): ReactNode => {
    const owner = useContext(Owner)
    const map = useContext(Map)
    const [content] = useState(() => document.createElement('div'))
    const given = useRef(options)
    useEffect(() => {
      const made = make(given.current).setContent(content)
      if (owner) {
        Reflect.get(owner, bind).call(owner, made)
        return () => void Reflect.get(owner, bind.replace('bind', 'unbind')).call(owner)
      }
      if (position && map) made.setLatLng(position).openOn(map)
      return () => void made.remove()
    }, [owner, map, content, position])
    return createPortal(children, content)
  }
}

export const Popup = overlay((options) => L.popup(options), 'bindPopup')
export const Tooltip = overlay((options) => L.tooltip(options), 'bindTooltip')

function control(make: (options: object) => Thing) {
  return (options: object): null => {
    const map = useMap()
    const given = useRef(options)
    useEffect(() => {
      const made = make(given.current).addTo(map)
      return () => void made.remove()
    }, [map])
    return null
  }
}

export const ZoomControl = control((options) => L.control.zoom(options))
export const ScaleControl = control((options) => L.control.scale(options))
export const AttributionControl = control((options) => L.control.attribution(options))
