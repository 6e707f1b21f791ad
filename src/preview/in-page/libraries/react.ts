/** React and ReactDOM as globals, as pages written for the old script builds expect. */
import * as React from 'react'
import * as jsxRuntime from 'react/jsx-runtime'
import * as ReactDOM from 'react-dom'
import { createRoot, hydrateRoot, type Root } from 'react-dom/client'

const roots = new WeakMap<Element | DocumentFragment, Root>()

/** React 19 removed `ReactDOM.render`; most pages still use it. */
function render(element: React.ReactNode, container: Element | DocumentFragment | null, callback?: () => void): void {
  if (!container) throw new Error('ReactDOM.render: the element to render into is not on the page')
  const root = roots.get(container) ?? createRoot(container)
  roots.set(container, root)
  root.render(element)
  if (callback) queueMicrotask(callback)
}

function unmountComponentAtNode(container: Element | DocumentFragment): boolean {
  const root = roots.get(container)
  root?.unmount()
  return roots.delete(container)
}

const ownReact = { ...React }
const dom = { ...ReactDOM, createRoot, hydrateRoot, render, hydrate: render, unmountComponentAtNode }

Object.assign(globalThis, {
  React: ownReact,
  ReactDOM: dom,
  ReactJSXRuntime: { ...jsxRuntime },
  PreactShim: { ...React, h: React.createElement, render },
})
