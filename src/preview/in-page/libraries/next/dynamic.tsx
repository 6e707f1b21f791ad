import { createElement, lazy, Suspense, type ComponentType, type ReactNode } from 'react'

type Loaded = ComponentType | { default: ComponentType }

export default function dynamic(
  load: () => Promise<Loaded> | Loaded,
  { loading }: { loading?: () => ReactNode } = {},
): (props: object) => ReactNode {
  const Component = lazy(async () => {
    const loaded = await load()
    return 'default' in loaded ? loaded : { default: loaded }
  })
  return (props) => createElement(Suspense, { fallback: loading?.() ?? null }, createElement(Component, props))
}
