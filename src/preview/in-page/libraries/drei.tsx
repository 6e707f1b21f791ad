/** The helpers of @react-three/drei that pages use most; the package itself is ten times the size of everything else. */
import { createPortal } from 'react-dom'
import { useFrame, useThree, extend } from '@react-three/fiber'
import { createElement, useEffect, useLayoutEffect, useMemo, useState, type ReactNode } from 'react'
import * as THREE from 'three'
import { OrbitControls as OrbitControlsOfThree } from 'three/addons/controls/OrbitControls.js'
import { RoundedBoxGeometry } from 'three/addons/geometries/RoundedBoxGeometry.js'

interface Props {
  children?: ReactNode
  [name: string]: unknown
}

extend({ OrbitControlsOfThree, RoundedBoxGeometry })

export function OrbitControls({ children: _children, ...props }: Props): ReactNode {
  const { camera: eye, gl } = useThree()
  const controls = useMemo(() => new OrbitControlsOfThree(eye, gl.domElement), [eye, gl])
  useFrame(() => controls.update())
  useEffect(() => () => controls.dispose(), [controls])
  return createElement('primitive', { object: controls, enableDamping: true, ...props })
}
export { OrbitControls as MapControls, OrbitControls as TrackballControls, OrbitControls as PresentationControls }

function shape(geometry: string, usual: number[] = []) {
  return ({ args = usual, children, ...props }: Props): ReactNode =>
    createElement('mesh', props, createElement(geometry, { args }), children)
}
export const Box = shape('boxGeometry')
export const Sphere = shape('sphereGeometry', [1, 32, 32])
export const Plane = shape('planeGeometry')
export const Cylinder = shape('cylinderGeometry')
export const Cone = shape('coneGeometry')
export const Torus = shape('torusGeometry')
export const TorusKnot = shape('torusKnotGeometry')
export const Icosahedron = shape('icosahedronGeometry')
export const Octahedron = shape('octahedronGeometry')
export const Dodecahedron = shape('dodecahedronGeometry')
export const Tetrahedron = shape('tetrahedronGeometry')
export const Circle = shape('circleGeometry')
export const Ring = shape('ringGeometry')
export function RoundedBox({ args, radius = 0.05, smoothness = 4, children, ...props }: Props): ReactNode {
  const [width = 1, height = 1, depth = 1] = Array.isArray(args) ? args : []
  return createElement(
    'mesh',
    props,
    createElement('roundedBoxGeometry', { args: [width, height, depth, smoothness, radius] }),
    children,
  )
}

function float(
  object: THREE.Object3D | null,
  time: number,
  { rotation, height }: { rotation: number; height: number },
) {
  if (!object) return
  object.rotation.x = (Math.cos(time / 4) / 8) * rotation
  object.rotation.y = (Math.sin(time / 4) / 8) * rotation
  object.position.y = (Math.sin(time / 4) / 10) * height
}

export function Float({ children, speed = 1, rotationIntensity = 1, floatIntensity = 1, ...props }: Props): ReactNode {
  const [group, setGroup] = useState<THREE.Object3D | null>(null)
  useFrame(({ clock }: { clock: { elapsedTime: number } }) =>
    float(group, clock.elapsedTime * Number(speed), {
      rotation: Number(rotationIntensity),
      height: Number(floatIntensity),
    }),
  )
  return createElement('group', props, createElement('group', { ref: setGroup }, children))
}

function makeStars({
  radius,
  depth,
  count,
  size,
  saturation,
}: Record<'radius' | 'depth' | 'count' | 'size' | 'saturation', number>) {
  const positions = new Float32Array(count * 3)
  const colors = new Float32Array(count * 3)
  for (let index = 0; index < count; index++) {
    const point = new THREE.Vector3().setFromSphericalCoords(
      radius + Math.random() * depth,
      Math.acos(1 - Math.random() * 2),
      Math.random() * 2 * Math.PI,
    )
    const color = new THREE.Color().setHSL(index / count, saturation, 0.9)
    positions.set([point.x, point.y, point.z], index * 3)
    colors.set([color.r, color.g, color.b], index * 3)
  }
  const geometry = new THREE.BufferGeometry()
  geometry.setAttribute('position', new THREE.BufferAttribute(positions, 3))
  geometry.setAttribute('color', new THREE.BufferAttribute(colors, 3))
  return new THREE.Points(geometry, new THREE.PointsMaterial({ size, vertexColors: true, depthWrite: false }))
}

export function Stars({ radius = 100, depth = 50, count = 5000, factor = 4, saturation = 0 }: Props): ReactNode {
  const points = useMemo(
    () =>
      makeStars({
        radius: Number(radius),
        depth: Number(depth),
        count: Number(count),
        size: Number(factor) / 8,
        saturation: Number(saturation),
      }),
    [radius, depth, count, factor, saturation],
  )
  return createElement('primitive', { object: points })
}

