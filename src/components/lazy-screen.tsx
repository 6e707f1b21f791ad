import { useEffect, useState, type ComponentType } from 'react'
import type { ScreenProps } from './router.tsx'
import { Loading } from './ui/Notice.tsx'

type Screen = ComponentType<ScreenProps>

/**
 * A screen whose code is loaded when it is first shown. React's `lazy` would show the fallback for at least 0.3
 * seconds, even if the code loads sooner. A failed load is thrown.
 */
export function lazyScreen(load: () => Promise<Screen>): Screen {
  let loaded: Screen | undefined
  return function LazyScreen(props: ScreenProps) {
    const [Shown, show] = useState(() => loaded)
    const [failure, fail] = useState<{ error: unknown }>()
    useEffect(() => {
      if (loaded) {
        show(() => loaded)
        return undefined
      }
      let isMounted = true
      load().then(
        (component) => {
          loaded = component
          if (isMounted) show(() => component)
        },
        (error: unknown) => isMounted && fail({ error }),
      )
      return () => {
        isMounted = false
      }
    }, [])
    if (failure) throw failure.error
    if (Shown) return <Shown {...props} />
    return (
      <div className="p-6">
        <Loading label="Loading…" />
      </div>
    )
  }
}
