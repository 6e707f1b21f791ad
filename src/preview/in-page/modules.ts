import { awesomeReact, createAwesomeIcons, createIconSet } from './libraries/icon-sets.ts'
import { report } from './reports.ts'
import { createStandIn } from './stand-ins.ts'

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

function isAsyncComponent(type: unknown): type is Component {
  return typeof type === 'function' && type instanceof AsyncFunction
}

function allowServerComponents(): void {
  const react: ReactGlobal | undefined = Reflect.get(globalThis, 'React')
  if (!react) return
  const { createElement } = react
  react.createElement = (type, props, ...children) => {
    if (type === 'head') return null
    if (typeof type === 'string') return createElement(REPLACED[type] ?? type, props, ...children)
    return createElement(isAsyncComponent(type) ? wrapAsync(type, react) : type, props, ...children)
  }
}

/** Loads the modules of an answer, which the server has compiled and linked. */

interface OwnModule {
  exports: Record<string, unknown>
}

type Factory = (
  require: (specifier: string) => unknown,
  module: OwnModule,
  exports: OwnModule['exports'],
  importMeta: object,
) => unknown

/** A module of the answer by name, or a function that returns an included library. */
type Target = string | (() => unknown)

const factories = new Map<string, [factory: Factory, targets: Record<string, Target>]>()
const loaded = new Map<string, OwnModule>()
/** Modules with a top-level `await`. */
const waiting = new Map<string, Promise<unknown>>()

const importMeta = { url: location.href, env: { MODE: 'production', PROD: true, DEV: false, BASE_URL: '/' } }

function loadModule(name: string): OwnModule['exports'] {
  const known = loaded.get(name)
  if (known) return known.exports
  const entry = factories.get(name)
  if (!entry) throw new Error(`No module is called "${name}"`)
  const [factory, targets] = entry
  const own: OwnModule = { exports: {} }
  loaded.set(name, own)
  const require = (specifier: string): unknown => {
    const target = targets[specifier]
    if (target === undefined) return createStandIn(specifier)
    return typeof target === 'string' ? loadModule(target) : target()
  }
  const result = factory(require, own, own.exports, importMeta)
  if (result instanceof Promise) waiting.set(name, result)
  return own.exports
}

/** Lists the module and everything it imports, dependencies first. */
function order(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const targets = Object.values(factories.get(name)?.[1] ?? {})
  return [...targets.flatMap((target) => (typeof target === 'string' ? order(target, seen) : [])), name]
}

async function runInOrder(names: string[], finish: (exports: OwnModule['exports']) => void): Promise<void> {
  let last: OwnModule['exports'] = {}
  for (const name of names) {
    last = loadModule(name)
    await waiting.get(name)
  }
  finish(last)
}

interface Mounting {
  React?: { createElement(type: unknown, props?: object | null, ...children: unknown[]): unknown }
  ReactDOM?: { createRoot(container: Element): { render(element: unknown): void } }
  Vue?: { createApp(component: unknown): { mount(container: Element): void } }
}

interface OtherMounting {
  svelte?: { mount(component: unknown, options: { target: Element }): void }
  'solid-js/web'?: {
    render(make: () => unknown, container: Element): void
    createComponent(component: unknown, props: object): unknown
  }
  preact?: { h(type: unknown, props: null): unknown; render(element: unknown, container: Element): void }
}

function readLibraries(): OtherMounting {
  return Reflect.get(globalThis, 'previewLibraries') ?? {}
}

const BARE_NAMES =
  /^(?:use[A-Z]|(?:Fragment|createContext|createElement|memo|forwardRef|lazy|Suspense|startTransition|StrictMode|Component)$)/

/** Present only if the page uses the library. */
function readGlobals(): Mounting {
  const [React, ReactDOM, Vue] = ['React', 'ReactDOM', 'Vue'].map((name) => Reflect.get(globalThis, name))
  return { React, ReactDOM, Vue }
}

/** Finds the main component of a module: its default export, or `App`, or the last export named like a component. */
function findComponent(exports: OwnModule['exports']): unknown {
  const named = Object.keys(exports).filter((name) => /^[A-Z]/.test(name))
  const component = exports.default ?? exports.App ?? exports[named.at(-1) ?? '']
  if (component === undefined) throw new Error('The module exports no component to show')
  return component
}

