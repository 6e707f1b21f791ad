/** React Router. A page without an origin cannot change its address, so every router keeps its place in memory. */
import { createElement, type ReactNode } from 'react'
import { createMemoryRouter, MemoryRouter, type RouteObject } from 'react-router-dom'

export * from 'react-router-dom'

function InMemory({ children }: { children?: ReactNode }) {
  return createElement(MemoryRouter, null, children)
}

const createInMemory = (routes: RouteObject[]) => createMemoryRouter(routes)

export { InMemory as BrowserRouter, InMemory as HashRouter }
export { createInMemory as createBrowserRouter, createInMemory as createHashRouter }
