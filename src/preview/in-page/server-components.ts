/**
 * Lets React render in the browser what Next.js renders on a server: components that are async functions, and a layout with `<html>`
 * and `<body>`, which are there already.
 */

interface ReactGlobal {
  createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown
  useState<Value>(first: Value): [Value, (value: Value) => void]
  useEffect(effect: () => void, needs: unknown[]): void
}

const AsyncFunction = (async () => undefined).constructor

type Component = (props: object) => Promise<unknown>

const wrapped = new WeakMap<Component, unknown>()

/** Shows nothing until the component has resolved; an error in it is thrown where React looks for errors. */
function wrapAsync(component: Component, react: ReactGlobal): unknown {
  const known = wrapped.get(component)
  if (known) return known
  const made = (props: object): unknown => {
    const [state, setState] = react.useState<{ content?: unknown; failure?: { error: unknown } }>({})
    react.useEffect(() => {
      component(props).then(
        (content) => setState({ content }),
        (error: unknown) => setState({ failure: { error } }),
      )
    }, [])
    if (state.failure) throw state.failure.error
    return state.content ?? null
  }
  wrapped.set(component, made)
  return made
}

const REPLACED: Record<string, string> = { html: 'div', body: 'div' }

function isAsync(type: unknown): type is Component {
  return typeof type === 'function' && type instanceof AsyncFunction
}

export function allowServerComponents(): void {
  const react: ReactGlobal | undefined = Reflect.get(globalThis, 'React')
  if (!react) return
  const { createElement } = react
  react.createElement = (type, props, ...children) => {
    if (type === 'head') return null
    if (typeof type === 'string') return createElement(REPLACED[type] ?? type, props, ...children)
    return createElement(isAsync(type) ? wrapAsync(type, react) : type, props, ...children)
  }
}
