/** All icons of Lucide for React, for Vue and for plain pages, from one set of drawings. */
import { drawings } from 'virtual:lucide-icons'
import { findDrawing, iconKey, type IconNode } from './icon-drawings.ts'

/** Lucide removed brand icons in version 1; pages still use them. */
const STAND_IN: IconNode[] = [['rect', { width: '18', height: '18', x: '3', y: '3', rx: '4' }]]

/** Finds an icon by any of its names: `CheckCircle`, `check-circle`, `LucideCheckCircle`, `CheckCircleIcon`. */
function findIcon(name: string): { name: string; nodes: IconNode[]; isStandIn?: boolean } {
  const key = iconKey(name)
  for (const candidate of [key, key.replace(/icon$/, ''), key.replace(/^lucide/, '')]) {
    const found = findDrawing(drawings, candidate)
    if (found) return found
  }
  return { name, nodes: STAND_IN, isStandIn: true }
}

const FRAME = { xmlns: 'http://www.w3.org/2000/svg', viewBox: '0 0 24 24', fill: 'none', stroke: 'currentColor' }

interface IconProps {
  size?: number | string
  color?: string
  strokeWidth?: number | string
  absoluteStrokeWidth?: boolean
  className?: string
  class?: string
  [name: string]: unknown
}

interface Framework {
  createElement(tag: string, attributes: Record<string, unknown>, children?: unknown): unknown
  /** How this framework spells attributes. */
  spell: Record<'class' | 'strokeWidth' | 'strokeLinecap' | 'strokeLinejoin', string>
}

function drawIcon(
  iconName: string,
  { size = 24, color, strokeWidth = 2, absoluteStrokeWidth, className, ...rest }: IconProps,
  { createElement, spell }: Framework,
): unknown {
  const { name, nodes, isStandIn } = findIcon(iconName)
  const attributes = {
    ...FRAME,
    width: size,
    height: size,
    ...(color !== undefined && { stroke: color }),
    [spell.strokeWidth]: absoluteStrokeWidth ? (Number(strokeWidth) * 24) / Number(size) : strokeWidth,
    [spell.strokeLinecap]: 'round',
    [spell.strokeLinejoin]: 'round',
    'aria-hidden': 'true',
    ...(isStandIn && { 'data-stands-for': name }),
    ...rest,
    [spell.class]: `lucide lucide-${name}${className === undefined ? '' : ` ${className}`}`,
  }
  return createElement(
    'svg',
    attributes,
    nodes.map(([tag, own], index) => createElement(tag, { ...own, key: index })),
  )
}

interface ReactGlobal {
  createElement(type: unknown, props: object, ...children: unknown[]): unknown
  forwardRef(render: (props: IconProps, ref: unknown) => unknown): unknown
}

interface VueGlobal {
  h(type: string, props: object, children?: unknown): unknown
}

declare const React: ReactGlobal
declare const Vue: VueGlobal

const reactSpelling = {
  class: 'className',
  strokeWidth: 'strokeWidth',
  strokeLinecap: 'strokeLinecap',
  strokeLinejoin: 'strokeLinejoin',
}
const markupSpelling = {
  class: 'class',
  strokeWidth: 'stroke-width',
  strokeLinecap: 'stroke-linecap',
  strokeLinejoin: 'stroke-linejoin',
}

function reactIcon(name: string): unknown {
  const createElement: Framework['createElement'] = (tag, attributes, children) =>
    React.createElement(tag, attributes, children)
  return React.forwardRef((props, ref) => drawIcon(name, { ...props, ref }, { createElement, spell: reactSpelling }))
}

function vueIcon(name: string): unknown {
  const createElement: Framework['createElement'] = (tag, attributes, children) => Vue.h(tag, attributes, children)
  return (props: IconProps) => drawIcon(name, props, { createElement, spell: markupSpelling })
}

/** An object that has every name: an unknown icon is a plain box. */
function createLibrary(createIcon: (name: string) => unknown, more: Record<string, unknown> = {}): object {
  const made = new Map<string, unknown>()
  const get = (name: string): unknown => {
    if (!made.has(name)) made.set(name, createIcon(name))
    return made.get(name)
  }
  const all: object = new Proxy({}, { get: (_target, name) => (typeof name === 'string' ? get(name) : undefined) })
  return new Proxy(more, {
    get(target, name) {
      if (typeof name !== 'string') return undefined
      if (name === '__esModule') return true
      if (name === 'icons' || name === 'default') return all
      return Object.hasOwn(target, name) ? target[name] : get(name)
    },
  })
}

const SVG = 'http://www.w3.org/2000/svg'

function createSvgElement(tag: string, attributes: Record<string, unknown>, children: unknown): SVGElement {
  const element = document.createElementNS(SVG, tag)
  for (const [name, value] of Object.entries(attributes)) if (name !== 'key') element.setAttribute(name, String(value))
  if (Array.isArray(children)) element.append(...children.filter((child) => child instanceof Node))
  return element
}

function drawNodes(nodes: IconNode[]): SVGElement {
  return createSvgElement(
    'svg',
    { ...FRAME, width: 24, height: 24, 'stroke-width': 2, 'stroke-linecap': 'round', 'stroke-linejoin': 'round' },
    nodes.map(([tag, own]) => createSvgElement(tag, own, [])),
  )
}

/** Replaces `<i data-lucide="check">` by the drawing and keeps the classes. */
function createIcons({
  nameAttr = 'data-lucide',
  attrs = {},
}: { nameAttr?: string; attrs?: Record<string, unknown> } = {}): void {
  for (const element of document.querySelectorAll(`[${nameAttr}]`)) {
    if (element.tagName.toLowerCase() === 'svg') continue
    const name = element.getAttribute(nameAttr) ?? ''
    const svg = drawNodes(findIcon(name).nodes)
    for (const [key, value] of Object.entries(attrs)) svg.setAttribute(key, String(value))
    for (const { name: key, value } of element.attributes) svg.setAttribute(key, value)
    svg.setAttribute('class', `lucide lucide-${name} ${element.getAttribute('class') ?? ''}`.trim())
    element.replaceWith(svg)
  }
}

Object.assign(globalThis, {
  LucideReact: createLibrary(reactIcon),
  LucideVue: createLibrary(vueIcon),
  lucide: createLibrary((name) => findIcon(name).nodes, { createIcons, createElement: drawNodes }),
})
