import { createElement, type ReactNode } from 'react'

interface LinkProps {
  href?: string | { pathname?: string }
  children?: ReactNode
  [name: string]: unknown
}

export default function Link({
  href,
  prefetch: _prefetch,
  replace: _replace,
  scroll: _scroll,
  passHref: _passHref,
  legacyBehavior: _legacy,
  ...props
}: LinkProps): ReactNode {
  return createElement('a', { href: typeof href === 'object' ? (href.pathname ?? '#') : href, ...props })
}
