import { useEffect, useState, type ComponentType, type ReactNode } from 'react'

/**
 * A component whose code is loaded when it is first shown. Unlike React's `lazy`: that holds back what has been loaded until
 * 0.3 seconds after it showed that something is loading, so every screen would take that long. What cannot be loaded is thrown.
 */
export function later<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  waiting: ReactNode,
): ComponentType<Props> {
  let loaded: ComponentType<Props> | undefined
  return function Later(props: Props) {
    const [Shown, show] = useState(() => loaded)
    const [failure, fail] = useState<{ error: unknown }>()
    useEffect(() => {
      if (loaded) {
        show(() => loaded)
        return undefined
      }
      let isWanted = true
      load().then(
        (component) => {
          loaded = component
          if (isWanted) show(() => component)
        },
        (error: unknown) => isWanted && fail({ error }),
      )
      return () => {
        isWanted = false
      }
    }, [])
    if (failure) throw failure.error
    return Shown ? <Shown {...props} /> : waiting
  }
}
