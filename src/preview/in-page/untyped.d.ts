/** Libraries without types of their own, as far as files here use them. */
declare module '*.png' {
  const address: string
  export default address
}

declare module 'p5' {
  const p5: { prototype: object }
  export default p5
}

declare module 'leaflet' {
  interface IconClass {
    imagePath: string
    mergeOptions(options: object): void
    prototype: { _getIconUrl?: unknown }
  }
  /** Maps, layers, popups and controls, as far as they are used here. */
  export interface Thing {
    on(handlers: object): void
    off(handlers: object): void
    addTo(target: Thing): Thing
    openOn(map: Thing): void
    remove(): void
    fitBounds(bounds: unknown): void
    whenReady(onReady: () => void): void
    setContent(content: HTMLElement): Thing
    setLatLng(place: unknown): Thing
  }
  type Make = (...options: unknown[]) => Thing
  const L: {
    Icon: { Default: IconClass; prototype: { _getIconUrl: unknown } }
    LayerGroup: new () => Thing
    map: Make
    tileLayer: Make
    imageOverlay: Make
    marker: Make
    circle: Make
    circleMarker: Make
    polyline: Make
    polygon: Make
    rectangle: Make
    geoJSON: Make
    layerGroup: Make
    featureGroup: Make
    popup: Make
    tooltip: Make
    control: Record<'zoom' | 'scale' | 'attribution', Make>
  }
  export default L
}

declare module 'three' {
  export function setConsoleFunction(
    write: (type: 'log' | 'warn' | 'error', message: string, ...values: unknown[]) => void,
  ): void
  export class Vector3 {
    x: number
    y: number
    z: number
    setFromSphericalCoords(radius: number, phi: number, theta: number): this
    project(camera: unknown): this
  }
  export class Color {
    r: number
    g: number
    b: number
    setHSL(hue: number, saturation: number, lightness: number): this
  }
  export class Object3D {
    rotation: { x: number; y: number; z: number }
    position: { x: number; y: number; z: number }
    getWorldPosition(target: Vector3): Vector3
  }
  export class BufferAttribute {
    constructor(values: Float32Array, size: number)
    readonly count: number
  }
  export class BufferGeometry {
    setAttribute(name: string, attribute: BufferAttribute): this
  }
  export class PointsMaterial {
    constructor(options: object)
    size: number
  }
  export class Points extends Object3D {
    constructor(geometry: BufferGeometry, material: PointsMaterial)
  }
  export class CanvasTexture {
    constructor(canvas: HTMLCanvasElement)
    needsUpdate: boolean
  }
}

declare module 'three/addons/controls/OrbitControls.js' {
  export class OrbitControls {
    constructor(camera: unknown, element: HTMLElement)
    update(): boolean
    dispose(): void
  }
}

declare module 'three/addons/geometries/RoundedBoxGeometry.js' {
  export class RoundedBoxGeometry {
    type: string
  }
}
