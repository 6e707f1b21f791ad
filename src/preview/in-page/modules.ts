/** Loads the modules of an answer, which were compiled and linked before. */
import { createStandIn } from './stand-ins.ts'

interface OwnModule {
  exports: Record<string, unknown>
}

type Factory = (
  require: (specifier: string) => unknown,
  module: OwnModule,
  exports: OwnModule['exports'],
  importMeta: object,
) => unknown

/** Another module of the answer by its name, or a shipped library by the function that gives it. */
type Target = string | (() => unknown)

const factories = new Map<string, [factory: Factory, targets: Record<string, Target>]>()
const loaded = new Map<string, OwnModule>()
/** Modules that wait for something at their top level. */
const waiting = new Map<string, Promise<unknown>>()

const importMeta = { url: location.href, env: { MODE: 'production', PROD: true, DEV: false, BASE_URL: '/' } }

function load(name: string): OwnModule['exports'] {
  const known = loaded.get(name)
  if (known) return known.exports
  const entry = factories.get(name)
  if (!entry) throw new Error(`There is no module "${name}"`)
  const [factory, targets] = entry
  const own: OwnModule = { exports: {} }
  loaded.set(name, own)
  const require = (specifier: string): unknown => {
    const target = targets[specifier]
    if (target === undefined) return createStandIn(specifier)
    return typeof target === 'string' ? load(target) : target()
  }
  const result = factory(require, own, own.exports, importMeta)
  if (result instanceof Promise) waiting.set(name, result)
  return own.exports
}

/** The module and all it imports, those first that others wait for. */
function order(name: string, seen = new Set<string>()): string[] {
  if (seen.has(name)) return []
  seen.add(name)
  const targets = Object.values(factories.get(name)?.[1] ?? {})
  return [...targets.flatMap((target) => (typeof target === 'string' ? order(target, seen) : [])), name]
}

async function runInOrder(names: string[], finish: (exports: OwnModule['exports']) => void): Promise<void> {
  let last: OwnModule['exports'] = {}
  for (const name of names) {
    last = load(name)
    await waiting.get(name)
  }
  finish(last)
}

interface Mounting {
  React?: { createElement(type: unknown): unknown }
  ReactDOM?: { createRoot(container: Element): { render(element: unknown): void } }
  Vue?: { createApp(component: unknown): { mount(container: Element): void } }
}

const BARE_NAMES =
  /^(?:use[A-Z]|(?:Fragment|createContext|createElement|memo|forwardRef|lazy|Suspense|startTransition|StrictMode|Component)$)/

/** Libraries are there or not, as the page needs them. */
function readGlobals(): Mounting {
  const [React, ReactDOM, Vue] = ['React', 'ReactDOM', 'Vue'].map((name) => Reflect.get(globalThis, name))
  return { React, ReactDOM, Vue }
}

/** The component that a module is about: its default export, else `App`, else the last export that is spelt like one. */
function findComponent(exports: OwnModule['exports']): unknown {
  const named = Object.keys(exports).filter((name) => /^[A-Z]/.test(name))
  const component = exports.default ?? exports.App ?? exports[named.at(-1) ?? '']
  if (component === undefined) throw new Error('The module exports no component that could be shown')
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

function mount(exports: OwnModule['exports']): void {
  const { React, ReactDOM, Vue } = readGlobals()
  const component = findComponent(exports)
  if (React && ReactDOM) ReactDOM.createRoot(findContainer()).render(React.createElement(component))
  else Vue?.createApp(component).mount(findContainer())
}

interface RunOptions {
  /** Some module waits at its top level. */
  isAsync?: boolean
  finish?: (exports: OwnModule['exports']) => void
}

Object.assign(globalThis, {
  previewModules: {
    mount,
    define(name: string, factory: Factory, targets: Record<string, Target>): void {
      factories.set(name, [factory, targets])
    },
    run(name: string, { isAsync = false, finish = () => undefined }: RunOptions = {}): void {
      if (isAsync) void runInOrder(order(name), finish)
      else finish(load(name))
    },
    /** Hooks and the rest of React by their bare names, for components that were written without imports. */
    exposeReact(): void {
      for (const [name, value] of Object.entries(readGlobals().React ?? {}))
        if (BARE_NAMES.test(name)) Reflect.set(globalThis, name, value)
      const { ReactDOM } = readGlobals()
      if (ReactDOM) Reflect.set(globalThis, 'createRoot', ReactDOM.createRoot)
    },
    /** A style sheet that a module imports; of a CSS module the class names are the names. */
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