function findContainer(): Element {
  const found = document.querySelector('#root, #app, #__next, #mount')
  if (found) return found
  const made = document.createElement('div')
  made.id = 'root'
  document.body.append(made)
  return made
}

/** Properties that Next.js gives a page. */
const pageProps = (): object => ({ params: Promise.resolve({}), searchParams: Promise.resolve({}) })

function mount(exports: OwnModule['exports'], { layouts = [] }: { layouts?: string[] } = {}): void {
  const { React, ReactDOM, Vue } = readGlobals()
  const component = findComponent(exports)
  if (React && ReactDOM) {
    const page = React.createElement(component, layouts.length > 0 ? pageProps() : null)
    const whole = layouts.reduce(
      (inner, name) => React.createElement(findComponent(loadModule(name)), pageProps(), inner),
      page,
    )
    ReactDOM.createRoot(findContainer()).render(whole)
  } else Vue?.createApp(component).mount(findContainer())
}

function mountSvelte(exports: OwnModule['exports']): void {
  readLibraries().svelte?.mount(findComponent(exports), { target: findContainer() })
}

function mountPreact(exports: OwnModule['exports']): void {
  const { preact } = readLibraries()
  preact?.render(preact.h(findComponent(exports), null), findContainer())
}

function mountSolid(exports: OwnModule['exports']): void {
  const solid = readLibraries()['solid-js/web']
  solid?.render(() => solid.createComponent(findComponent(exports), {}), findContainer())
}

/** A library of which only the parts that pages use most are here: stand-ins take the place of the others. */
function orStandIns(specifier: string, library: object): object {
  return new Proxy(library, {
    get(target, name) {
      if (name in target || typeof name !== 'string' || !/^[A-Z]/.test(name)) return Reflect.get(target, name)
      report('console', 'info', `${name} of ${specifier} is not available here; a stand-in is shown.`)
      return Reflect.get(createStandIn(specifier), name)
    },
  })
}

/** `next/font`: every name is a font, for which a system font is used. */
const fonts: object = new Proxy(
  {},
  {
    get: (_target, name) =>
      name === '__esModule' ? true : () => ({ className: '', variable: '', style: { fontFamily: 'inherit' } }),
  },
)

/** A package that was installed for pages: their bundle runs when the first of them is asked for. */
function findInstalled(specifier: string): object {
  const start: unknown = Reflect.get(globalThis, 'previewPackages')
  if (typeof start === 'function') {
    Reflect.set(globalThis, 'previewPackages', undefined)
    start()
  }
  const found: unknown = Reflect.get(readLibraries(), specifier)
  return typeof found === 'object' && found !== null ? found : createStandIn(specifier)
}

interface RunOptions {
  /** True if a module has a top-level `await`. */
  isAsync?: boolean
  finish?: (exports: OwnModule['exports']) => void
}

Object.assign(globalThis, {
  previewModules: {
    mount,
    mountSvelte,
    mountPreact,
    mountSolid,
    orStandIns,
    installed: findInstalled,
    icons: createIconSet,
    awesomeIcons: createAwesomeIcons,
    awesomeReact,
    fonts,
    allowServerComponents,
    define(name: string, factory: Factory, targets: Record<string, Target>): void {
      factories.set(name, [factory, targets])
    },
    run(name: string, { isAsync = false, finish = () => undefined }: RunOptions = {}): void {
      if (isAsync) void runInOrder(order(name), finish)
      else finish(loadModule(name))
    },
    /** Makes hooks and the rest of React global, for components without imports. */
    exposeReact(): void {
      for (const [name, value] of Object.entries(readGlobals().React ?? {}))
        if (BARE_NAMES.test(name)) Reflect.set(globalThis, name, value)
      const { ReactDOM } = readGlobals()
      if (ReactDOM) Reflect.set(globalThis, 'createRoot', ReactDOM.createRoot)
    },
    /** Adds an imported style sheet; as a CSS module it returns every class name unchanged. */
    addStyle(css: string, type = ''): object {
      const style = document.createElement('style')
      style.type = type
      style.textContent = css
      document.head.append(style)
      const names: object = new Proxy(
        {},
        {
          get: (_target, name) =>
            name === '__esModule' ? true : name === 'default' ? names : typeof name === 'string' ? name : undefined,
        },
      )
      return names
    },
  },
})
