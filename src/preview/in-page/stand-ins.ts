/** Placeholders for packages that are not included, so that the rest of a page can still be seen. */

interface ReactGlobal {
  createElement(type: unknown, props: object | null, ...children: unknown[]): unknown
  Fragment: unknown
}

interface VueGlobal {
  h(type: string, props: object, children?: unknown): unknown
}

function reactGlobal(): ReactGlobal | undefined {
  return Reflect.get(globalThis, 'React')
}

function vueGlobal(): VueGlobal | undefined {
  return Reflect.get(globalThis, 'Vue')
}

const TAGS: [name: RegExp, tag: string][] = [
  [/button|trigger/i, 'button'],
  [/textarea/i, 'textarea'],
  [/input|checkbox|switch|slider/i, 'input'],
  [/label/i, 'label'],
  [/^(?:nav)?link$/i, 'a'],
  [/image|img/i, 'img'],
  [/title|heading/i, 'h3'],
]

const EMPTY_TAGS = new Set(['input', 'img'])

/** HTML attributes: all others belong to the missing package. */
const KEPT =
  /^(?:className|class|style|id|key|ref|children|href|src|alt|type|value|defaultValue|checked|placeholder|disabled|name|title|role|htmlFor|for|on(?:Click|Change|Submit|Input|KeyDown|Blur|Focus)|aria-.*|data-.*)$/

function keepAttributes(props: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(props).filter(([name]) => KEPT.test(name)))
}

function createComponent(name: string, tag: string): unknown {
  return (props: Record<string, unknown> = {}, context?: { slots?: { default?: () => unknown } }) => {
    const react = reactGlobal()
    if (react) {
      const { children, ...attributes } = keepAttributes(props)
      return react.createElement(
        tag,
        { 'data-stands-for': name, ...attributes },
        ...(EMPTY_TAGS.has(tag) ? [] : [children]),
      )
    }
    return vueGlobal()?.h(tag, { 'data-stands-for': name, ...keepAttributes(props) }, context?.slots?.default?.())
  }
}

function createIcon(name: string): unknown {
  const box = {
    width: '1em',
    height: '1em',
    viewBox: '0 0 24 24',
    fill: 'none',
    stroke: 'currentColor',
    strokeWidth: 2,
    'aria-hidden': true,
  }
  const rect = { width: 18, height: 18, x: 3, y: 3, rx: 4 }
  return ({ className, size }: { className?: string; size?: number } = {}) => {
    const react = reactGlobal()
    const frame = {
      'data-stands-for': name,
      ...box,
      ...(size !== undefined && { width: size, height: size }),
      ...(className !== undefined && { className }),
    }
    return react
      ? react.createElement('svg', frame, react.createElement('rect', rect))
      : vueGlobal()?.h('svg', frame, [vueGlobal()?.h('rect', rect)])
  }
}

function joinClasses(...values: unknown[]): string {
  return values
    .flatMap((value): unknown[] => {
      if (Array.isArray(value)) return [joinClasses(...value)]
      if (typeof value === 'object' && value !== null)
        return Object.entries(value).flatMap(([name, isOn]) => (isOn ? [name] : []))
      return value ? [value] : []
    })
    .join(' ')
}

/** `import Flow from 'flow'`: React calls a component with two arguments, the page a function with any other number. */
function createFunctionOrComponent(name: string): unknown {
  const component = createComponent(name, 'div')
  return (...values: unknown[]): unknown =>
    values.length === 2 && typeof values[0] === 'object' && typeof component === 'function' && reactGlobal()
      ? component(values[0])
      : undefined
}

function createMember(specifier: string, name: string): unknown {
  if (/icons?\b|fontawesome/i.test(specifier)) return createIcon(name)
  if (name === 'motion' || name === 'm' || name === 'animated')
    return new Proxy(() => undefined, {
      get: (_target, tag) => createMotionTag(String(tag)),
      apply: (_target, _self, [component]) => component,
    })
  if (
    /^(?:AnimatePresence|LazyMotion|MotionConfig|LayoutGroup|StrictMode|Suspense|.*Provider)$/.test(name) &&
    reactGlobal()
  )
    return reactGlobal()?.Fragment
  if (
    /^(?:cn|clsx|classNames|classnames|twMerge|cx)$/.test(name) ||
    /^(?:clsx|classnames|tailwind-merge)$/.test(specifier)
  )
    return joinClasses
  // Inside a canvas there are no elements.
  if (specifier.startsWith('@react-three/')) return ({ children }: { children?: unknown } = {}) => children ?? null
  if (name === 'cva')
    return (base: unknown) =>
      (props: { className?: unknown } = {}) =>
        joinClasses(base, props.className)
  if (/^[A-Z]/.test(name)) return createComponent(name, TAGS.find(([pattern]) => pattern.test(name))?.[1] ?? 'div')
  return createFunctionOrComponent(name)
}

const motionTags = new Map<string, unknown>()

/** Returns the same component each time: a new one would lose its state with every render. */
function createMotionTag(tag: string): unknown {
  if (!motionTags.has(tag)) motionTags.set(tag, createComponent(tag, tag))
  return motionTags.get(tag)
}

const standIns = new Map<string, object>()

export function createStandIn(specifier: string): object {
  const known = standIns.get(specifier)
  if (known) return known
  const members = new Map<string, unknown>()
  const standIn = new Proxy(
    {},
    {
      get(_target, name) {
        if (typeof name !== 'string') return undefined
        if (name === '__esModule') return true
        const wanted =
          name === 'default'
            ? (specifier.split('/').at(-1) ?? '').replace(/^./, (letter) =>
                /next|@\/|components/.test(specifier) ? letter.toUpperCase() : letter,
              )
            : name
        if (!members.has(name)) members.set(name, createMember(specifier, wanted))
        return members.get(name)
      },
    },
  )
  standIns.set(specifier, standIn)
  return standIn
}