function camera(tag: string) {
  return ({ makeDefault = false, children, ...props }: Props): ReactNode => {
    const set = useThree(({ set: change }: { set: unknown }) => change) as (state: object) => void
    const [own, setOwn] = useState<THREE.Object3D | null>(null)
    useLayoutEffect(() => {
      if (makeDefault === true && own) set({ camera: own })
    }, [makeDefault, own, set])
    return createElement(tag, { ref: setOwn, ...props }, children)
  }
}
export const PerspectiveCamera = camera('perspectiveCamera')
export const OrthographicCamera = camera('orthographicCamera')

export const MeshDistortMaterial = ({ distort: _distort, speed: _speed, ...props }: Props): ReactNode =>
  createElement('meshPhysicalMaterial', props)
export const MeshWobbleMaterial = ({ factor: _factor, speed: _speed, ...props }: Props): ReactNode =>
  createElement('meshStandardMaterial', props)
export const MeshTransmissionMaterial = ({ color, roughness, thickness, ...props }: Props): ReactNode =>
  createElement('meshPhysicalMaterial', {
    transmission: 1,
    ...(color !== undefined && { color }),
    ...(roughness !== undefined && { roughness }),
    ...(thickness !== undefined && { thickness }),
    ...(props.ior !== undefined && { ior: props.ior }),
  })
export const MeshReflectorMaterial = ({ color, metalness, roughness }: Props): ReactNode =>
  createElement('meshStandardMaterial', { color, metalness, roughness })

/** A picture of the surroundings would come from the network: even light instead. */
export const Environment = (): ReactNode => createElement('hemisphereLight', { intensity: 1.5 })
export const Sky = (): ReactNode => createElement('color', { attach: 'background', args: ['#87b5e0'] })
export const Center = ({ children, ...props }: Props): ReactNode => createElement('group', props, children)
export const ContactShadows = (): ReactNode => null
export const Preload = (): ReactNode => null
export const Loader = (): ReactNode => null
export const AdaptiveDpr = (): ReactNode => null

/** Text on a plane: the package's own draws glyphs from a font file. */
export function Text({ children, color = 'white', fontSize = 1, ...props }: Props): ReactNode {
  const text = Array.isArray(children) ? children.join('') : String(children ?? '')
  const { texture, aspect } = useMemo(() => {
    const canvas = document.createElement('canvas')
    const pen = canvas.getContext('2d')!
    const font = '96px sans-serif'
    pen.font = font
    canvas.width = Math.max(1, Math.ceil(pen.measureText(text).width))
    canvas.height = 128
    pen.font = font
    pen.fillStyle = typeof color === 'string' ? color : 'white'
    pen.textBaseline = 'middle'
    pen.fillText(text, 0, 64)
    return { texture: new THREE.CanvasTexture(canvas), aspect: canvas.width / canvas.height }
  }, [text, color])
  const height = Number(fontSize) * 1.3
  const { position, rotation, scale } = props
  return createElement(
    'mesh',
    {
      ...(position !== undefined && { position }),
      ...(rotation !== undefined && { rotation }),
      ...(scale !== undefined && { scale }),
    },
    createElement('planeGeometry', { args: [height * aspect, height] }),
    createElement('meshBasicMaterial', { map: texture, transparent: true }),
  )
}
export { Text as Text3D }

function showAbove(element: HTMLElement, canvas: HTMLElement): () => void {
  element.style.position = 'absolute'
  canvas.parentElement?.append(element)
  return () => element.remove()
}

function place(
  element: HTMLElement,
  object: THREE.Object3D | null,
  { eye, size, isCentred }: { eye: unknown; size: { width: number; height: number }; isCentred: boolean },
): void {
  if (!object) return
  const { x, y } = object.getWorldPosition(new THREE.Vector3()).project(eye)
  element.style.left = `${((x + 1) / 2) * size.width}px`
  element.style.top = `${((1 - y) / 2) * size.height}px`
  element.style.transform = isCentred ? 'translate(-50%, -50%)' : ''
}

/** Elements above the canvas, at the place of their group on the screen. */
export function Html({ children, center = false, className, style, ...props }: Props): ReactNode {
  const { gl, camera: eye, size } = useThree()
  const [group, setGroup] = useState<THREE.Object3D | null>(null)
  const [element] = useState(() => document.createElement('div'))
  useEffect(() => showAbove(element, gl.domElement), [element, gl])
  useFrame(() => place(element, group, { eye, size, isCentred: center === true }))
  const content = createElement('div', { className, style }, children)
  return createElement('group', { ref: setGroup, position: props.position }, createPortal(content, element))
}
